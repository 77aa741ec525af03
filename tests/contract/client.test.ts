import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOperationClient, type OperationClientOptions } from '../../src/contract/client.ts';
import type { OperationFailure } from '../../src/engine/core/operation-result.ts';
import { listenLocally } from '../server/support/free-port.ts';

interface ReceivedRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let server: Server;
let host = '';
let seen: ReceivedRequest[] = [];
let lost = 0;
let answer: { status: number; body: string; type?: string } | 'hang up' = { status: 200, body: '{}' };

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      seen.push({ method: request.method, url: request.url, headers: request.headers, body });
      if (answer === 'hang up') return void request.socket.destroy();
      response.writeHead(answer.status, { 'Content-Type': answer.type ?? 'application/json' }).end(answer.body);
    });
  });
  host = await listenLocally(server);
});
afterAll(() => new Promise((closed) => server.close(closed)));
beforeEach(() => {
  seen = [];
  lost = 0;
  answer = { status: 200, body: '{}' };
});

const texts = { offline: 'offline text', failed: 'failed text', signedOut: 'signed out text' };

function client(options: Partial<OperationClientOptions> = {}) {
  const hosts = { backend: `${host}/b`, broker: `${host}/k` };
  return createOperationClient({
    hosts,
    language: 'pt',
    token: () => null,
    texts,
    onSessionLost: () => (lost += 1),
    ...options,
  });
}

describe('[SES-03] request of the client', () => {
  test('[CFG-03] sends the contact data of a support call in informacion_contacto and the other fields beside it', async () => {
    const contact = { nombre_completo: 'Ana', asunto: 'otro' };
    const rest = { fecha: '2026-03-02', hora: '09:00:00', captcha_response: 'x' };
    await client().invoke('bookSupportCall', { body: { ...contact, ...rest } });
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ ...rest, informacion_contacto: contact });
  });

  test('goes to the host of its operation, in the language of the page, as JSON', async () => {
    await client().invoke('registerCitizen', { body: { email: 'ñ@correo.uy' } });
    await client().invoke('answerChallenge', { body: {} });
    await client().invoke('getCountries');
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /b/rest/ciudadanos/',
      'POST /k/auth/login',
      'GET /b/rest/paises/',
    ]);
    expect(seen[0]?.headers).toMatchObject({ 'accept-language': 'pt', 'content-type': 'application/json' });
    expect(seen[0]?.body).toBe('{"email":"ñ@correo.uy"}');
  });

  test('[ASVS-14.2.1] sends document numbers in the body, and in the query only if the server returns 405', async () => {
    const params = { primer_apellido: 'Pereira', numero_serie: '007HEC', cedula: '45123784' };
    await client({ token: () => 't' }).invoke('checkCard', { params });
    await client({ token: () => 't' }).invoke('getDeskDay', { params: { documento: '45123784', fecha: '' } });
    expect(seen.map(({ method, url, body }) => [method, url, JSON.parse(body)])).toEqual([
      ['POST', '/b/rest/info-dnic/', params],
      ['POST', '/b/rest/agentes/llamadas/', { documento: '45123784' }],
    ]);
    seen = [];
    answer = { status: 405, body: '{}' };
    await client({ token: () => 't' }).invoke('checkCard', { params });
    expect(seen.map(({ method, url }) => [method, url])).toEqual([
      ['POST', '/b/rest/info-dnic/'],
      ['GET', '/b/rest/info-dnic/?primer_apellido=Pereira&numero_serie=007HEC&cedula=45123784'],
    ]);
  });

  test('posts an empty object if no body is given, and sends no body with GET', async () => {
    await client().invoke('logout');
    await client().invoke('getCountries', { body: { a: 1 } });
    expect(seen.map(({ body }) => body)).toEqual(['{}', '']);
  });

  test('carries the current access token, or no authorization if there is no token', async () => {
    let token: string | null = null;
    const { invoke } = client({ token: () => token });
    await invoke('getCountries');
    token = 'one.two.three';
    await invoke('getCountries');
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer one.two.three']);
  });

  test('carries the version of the definitions if one is given', async () => {
    await client().invoke('registerCitizen', { body: {}, version: 'abc123' });
    await client().invoke('registerCitizen', { body: {} });
    expect(seen.map(({ headers }) => headers['definition-version'])).toEqual(['abc123', undefined]);
  });

  test.each([
    ['a plain id', { id: '17' }, '/b/rest/ciudadanos/17/'],
    ['an id with a path traversal', { id: '../agentes' }, '/b/rest/ciudadanos/..%2Fagentes/'],
    ['an id with reserved characters', { id: 'a?b#c/ñ' }, '/b/rest/ciudadanos/a%3Fb%23c%2F%C3%B1/'],
  ])('encodes its path parameters: %s', async (_, params, url) => {
    await client({ token: () => 'one.two.three' }).invoke('getCitizen', { params });
    expect(seen[0]?.url).toBe(url);
  });

  test.each([
    ['declared parameters, encoded', { process_state: 'a&b=ñ' }, '/b/rest/idps/?process_state=a%26b%3D%C3%B1'],
    ['no empty parameter', { process_state: '' }, '/b/rest/idps/'],
    ['no undeclared parameter', { other: '1' }, '/b/rest/idps/'],
  ])('builds its query: %s', async (_, params, url) => {
    await client().invoke('getIdentityProviders', { params });
    expect(seen[0]?.url).toBe(url);
  });

  test('[LOG-16] is not sent if the operation needs a session and there is none', async () => {
    expect(await client().invoke('getMfaStatus', { params: { id: '17' } })).toEqual({
      ok: false,
      failure: { status: 401, error: texts.signedOut, code: 'no_autenticado', errors: {}, outdated: false },
    });
    expect([seen, lost]).toEqual([[], 0]);
  });

  test('returns the response body as its result', async () => {
    answer = { status: 201, body: '{"token":"t"}' };
    expect(await client().invoke('obtainToken')).toEqual({ ok: true, result: { token: 't' } });
  });
});

