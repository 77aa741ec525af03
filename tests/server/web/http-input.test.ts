import { connect, type AddressInfo } from 'node:net';
import type { InjectOptions } from 'fastify';
import { describe, expect, test } from 'vitest';
import { OperationError } from '../../../src/server/platform/base/errors.ts';
import { callers, startFakeServer } from '../support/fake-server.ts';

const json = { 'content-type': 'application/json' };
const postTo =
  (url: string) =>
  (payload: string | object, type = 'application/json'): InjectOptions => ({
    method: 'POST',
    url,
    headers: { 'content-type': type },
    payload,
  });
const register = postTo('/rest/ciudadanos/');
const link = postTo('/account/activate_account/');
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

type Case = [note: string, request: InjectOptions | string, status: number, code: string, field?: string];

const refused: readonly Case[] = [
  ['malformed JSON', register('{"a":'), 400, 'cuerpo_mal_formado'],
  ['an empty body', register(''), 400, 'cuerpo_mal_formado'],
  ['an array', register('[]'), 400, 'cuerpo_mal_formado'],
  ['a prototype key', register('{"__proto__":{"a":1}}'), 400, 'cuerpo_mal_formado'],
  ['a body over 64 kB', register(JSON.stringify({ a: 'x'.repeat(65_536) })), 413, 'cuerpo_demasiado_grande'],
  ['deep nesting', register(nested(100)), 400, 'cuerpo_demasiado_profundo'],
  ['deepest nesting that fits', register(nested(10_000)), 400, 'cuerpo_demasiado_profundo'],
  ['more values than any form has', register(`{"a":[${'0,'.repeat(20_000)}0]}`), 413, 'cuerpo_demasiado_grande'],
  [
    'a wide array as a picture',
    postTo('/rest/sala-videollamada/foto/')(
      `{"llamada":"a","cliente":"b","foto":"c","imagen":[${'0,'.repeat(9_000)}0]}`,
    ),
    400,
    'datos_invalidos',
    'imagen',
  ],
  ['a urlencoded form', register('a=1', 'application/x-www-form-urlencoded'), 415, 'tipo_de_contenido'],
  ['plain text that holds JSON', register('{}', 'text/plain'), 415, 'tipo_de_contenido'],
  ['no content type', { method: 'POST', url: '/auth/logout' }, 415, 'tipo_de_contenido'],
  ['an unknown field', link({ uuid: 'u', admin: true }), 400, 'datos_invalidos', 'admin'],
  ['a missing field', link({}), 400, 'datos_invalidos', 'uuid'],
  ['a wrong type', link({ uuid: 7 }), 400, 'datos_invalidos', 'uuid'],
  ['a number as body', link('7'), 400, 'cuerpo_mal_formado'],
  ['an unknown operation', '/rest/nada', 404, 'no_encontrado'],
  ['an unknown operation by POST', postTo('/jwt/nada')({}), 404, 'no_encontrado'],
  ['a malformed id', '/rest/ciudadanos/a%2Fb/', 404, 'no_encontrado'],
  ['a NUL as id', '/rest/ciudadanos/%00/', 400, 'direccion_mal_formada'],
  ['a NUL in the query', '/rest/faqs/?slug=%00', 400, 'direccion_mal_formada'],
  ['a NUL in a text', link({ uuid: 'a\u0000' }), 400, 'datos_invalidos', 'uuid'],
  [
    'an escape character in a form',
    register({ numero_documento: '\u001b[2J' }),
    400,
    'datos_invalidos',
    'numero_documento',
  ],
  ['an 8-bit control character', link({ uuid: 'a\u009b2J' }), 400, 'datos_invalidos', 'uuid'],
  ['a lone surrogate in a text', register('{"email":"\\ud800"}'), 400, 'datos_invalidos', 'email'],
  [
    'a lone surrogate in a nested text',
    postTo('/auth/login')('{"challenge":"x","data_challenge":{"username":"\\udc00"}}'),
    400,
    'datos_invalidos',
    'data_challenge.username',
  ],
  ['a control character in a field name', link({ 'uu\u0001id': '' }), 400, 'datos_invalidos'],
  ['a lone surrogate as id', '/rest/ciudadanos/%ED%A0%80/', 400, 'direccion_mal_formada'],
  ['malformed percent-encoding', '/rest/%E0%A4%A/', 400, 'direccion_mal_formada'],
  ['a made-up definition', '/definitions/registro.ffffff.js', 404, 'no_encontrado'],
  ['a definition outside its folder', '/definitions/..%2f..%2fpackage.json', 404, 'no_encontrado'],
  ['a made-up asset', '/assets/nada.js', 404, 'no_encontrado'],
];

