import { describe, expect, test } from 'vitest';
import {
  resolveAuditActorRole,
  createInternalChangeOrigin,
  type ChangeOrigin,
} from '../../../src/server/platform/base/change-origin.ts';
import { OperationError } from '../../../src/server/platform/base/errors.ts';
import { startFakeServer } from '../support/fake-server.ts';

const readAnswers = (log: string) =>
  log
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'answered');

const json = { 'content-type': 'application/json' };

describe('HTTP server', () => {
  test('[ENT-01] sends only declared fields', async () => {
    const { http } = await startFakeServer({
      handlers: { obtainToken: async () => ({ body: { token: 't', password_hash: 'h' }, status: 201 }) },
    });
    const response = await http.inject('/jwt/obtain/');
    expect([response.statusCode, response.json()]).toEqual([201, { token: 't' }]);
  });

  const bearer = (role: string) => ({ authorization: `Bearer ${role}` });
  test.each([
    { note: '401', request: '/rest/ciudadanos/c-1/', headers: {}, status: 401, code: 'no_autenticado' },
    {
      note: '404 of another id',
      request: '/rest/ciudadanos/c-2/',
      headers: bearer('citizen'),
      status: 404,
      code: 'no_encontrado',
      account: 'c-1',
    },
    {
      note: '404 of the desk',
      request: '/rest/agentes/llamadas/',
      headers: bearer('citizen'),
      status: 404,
      code: 'no_encontrado',
      account: 'c-1',
    },
    {
      note: '403',
      request: '/rest/info-dnic/',
      headers: bearer('citizen'),
      status: 403,
      code: 'sin_permiso',
      account: 'c-1',
    },
    {
      note: '[ASVS-16.3.3] 429',
      request: '/rest/paises/',
      headers: bearer('citizen'),
      status: 429,
      code: 'demasiados_intentos',
      account: 'c-1',
    },
    {
      note: '[ASVS-16.3.3] a foreign origin',
      request: '/jwt/obtain/',
      headers: { cookie: 'session=x', origin: 'https://evil.example' },
      status: 403,
      code: 'origen_no_permitido',
    },
  ])(
    '[ASVS-16.3.2] logs a request refused with $note with its account and its network',
    async ({ request: url, headers, status, code, account }) => {
      const { http, log } = await startFakeServer({
        count: async () => {
          throw new OperationError(429, 'demasiados_intentos');
        },
      });
      const response = await http.inject({ url, headers, remoteAddress: '190.64.12.34' });
      expect(response.statusCode).toBe(status);
      const [line] = readAnswers(log());
      expect(line).toMatchObject({ status, code, network: '190.64.x.x' });
      expect(line?.['account']).toBe(account);
    },
  );

  test('[ASVS-16.2.1 ASVS-16.3.2] logs an accepted request with account and network if the caller is signed in', async () => {
    const { http, log } = await startFakeServer({
      handlers: {
        getApplications: async () => ({ body: [] }),
        obtainToken: async () => ({ body: { token: 't' } }),
      },
    });
    const remoteAddress = '190.64.12.34';
    await http.inject({ url: '/rest/aplicaciones/', headers: bearer('citizen'), remoteAddress });
    await http.inject({ url: '/jwt/obtain/', remoteAddress });
    const [signedIn, anonymous] = readAnswers(log());
    expect(signedIn).toMatchObject({ path: '/rest/aplicaciones/', status: 200, account: 'c-1', network: '190.64.x.x' });
    expect(anonymous).not.toHaveProperty('account');
    expect(anonymous).not.toHaveProperty('network');
  });

  const violation = { 'effective-directive': 'script-src-elem', 'blocked-uri': 'https://evil.example/x?d=45123784' };
  const page = 'https://portal.example/registro/45123784?token=secreto';
  const report = (type: string, body: object) =>
    ({
      method: 'POST',
      url: '/csp-reports',
      headers: { 'content-type': type },
      payload: JSON.stringify(body),
    }) as const;
  test.each([
    report('application/csp-report', { 'csp-report': { ...violation, 'document-uri': page } }),
    report('application/reports+json', [
      {
        type: 'csp-violation',
        body: { effectiveDirective: 'script-src-elem', blockedURL: violation['blocked-uri'], documentURL: page },
      },
    ]),
  ])('[ASVS-3.4.7] logs a reported violation of the page policy without personal data (format %#)', async (request) => {
    const { http, log } = await startFakeServer({});
    const { headers } = await http.inject('/');
    expect(headers['content-security-policy']).toMatch(/; report-uri \/csp-reports; report-to csp$/);
    expect(headers['reporting-endpoints']).toBe('csp="/csp-reports"');
    expect((await http.inject(request)).statusCode).toBe(204);
    const line = readAnswers(log()).at(-1);
    expect(line).toMatchObject({ code: 'csp-violation', network: '127.0.x.x' });
    expect(line?.['reason']).toBe('script-src-elem https://evil.example at /registro/******');
    expect(log()).not.toMatch(/45123784|secreto/);
  });

  test('[ASVS-3.4.7] rejects more than 60 violation reports a minute, and logs no malformed report', async () => {
    let now = new Date('2026-11-28T12:00:00Z');
    const { http, log } = await startFakeServer({ now: () => now });
    for (const body of [[], [1, { body: 'x' }], { 'csp-report': null }])
      expect((await http.inject(report('application/reports+json', body))).statusCode).toBe(204);
    expect(readAnswers(log()).filter(({ code }) => code !== undefined)).toEqual([]);
    expect((await http.inject({ method: 'POST', url: '/csp-reports', payload: 'x' })).statusCode).toBe(415);
    const many = () => Promise.all(Array.from({ length: 60 }, () => http.inject(report('application/csp-report', {}))));
    expect((await many()).filter(({ statusCode }) => statusCode === 429)).toHaveLength(4);
    now = new Date('2026-11-28T12:01:00Z');
    expect((await many()).filter(({ statusCode }) => statusCode === 429)).toEqual([]);
  });

  test.each([
    ['127.0.0.1', true],
    ['10.42.0.7', true],
    ['fd00::7', true],
    ['190.64.12.34', false],
    ['2800:a4::1', false],
  ])('[ASVS-13.4.6] shows to %s the release of the definitions: %s', async (remoteAddress, isTold) => {
    const { http } = await startFakeServer({});
    const ready = (await http.inject({ url: '/readyz', remoteAddress })).json();
    expect(Object.keys(ready)).toEqual(isTold ? ['status', 'definitions'] : ['status']);
  });

  test('[ASVS-13.4.5] describes the desk operations on no public host that citizens use', async () => {
    const open = { BASE_URL: 'https://portal.example.uy', MALWARE_SCANNER: 'none', SMTP_URL: 'smtps://mail.example' };
    const listDesk = async (env: Record<string, string>, host: string) => {
      const { http } = await startFakeServer({ env });
      const { paths } = (await http.inject({ url: '/openapi.json', headers: { host } })).json();
      return Object.keys(paths).filter((path) => path.startsWith('/rest/agentes/')).length;
    };
    expect(await listDesk(open, 'portal.example.uy')).toBe(0);
    const apart = { ...open, AGENTS_HOST: 'https://agentes.portal.example.uy' };
    expect(await listDesk(apart, 'portal.example.uy')).toBe(0);
    expect(await listDesk(apart, 'agentes.portal.example.uy')).toBeGreaterThan(10);
  });

  test('completes the work after a response before it closes', async () => {
    const order: string[] = [];
    const after = async (): Promise<void> => {
      order.push('after');
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push('done');
    };
    const { http } = await startFakeServer({ handlers: { getCountries: async () => ({ body: [], after }) } });
    const base = await http.listen({ port: 0 });
    await (await fetch(`${base}/rest/paises/`)).json();
    order.push('answered');
    await http.close();
    expect(order.at(-1)).toBe('done');
    expect(order).toContain('after');
  });

  test('logs failed work after a response without failing the response', async () => {
    const { http, log } = await startFakeServer({
      handlers: {
        getCountries: async () => ({
          body: [],
          after: async () => {
            throw new Error('mail down');
          },
        }),
      },
    });
    expect((await http.inject('/rest/paises/')).statusCode).toBe(200);
    await http.close();
    expect(log()).toContain('mail down');
  });

  test('passes the declared query, the address, the language and the request id to the handler', async () => {
    let seen: unknown;
    const { http } = await startFakeServer({
      env: { TRUST_PROXY: 'loopback' },
      handlers: { getCountries: async (request) => ((seen = request), { body: [] }) },
    });
    await http.inject({
      url: '/rest/paises/?x=1',
      headers: { 'accept-language': 'pt', 'x-request-id': 'request-0001', 'user-agent': 'Browser/1' },
    });
    expect(seen).toEqual({
      params: {},
      query: {},
      body: {},
      cookies: {},
      caller: null,
      origin: {
        by: { citizenId: null },
        address: '127.0.0.1',
        language: 'pt',
        requestId: 'request-0001',
        userAgent: 'Browser/1',
      },
    });
  });

  test.each([
    { given: 'abcdefgh-1', proxy: 'loopback', kept: true, note: 'from a trusted proxy' },
    { given: 'abcdefgh-1', proxy: '1', kept: true, note: 'from the only proxy in front' },
    { given: 'abcdefgh-1', proxy: 'off', kept: false, note: 'from an untrusted client' },
    { given: 'abcdefgh-1', proxy: '10.0.0.5', kept: false, note: 'from another address than the proxy' },
    { given: 'x', proxy: 'loopback', kept: false, note: 'too short' },
    { given: 'a b"\u00e9<script>', proxy: 'loopback', kept: false, note: 'with foreign characters' },
    { given: 'a'.repeat(100), proxy: 'loopback', kept: false, note: 'too long' },
  ])('reuses the request id of a client ($note): $kept', async ({ given, proxy, kept }) => {
    const { http } = await startFakeServer({ env: { TRUST_PROXY: proxy } });
    const { headers } = await http.inject({ url: '/healthz', headers: { 'x-request-id': given } });
    expect(headers['x-request-id'] === given).toBe(kept);
    expect(headers['x-request-id']).toMatch(/^[\w.-]{8,64}$/);
  });

  test('reports health and readiness', async () => {
    const { http } = await startFakeServer();
    expect((await http.inject('/healthz')).json()).toEqual({ status: 'ok', lag_ms: expect.any(Number) });
    expect((await http.inject('/readyz')).json()).toEqual({ status: 'ready', definitions: 'v1' });
  });
});