const failed = (failure: Partial<OperationFailure>): OperationFailure => ({
  status: 400,
  error: texts.failed,
  errors: {},
  outdated: false,
  ...failure,
});

/** Rejected calls: status, response body, and resulting failure. */
const refusals: readonly (readonly [note: string, status: number, body: string, failure: OperationFailure])[] = [
  [
    'fields',
    400,
    '{"field":"email","error":"Mal","errors":{"email":"Mal","password":"Corta"}}',
    failed({ error: 'Mal', field: 'email', errors: { email: 'Mal', password: 'Corta' } }),
  ],
  [
    'one field',
    400,
    '{"field":"email","error":"Mal"}',
    failed({ error: 'Mal', field: 'email', errors: { email: 'Mal' } }),
  ],
  ['an empty field name', 400, '{"field":"","error":"Mal"}', failed({ error: 'Mal' })],
  ['a sentence', 403, '{"error":"No se puede."}', failed({ status: 403, error: 'No se puede.' })],
  [
    'a code and a sentence',
    409,
    '{"error":"Ya está","code":"ya_registrado"}',
    failed({ status: 409, error: 'Ya está', code: 'ya_registrado' }),
  ],
  [
    'a code in place of an error message',
    400,
    '{"error":"account_blocked"}',
    failed({ error: 'account_blocked', code: 'account_blocked' }),
  ],
  ['a next address', 401, '{"error":"Falta","next":"/login"}', failed({ status: 401, error: 'Falta', next: '/login' })],
  ['[LOG-12] a location', 400, '{"error":"Falta","location":"/x"}', failed({ error: 'Falta', next: '/x' })],
  [
    '[LOG-12] a redirect, behind an empty next',
    400,
    '{"error":"Falta","next":"","redirect":"/y"}',
    failed({ error: 'Falta', next: '/y' }),
  ],
  [
    '[CLAVE-03] a link that is no longer valid',
    400,
    '{"error":"Venció","invalid_token":true}',
    failed({ error: 'Venció', code: 'invalid_token' }),
  ],
  [
    'the code of newer rules',
    409,
    '{"error":"Cambió","code":"formulario_cambiado"}',
    failed({ status: 409, error: 'Cambió', code: 'formulario_cambiado', outdated: true }),
  ],
  [
    'messages that are not strings',
    400,
    '{"error":"Mal","errors":{"email":7,"password":"Corta"}}',
    failed({ error: 'Mal', errors: { password: 'Corta' } }),
  ],
  ['errors in another shape', 400, '{"error":"Mal","errors":["email"]}', failed({ error: 'Mal' })],
  ['an error that is not a string', 500, '{"error":{"stack":"…"}}', failed({ status: 500 })],
  ['an empty object', 500, '{}', failed({ status: 500 })],
  ['null', 500, 'null', failed({ status: 500 })],
  ['a list', 500, '[1]', failed({ status: 500 })],
  ['a page of a proxy', 502, '<html>Bad gateway</html>', failed({ status: 502 })],
  ['an empty body', 503, '', failed({ status: 503 })],
];