describe('request validation', async () => {
  const { http, called } = await startFakeServer();

  test.each<Case>(refused)(
    'returns a JSON error without calling the handler for %s',
    async (_, request, status, code, field) => {
      const response = await http.inject(request);
      expect(response.statusCode, response.body).toBe(status);
      const body = response.json();
      expect(body).toMatchObject({ code, error: expect.stringMatching(/^[A-Z].+[.a-z]$/) });
      if (field) expect(body).toMatchObject({ field, errors: { [field]: body.error } });
      expect(response.headers['content-type']).toContain('application/json');
      expect(called).toEqual([]);
    },
  );

  test.each([
    { method: 'DELETE', url: '/rest/paises/', allow: 'GET, HEAD', note: 'a GET operation' },
    { method: 'GET', url: '/jwt/refresh/', allow: 'POST', note: 'a POST operation' },
    { method: 'PUT', url: '/auth/logout', allow: 'POST, GET, HEAD', note: 'an operation with a page at its path' },
    { method: 'GET', url: '/rest/ciudadanos/', allow: 'POST', note: 'a path with a parametric neighbour' },
    { method: 'POST', url: '/registro', allow: 'GET, HEAD', note: 'a page' },
    {
      method: 'OPTIONS',
      url: '/rest/paises/',
      allow: 'GET, HEAD',
      note: 'a preflight without other hosts',
    },
  ] as const)('returns 405 with Allow for $method on $note', async ({ method, url, allow }) => {
    const response = await http.inject({ method, url, headers: method === 'POST' ? json : {} });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe(allow);
    expect(response.json().code).toBe('metodo_no_permitido');
  });

  test.each([
    ['POST', '/registro', 405, 'El método no está permitido en esta dirección.'],
    ['POST', '/idp/nada', 404, 'No encontramos lo que buscás.'],
    ['PUT', '/registro', 405, 'El método no está permitido en esta dirección.'],
  ] as const)('[RUTA-01] returns an HTML error page to a browser for %s %s', async (method, url, status, text) => {
    const response = await http.inject({ method, url, headers: { accept: 'text/html,*/*;q=0.8' }, payload: 'a=b' });
    expect([response.statusCode, response.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect(response.body).toContain(text);
    expect(response.body).toContain('Volver al inicio');
    expect(response.body).toMatch(/<form role="search" action="\/ayuda">.*name="busqueda"/);
    for (const page of ['/', '/login', '/contacto']) expect(response.body).toContain(`<a href="${page}">`);
  });

  test.each([
    { header: 'pt-BR,pt;q=0.9', start: 'Para continuar, você' },
    { header: 'en, pt;q=0.5', start: 'Para continuar, você' },
    { header: 'pt;q=0.1, es', start: 'Para continuar tenés' },
    { header: 'en', start: 'Para continuar tenés' },
    { header: ';;q=x,,', start: 'Para continuar tenés' },
  ])('returns errors in the language of the header $header', async ({ header, start }) => {
    const { error } = (
      await http.inject({ url: '/rest/ciudadanos/c-1/', headers: { 'accept-language': header } })
    ).json();
    expect(error.startsWith(start)).toBe(true);
  });

  test('accepts a path with and without a trailing slash', async () => {
    expect((await http.inject('/rest/paises')).statusCode).toBe(200);
    expect((await http.inject('/rest/paises/')).statusCode).toBe(200);
  });
});

test('[SEG-06] query parameter is limited to 2,048 characters', async () => {
  const { http, called } = await startFakeServer();
  const start = (length: number) => http.inject(`/auth/login/llave/?redirect_url=/${'x'.repeat(length - 1)}`);
  const refused = await start(2049);
  expect([refused.statusCode, refused.json().field]).toEqual([400, 'redirect_url']);
  expect(called).toEqual([]);
  expect((await start(2048)).statusCode).toBe(200);
});

describe('[ASVS-14.2.1] query with personal data', () => {
  const request = { method: 'POST', url: '/rest/info-dnic/', headers: { authorization: 'Bearer citizen' } } as const;
  const query = { primer_apellido: 'Pereira', numero_serie: '007HEC', cedula: '45123784' };
  const checked = { primer_apellido: true, numero_serie: true, mayor_de_edad: true };
  const open = async () => {
    const asked: unknown[] = [];
    const fake = await startFakeServer({
      authenticate: async () => ({ ...callers.citizen, permisos: { videollamada: ['crear'] } }),
      handlers: {
        checkCard: async (given) => {
          asked.push(given.query, given.body);
          return { body: checked };
        },
      },
    });
    return { ...fake, asked };
  };

  test('can be the body of a POST, with the same result as in the address', async () => {
    const { http, asked } = await open();
    expect((await http.inject({ ...request, payload: query })).json()).toEqual(checked);
    const url = `/rest/info-dnic/?${new URLSearchParams(query)}`;
    expect((await http.inject({ ...request, method: 'GET', url })).statusCode).toBe(200);
    expect(asked).toEqual([query, {}, query, {}]);
  });

  test.each([
    [{ ...query, otro: 'x' }, 400, 'otro'],
    [{ ...query, cedula: 45123784 }, 400, 'cedula'],
    [['45123784'], 400, undefined],
    [undefined, 415, undefined],
  ])('is rejected as a malformed body: %j', async (payload, status, field) => {
    const { http, called } = await open();
    const response = await http.inject({ ...request, ...(payload && { payload }) });
    expect([response.statusCode, response.json().field]).toEqual([status, field]);
    expect(called).toEqual([]);
  });

  test('requires the same role by POST', async () => {
    const { http } = await open();
    expect((await http.inject({ ...request, headers: {}, payload: query })).statusCode).toBe(401);
  });

  test('is described in OpenAPI with both methods', async () => {
    const { http } = await open();
    const { get, post } = (await http.inject('/openapi.json')).json().paths['/rest/info-dnic/'];
    expect([get.operationId, post.operationId]).toEqual(['checkCard', 'checkCardByPost']);
    expect(post.parameters).toEqual([]);
    expect(Object.keys(post.requestBody.content['application/json'].schema.properties)).toEqual(Object.keys(query));
  });
});

describe('validator of the screen', () => {
  const errors = { email: 'Mal', '': 'General' };
  const check = () => ({ data: {}, errors });

  test('[VAL-09] returns the first error and all errors, and the handler does not run', async () => {
    const { http, called } = await startFakeServer({ check });
    const response = await http.inject(register({ email: 'x' }));
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({ field: 'email', error: 'Mal', errors, code: 'datos_invalidos' });
    expect(called).toEqual([]);
  });

  test('passes its pruned data to the handler', async () => {
    let body: unknown;
    const { http } = await startFakeServer({
      check: () => ({ data: { email: 'a@b.uy' }, errors: {} }),
      handlers: { registerCitizen: async (request) => ((body = request.body), { body: { email: 'e', reenvio: 'r' } }) },
    });
    await http.inject(register({ email: 'a@b.uy', hidden: 1 }));
    expect(body).toEqual({ email: 'a@b.uy' });
  });

  test.each([
    { version: 'r0', status: 409, code: 'formulario_cambiado', note: 'an older form' },
    { version: 'r1', status: 400, code: 'datos_invalidos', note: 'the current form' },
  ])('returns $status for invalid data from $note', async ({ version, status, code }) => {
    const { http } = await startFakeServer({ check });
    const response = await http.inject({ ...register({}), headers: { ...json, 'definition-version': version } });
    expect([response.statusCode, response.json().code]).toEqual([status, code]);
  });

  test('[SEG-04] runs after the shape of the body was validated and the attempt was counted', async () => {
    const order: string[] = [];
    const count = async (name: string, { address }: { address: string }) => void order.push(`${name} ${address}`);
    const { http } = await startFakeServer({
      count,
      check: (_screen, data) => (order.push('rules'), { data, errors: {} }),
    });
    await http.inject(register('[]'));
    await http.inject(link({ uuid: 7 }));
    expect(order).toEqual([]);
    await http.inject(register({}));
    expect(order).toEqual(['registerCitizen 127.0.0.1', 'rules']);
  });

  test('[SEG-04] does not run while the network address is rate-limited', async () => {
    let asked = false;
    const count = () => Promise.reject(new OperationError(429, 'demasiados_intentos', { retryAfter: 2 }));
    const { http } = await startFakeServer({ count, check: (_screen, data) => ((asked = true), { data, errors: {} }) });
    const response = await http.inject(register({}));
    expect([response.statusCode, response.headers['retry-after'], asked]).toEqual([429, '2', false]);
  });

  test('accepts valid data from an older form', async () => {
    const { http } = await startFakeServer();
    const response = await http.inject({ ...register({}), headers: { ...json, 'definition-version': 'r0' } });
    expect(response.statusCode).toBe(200);
  });
});

describe('error thrown by a handler', () => {
  test.each([
    {
      error: new OperationError(409, 'sin_permiso', { field: 'doc', retryAfter: 1.2 }),
      status: 409,
      retry: '2',
      note: 'a field error',
      body: { field: 'doc', error: 'No tenés permiso para hacer esta acción.', code: 'sin_permiso' },
    },
    {
      error: new OperationError(403, 'account_blocked', { field: 'password', sendsCodeAsMessage: true }),
      status: 403,
      retry: undefined,
      note: 'a bare code',
      body: { field: 'password', error: 'account_blocked', errors: { password: 'account_blocked' } },
    },
    {
      error: new Error('secret detail 12345672'),
      status: 500,
      retry: undefined,
      note: 'a fault',
      body: { error: 'Ocurrió un error inesperado. Probá de nuevo más tarde.', code: 'error_interno' },
    },
    { error: 'a string', status: 500, retry: undefined, note: 'a thrown string', body: { code: 'error_interno' } },
  ])('[ERR-01] is returned without internal details: $note', async ({ error, status, retry, body }) => {
    const { http } = await startFakeServer({
      handlers: {
        getCountries: async () => {
          throw error;
        },
      },
    });
    const response = await http.inject('/rest/paises/');
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject(body);
    expect(response.headers['retry-after']).toBe(retry);
    expect(response.body).not.toMatch(/stack|node_modules|\.ts:|secret detail/);
  });
});

test('[CFG-03] operation without a payload accepts an empty body of any content type, and otherwise only JSON', async () => {
  const { http, called } = await startFakeServer();
  const url = '/rest/ciudadanos/elevarse_a_intermedio_con_videollamada/';
  const ask = (headers: Record<string, string>, payload?: string) =>
    http.inject({
      method: 'POST',
      url,
      headers: { authorization: 'Bearer citizen', ...headers },
      ...(payload !== undefined && { payload }),
    });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const empty: readonly Record<string, string>[] = [{}, { 'content-length': '0' }, json, form];
  for (const headers of empty) expect((await ask(headers)).statusCode, JSON.stringify(headers)).toBe(200);
  expect((await ask(json, '{}')).statusCode).toBe(200);
  expect(called).toHaveLength(5);
  expect((await ask(json, '{"a":1}')).json()).toMatchObject({ code: 'datos_invalidos', field: 'a' });
  expect((await ask(form, 'a=1')).statusCode).toBe(415);
  expect((await ask({ 'content-type': 'text/plain' }, '{}')).statusCode).toBe(415);
  expect(
    (await http.inject({ method: 'POST', url: '/account/activate_account/' })).statusCode,
    'operation with a payload',
  ).toBe(415);
});

test('request with two Host headers is rejected at a page, an operation and /healthz', async () => {
  const { http, called } = await startFakeServer();
  await http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.server.address() as AddressInfo; // `address()` returns an `AddressInfo` for a server that listens on a port
  const statusOf = async (hosts: readonly string[], path: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `GET ${path} HTTP/1.1\r\n${hosts.map((host) => `Host: ${host}\r\n`).join('')}Connection: close\r\n\r\n`,
    );
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    return answer.split(' ', 2)[1] ?? '';
  };
  for (const path of ['/', '/rest/paises/', '/healthz']) {
    expect(await statusOf(['localhost:3000', 'evil.example'], path)).toBe('400');
    expect(await statusOf(['localhost:3000', 'localhost:3000'], path)).toBe('400');
  }
  expect(called).toEqual([]);
  expect(await statusOf(['localhost:3000'], '/rest/paises/')).toBe('200');
  await http.close();
});