describe('server log', () => {
  const secrets = [
    'hunter2-password',
    'bearer-secret',
    'cookie-secret',
    'uuid-secret',
    '12345672',
    'set-secret',
    '1.234.567-2',
  ];

  test('[SES-02] contains no body, header, cookie, query value or document number', async () => {
    const fault = Object.assign(new Error('Key (numero_documento)=(12345672) and 1.234.567-2'), {
      detail: 'hunter2-password',
    });
    const { http, log } = await startFakeServer({
      handlers: {
        answerChallenge: async () => {
          throw fault;
        },
        logout: async () => ({
          body: { logout_urls: [], location: '/', wait_longer: false },
          cookies: { session: { value: 'set-secret', maxAge: 1 } },
        }),
      },
    });
    const headers = { ...json, authorization: 'Bearer bearer-secret', cookie: 'portal-session=cookie-secret' };
    const payload = { challenge: 'username', data_challenge: { password: 'hunter2-password', username: '12345672' } };
    await http.inject({ method: 'POST', url: '/auth/login?uuid=uuid-secret', headers, payload });
    await http.inject({ method: 'POST', url: '/auth/logout', headers, payload: {} });
    await http.inject({ url: '/registro/activar-cuenta?uuid=uuid-secret', headers });
    await http.inject({ url: '/algo/12345672', headers });
    http.log.info({ password: 'hunter2-password', req: { headers } }, 'careless line');
    expect(log()).toContain('"path":"/auth/login"');
    expect(log()).toContain('operation failed');
    for (const secret of secrets) expect(log()).not.toContain(secret);
  });
});

test('[SEG-04] actor of a request is its citizen, also after the response, and is unidentified for other accounts', async () => {
  const told: object[] = [];
  const tell = (origin: ChangeOrigin) =>
    void told.push({ actor: resolveAuditActorRole(origin, 'c-1'), userAgent: origin.userAgent });
  const { http } = await startFakeServer({
    handlers: {
      getCountries: async ({ origin }) => {
        tell(origin);
        return { body: [], after: async () => tell(origin) };
      },
    },
  });
  const address = await http.listen({ port: 0 });
  for (const headers of [
    { authorization: 'Bearer citizen', 'user-agent': 'a' },
    { authorization: 'Bearer agent', 'user-agent': 'b' },
  ])
    await fetch(`${address}/rest/paises/`, { headers });
  await http.close();
  expect(told.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual([
    { actor: 'citizen', userAgent: 'a' },
    { actor: 'citizen', userAgent: 'a' },
    { actor: 'unidentified', userAgent: 'b' },
    { actor: 'unidentified', userAgent: 'b' },
  ]);
  expect(resolveAuditActorRole(createInternalChangeOrigin('system', 'purge'), 'c-1')).toBe('system');
});
