import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject } from '../../../src/engine/core/json.ts';
import { createToken } from '../../domain/support/store.ts';

export interface ReceivedRequest {
  readonly line: string;
  readonly body: Body;
}

const ana = {
  id: 17,
  user: { email: 'ana@correo.uy', id: 40, permisos: {} },
  nombre_completo: 'Ana Pereira',
  primer_nombre: 'Ana',
  segundo_nombre: '',
  primer_apellido: 'Pereira',
  segundo_apellido: '',
  numero_documento: '12345672',
  numero_telefono: null,
  documento: {
    tipo_documento: { codigo: 'ci', nombre: 'Cédula de identidad' },
    pais_emisor: { codigo: 'uy', nombre: 'Uruguay' },
  },
  nivel: '',
  nivel_de_confianza: { value: 'Certificado' },
  rid: 'Bajo',
  acr: '',
  origen_registro: { nombre: 'Web' },
  firma_validada: '',
  email_validado: true,
  email_por_validar: null,
  cuenta_activa: true,
  bloqueado: false,
  acceso_funcionalidades: true,
  ultimo_login: '2026-03-01T10:00:00-03:00',
  ultimo_cambio_contrasena: null,
  info_tramite_videollamada_pendiente: null,
};

type Body = Readonly<Record<string, unknown>>;
type Answer = readonly [status: number, body?: unknown];
const missing: Answer = [404, { error: 'Not found.' }];

/**
 * Starts a backend and broker that implement only sections 3, 7 and 8 of the specification: its fields, paths and
 * texts, without the product's own codes. Ids are numbers, and challenges have the names of their steps.
 */
export async function openSpecificationBackend() {
  const asked: ReceivedRequest[] = [];
  let mfa: object = {
    estado: { activado: true, fecha_activado: '2026-02-01T10:00:00-03:00' },
    methods: { totp: { id: 3, secret: 'JBSWY3DPEHPK3PXP', url: 'otpauth://totp/x' } },
    estado_email: 'Validado',
    errors: {},
  };
  const signedIn = (): Answer => [200, { challenge: null, token: createToken(), location: '/seguridad' }];
  const signIn = ({ challenge, data_challenge }: Body): Answer => {
    const data = isObject(data_challenge) ? data_challenge : {};
    const step = { token: 't', name: 'Ana Pereira', level: 'Certificado' };
    if (challenge === 'username')
      return data.username === '12345672'
        ? [200, { challenge: 'password', token: 't' }]
        : [400, { field: 'username', error: 'El documento no es válido.' }];
    if (challenge === 'password' && data.password === 'bloqueada') return [403, { error: 'account_blocked' }];
    if (challenge === 'password' && data.password !== 'lluvia tren azul')
      return [400, { field: 'password', error: 'El documento o la contraseña no son correctos.' }];
    if (challenge === 'password')
      return [200, { ...step, challenge: 'recoverycode', forced: false, email: 'a***@correo.uy' }];
    if (challenge === 'recoverycode' && data.recoverycode === 'AB12CD') return signedIn();
    if (challenge === 'recoverycode' && data.recoverycode === 'VENCIO')
      return [400, { error: 'El tiempo de inicio de sesión expiró. Comienza de nuevo.' }];
    if (challenge === 'recoverycode') return [400, { field: 'recoverycode', error: 'El código no es correcto.' }];
    return [400, { error: `unknown challenge ${String(challenge)}` }];
  };
  const routes: Readonly<Record<string, (body: Body) => Answer>> = {
    'GET /rest/idps/': () => [200, { idps: [], ci_allowed: false, gub_uy_allowed: true }],
    'POST /auth/login': signIn,
    'POST /account/resend-recovery-code-email/': ({ token }) => [token === 't' ? 200 : 400, {}],
    'GET /jwt/obtain/': () => [200, { token: createToken() }],
    'GET /rest/ciudadanos/17/': () => [200, ana],
    'GET /rest/ciudadanos/17/mfa_status/': () => [200, mfa],
    'GET /rest/ciudadanos/17/obtener_acciones/': () => [
      200,
      [{ id: 9, timestamp_access: '2026-03-01T10:00:00-03:00', descripcion: 'Inicio de sesión', responsable: 'Ana' }],
    ],
    'GET /rest/aplicaciones/': () => [
      200,
      [{ id: 5, client: { name: 'Trámites', logo: null }, scopes: [{ name: 'documento' }], date_given: '2026-02-01' }],
    ],
    'DELETE /rest/ciudadanos/authenticators/totp/3/': () => {
      mfa = { estado: { activado: false, fecha_activado: null }, methods: {}, estado_email: 'Validado', errors: {} };
      return [200, {}];
    },
    'POST /rest/ciudadanos/authenticators/totp/': () => [
      200,
      { id: 4, secret: 'JBSWY3DPEHPK3PXP', url: 'otpauth://totp/x' },
    ],
    'POST /rest/ciudadanos/authenticators/totp/4/verify/': ({ code }) =>
      code === '123456' ? [200, {}] : [400, { field: 'code', error: 'El código no es correcto.' }],
    'POST /account/reset-password/': () => [200, { email: 'a***@correo.uy' }],
    'POST /account/reset-password/confirm': ({ token }) =>
      token === 'bueno' ? [200, {}] : [400, { field: 'token', error: 'Vencido', invalid_token: true }],
  };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const line = `${request.method} ${(request.url ?? '').replace(/\?.*/, '')}`;
      response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '*');
      response.setHeader('Access-Control-Allow-Credentials', 'true');
      response.setHeader('Access-Control-Allow-Methods', 'GET, POST, DELETE');
      response.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '*');
      if (request.method === 'OPTIONS') return void response.writeHead(204).end();
      const body = text === '' ? {} : JSON.parse(text);
      asked.push({ line, body });
      const [status, answer = {}] = (routes[line] ?? (() => missing))(body);
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // `address()` returns an `AddressInfo` for a server that listens on a port
    asked,
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}