describe('[ENT-03] normalized response', () => {
  const invoke = async (name: 'getMfaStatus' | 'getConsentClient' | 'getContactSubjects', body: object) => {
    answer = { status: 200, body: JSON.stringify(body) };
    return client({ token: () => 'one.two.three' }).invoke(name);
  };

  test('has default values for fields that the specification does not define', async () => {
    const estado = { activado: true, fecha_activado: null };
    const totp = { id: 7, secret: 'JBSWY3DP', url: 'otpauth://x' };
    expect(await invoke('getMfaStatus', { estado, methods: { totp }, estado_email: 'Activada', errors: {} })).toEqual({
      ok: true,
      result: {
        estado,
        methods: { totp: { id: '7', secret: null, url: null }, email: null },
        estado_email: 'validado',
        errors: null,
        obligatorio: false,
        codigos_de_recuperacion: null,
        llaves: [],
      },
    });
    const scopes = [{ scope: 'email', name: 'correo' }];
    expect(await invoke('getConsentClient', { name: 'Trámites', url: null, scopes })).toMatchObject({
      result: {
        name: 'Trámites',
        citizen: '',
        scopes: [{ scope: 'email', name: 'correo', value: '', description: '' }],
      },
    });
    expect(await invoke('getConsentClient', { name: 'Trámites' })).toMatchObject({ result: { scopes: [] } });
  });

  test('keeps fields that the specification does not have', async () => {
    const told = { obligatorio: true, codigos_de_recuperacion: 3, estado_email: 'pendiente', errors: 'Mal' };
    const methods = { totp: null, email: { id: 'm' } };
    expect(await invoke('getMfaStatus', { ...told, methods })).toMatchObject({ result: { ...told, methods } });
  });

  test('replaces a null `estado_email` by `sin_correo`', async () => {
    expect(await invoke('getMfaStatus', { estado_email: null })).toMatchObject({
      result: { estado_email: 'sin_correo' },
    });
  });

  test('converts numeric ids to strings', async () => {
    expect(await invoke('getContactSubjects', [{ id: 3, nombre: 'Otro' }])).toEqual({
      ok: true,
      result: [{ id: '3', nombre: 'Otro' }],
    });
  });
});

