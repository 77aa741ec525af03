import type { OperationResponse, OperationName } from '../../../src/contract/contract.ts';
import type { PortalStoreDependencies } from '../../../src/domain/session.ts';
import type { StateStorage } from '../../../src/domain/stored-state.ts';
import type { OperationFailure, OperationInput, OperationResult } from '../../../src/engine/core/operation-result.ts';

/** Current time of the domain tests. */
export const now = new Date('2026-03-02T15:00:00Z');

/** Creates a bearer token with these claims. It expires in `seconds`. */
export function createToken(claims: Readonly<Record<string, unknown>> = {}, seconds = 300): string {
  const payload = { exp: now.getTime() / 1000 + seconds, cid: '17', idp: '', ...claims };
  return ['{"alg":"ES256"}', JSON.stringify(payload), 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
}

/** Record of the sample citizen, as the server returns it. */
export const citizen: OperationResponse<'getCitizen'> = {
  id: '17',
  user: { id: '40', email: 'ana@correo.uy', permisos: { videollamada: ['crear'] } },
  nombre_completo: 'Ana Lucía Pereira Núñez',
  primer_nombre: 'Ana',
  segundo_nombre: 'Lucía',
  primer_apellido: 'Pereira',
  segundo_apellido: 'Núñez',
  numero_documento: '12345672',
  numero_telefono: '+59899123456',
  documento: { tipo_documento: { codigo: 'ci', nombre: 'Cédula' }, pais_emisor: { codigo: 'uy', nombre: 'Uruguay' } },
  nivel: 'Autoregistrado',
  nivel_de_confianza: { value: 'basico' },
  rid: 'Bajo',
  acr: 'urn:iduruguay:nid:0',
  origen_registro: { nombre: 'Portal' },
  firma_validada: null,
  email_validado: true,
  email_por_validar: { email: 'nueva@correo.uy' },
  cuenta_activa: true,
  bloqueado: false,
  acceso_funcionalidades: true,
  ultimo_login: '2026-03-01T10:00:00-03:00',
  ultimo_cambio_contrasena: null,
  info_tramite_videollamada_pendiente: {
    id: '5',
    estado: 'Agendado',
    fecha: '2026-03-09',
    minutos: 30,
    hora_inicio: '10:00:00',
    link: null,
    jwt: null,
    sala: false,
    abre: null,
  },
  info_videollamada_consulta: null,
  identidad_verificada: false,
  segundo_factor_pendiente: false,
};

export function createFailure(failure: Partial<OperationFailure>): OperationResult {
  return { ok: false, failure: { status: 400, error: 'refused', errors: {}, outdated: false, ...failure } };
}

/**
 * Creates a client that returns responses from a table and records its calls. A call without an entry stays pending.
 */
export function fakeClient(answers: { readonly [Name in OperationName]?: OperationResult | Promise<OperationResult> }) {
  const calls: { readonly name: OperationName; readonly input: OperationInput | undefined }[] = [];
  const client: PortalStoreDependencies['client'] = {
    invoke: (name, input) => {
      calls.push({ name, input });
      return (answers[name] ?? new Promise(() => undefined)) as never; // the cast is safe, because the table's entry has the response type of this operation
    },
  };
  return { client, calls };
}

export function memoryStorage(
  stored: Readonly<Record<string, string>> = {},
): StateStorage & { readonly content: Map<string, string> } {
  const content = new Map(Object.entries(stored));
  return {
    content,
    getItem: (key) => content.get(key) ?? null,
    setItem: (key, value) => void content.set(key, value),
    removeItem: (key) => void content.delete(key),
  };
}