/** Response of a backend that implements only the specification: a text of its section 8, without an error code. */
const specified = [
  ['El tiempo de inicio de sesión expiró. Comienza de nuevo.', 'sesion_expirada'],
  ['Dominio no registrado.', 'dominio_no_registrado'],
  ['account_blocked', 'account_blocked'],
  ['account_no_activated', 'account_no_activated'],
  [
    'Los datos son incorrectos. Asegúrate que el primer apellido y el número de documento coincidan con los de tu cédula de identidad.',
    'datos_incorrectos',
  ],
  ['La cédula ya está registrada en Usuario gub.uy.', 'ya_registrado'],
  ['El número de pasaporte ya se encuentra registrado.', 'ya_registrado'],
  ['El documento ingresado ya fue registrado', 'ya_registrado'],
  ['El correo ya está registrado.', undefined],
  ['Ya hay una videollamada de consulta pendiente asociada al e-mail ana@correo.uy', 'consulta_por_email'],
  ['Ya hay una videollamada de consulta pendiente asociada al documento 45123784', 'consulta_por_documento'],
  ['Ya hay una videollamada de consulta pendiente asociada al usuario', 'usuario_con_videollamada'],
  ['No hay disponibilidad para la fecha 2026-03-02 y hora 09:00:00', 'sin_cupos'],
  ['No hay cupos disponibles', 'sin_cupos'],
  ['La hora seleccionada no se encuentra disponible', 'sin_cupos'],
  ['Este cupo ya fue ocupado', 'cupo_ocupado'],
  ['El ciudadano ya tiene un trámite de videollamada en curso', 'tramite_en_curso'],
  ['El número de serie no coincide con los datos registrados. Por favor, inténtalo de nuevo.', 'serie_no_coincide'],
  [
    'Tu primer apellido no coincide con el registrado con este número de serie. No puedes continuar con este trámite.',
    'apellido_no_coincide',
  ],
  ['Necesitas ser mayor de edad para poder realizar este trámite.', 'menor_de_edad'],
  ['El documento o la contraseña no son correctos.', undefined],
] as const;

describe('[ERR-01 LOG-14 REG-05 REG-06 AGEN-05 ELEV-02 ELEV-03] error text of the specification', () => {
  test.each(specified)('%s gets the code %s', async (error, code) => {
    for (const written of [error, error.toUpperCase()]) {
      if (written.startsWith('ACCOUNT')) continue;
      answer = { status: 400, body: JSON.stringify({ error: written }) };
      expect(await client().invoke('registerCitizen', { body: {} })).toEqual({
        ok: false,
        failure: failed({ error: written, ...(code !== undefined && { code }) }),
      });
    }
  });

  test('does not replace a code that the response contains', async () => {
    answer = { status: 400, body: JSON.stringify({ error: 'Este cupo ya fue ocupado', code: 'sin_cupos' }) };
    expect(await client().invoke('bookElevation', { body: {} })).toMatchObject({ failure: { code: 'no_autenticado' } });
    const { invoke } = client({ token: () => 'one.two.three' });
    expect(await invoke('bookElevation', { body: {} })).toMatchObject({ failure: { code: 'sin_cupos' } });
  });
});

describe('[ERR-01 ERR-02] failed request', () => {
  test.each(refusals)('returns a failure for a response with %s', async (_, status, body, failure) => {
    answer = { status, body };
    expect(await client().invoke('registerCitizen', { body: {} })).toEqual({ ok: false, failure });
  });

  test('returns a failure with status 0 if the connection breaks', async () => {
    answer = 'hang up';
    expect(await client().invoke('getCountries')).toEqual({
      ok: false,
      failure: failed({ status: 0, error: texts.offline }),
    });
  });

  test('returns a failure with status 0 if no server listens', async () => {
    const nobody = createServer();
    const hosts = { backend: await listenLocally(nobody), broker: '' };
    await new Promise((closed) => nobody.close(closed));
    expect(await client({ hosts }).invoke('getCountries')).toMatchObject({
      ok: false,
      failure: { status: 0, error: texts.offline },
    });
  });
});

describe('[SES-01] lost session', () => {
  test.each([
    ['runs if the broker returns 401 to a token refresh', 'refreshToken', 401, 1],
    ['does not run if the broker returns 403', 'refreshToken', 403, 0],
    ['does not run if the backend returns 401', 'getCitizen', 401, 0],
    ['does not run if the request succeeds', 'refreshToken', 200, 0],
  ] as const)('the callback onSessionLost %s', async (_, call, status, times) => {
    answer = { status, body: '{}' };
    await client({ token: () => 'one.two.three' }).invoke(call);
    expect([seen.length, lost]).toEqual([1, times]);
  });
});
