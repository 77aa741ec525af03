import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { apiContract } from '../../../src/contract/contract.ts';
import { startFakeServer } from '../support/fake-server.ts';

const pageOf = (html: string) => JSON.parse(/id="page">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null');

describe('pages', async () => {
  const { http, called } = await startFakeServer();

  test.each([
    { url: '/', status: 200, note: 'home' },
    { url: '/registro', status: 200, note: 'a route' },
    { url: '/registro/', status: 200, note: 'a trailing slash' },
    { url: '/registro?uuid=1', status: 200, note: 'a query' },
    { url: '/contrase%C3%B1a/restablecer', status: 200, note: 'ñ encoded' },
    { url: '/contrasen%CC%83a/restablecer', status: 200, note: 'ñ as two code points' },
    { url: '/nada', status: 404, note: 'an unknown path' },
    { url: '/*', status: 404, note: 'the name of the not-found route' },
    { url: '/registro%00', status: 400, note: 'a NUL' },
    { url: '/registro?uuid=%00', status: 400, note: 'a NUL in the query' },
    { url: '/registro?%08=1', status: 400, note: 'a control character in a query name' },
    { url: '/registro?mensaje=uno%0D%0A%09dos', status: 200, note: 'line breaks in the query' },
    { url: '/Registro', status: 404, note: 'a path in another case' },
    { url: '/schemas/README.md', status: 404, note: 'a document beside the definitions' },
    { url: '/..%2f..%2fetc%2fpasswd', status: 404, note: 'a path traversal' },
    { url: '/%E0%A4%A', status: 400, note: 'malformed percent-encoding' },
    { url: '/%ED%A0%80', status: 400, note: 'a lone surrogate' },
    { url: '/%', status: 400, note: 'a lone percent sign' },
  ])('[RUTA-04 RUTA-05] return $status as HTML for $note', async ({ url, status }) => {
    const response = await http.inject(url);
    expect(response.statusCode).toBe(status);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.headers['content-security-policy']).toMatch(/^default-src 'none'/);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.body).toContain('<html lang="es">');
  });

  test('contain their configuration, manifest, data and module preloads', async () => {
    const { body } = await http.inject('/registro');
    expect(pageOf(body)).toMatchObject({
      language: 'es',
      manifest: { version: 'v1' },
      config: { brand: { country: 'Uruguay' }, flags: { ayuda: true } },
      data: { getCountries: [{ codigo: 'x', nombre: 'x', documentos: [{ tipo_documento: { codigo: 'x' } }] }] },
    });
    expect(body).toContain('<link rel="modulepreload" href="/definitions/flow-registro.abc.js">');
    expect(body).toContain('<link rel="modulepreload" href="/definitions/registro.es.abc.js">');
    expect(body).toContain('<link rel="modulepreload" href="/assets/screen.js">');
    expect((await http.inject('/')).body).not.toContain('/assets/screen.js');
  });

  test.each([
    { url: '/registro?lang=pt', headers: {}, language: 'pt', note: '?lang' },
    { url: '/registro?lang=es', headers: { 'accept-language': 'pt' }, language: 'es', note: '?lang before the header' },
    { url: '/registro', headers: { cookie: 'language=pt' }, language: 'pt', note: 'the cookie' },
    { url: '/registro', headers: { 'accept-language': 'pt-BR' }, language: 'pt', note: 'the header' },
    { url: '/registro?lang=%3Cscript%3E', headers: { cookie: 'language=xx' }, language: 'es', note: 'the default' },
  ])('[CFG-02] are in the language $language because of $note', async ({ url, headers, language }) => {
    const { body } = await http.inject({ url, headers });
    expect(body).toContain(`<html lang="${language}">`);
    expect(pageOf(body).manifest.screens.registro.url).toBe(`/definitions/registro.${language}.abc.js`);
  });

  test('return only the headers for HEAD, and change nothing', async () => {
    called.length = 0;
    const response = await http.inject({ method: 'HEAD', url: '/registro?uuid=1' });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(response.headers['set-cookie']).toBeUndefined();
    expect(called.filter((name) => name !== 'getCountries')).toEqual([]);
  });

  test('have a policy without unsafe sources, and a new nonce in each response', async () => {
    const responses = [await http.inject('/'), await http.inject('/')];
    const policies = responses.map((response) => String(response.headers['content-security-policy']));
    const nonces = policies.map((policy) => /'nonce-([^']+)'/.exec(policy)?.[1] ?? '');
    expect(policies[0]).not.toContain('unsafe');
    const directives = String(policies[0]).split('; ');
    for (const directive of ['default-src', 'base-uri', 'frame-ancestors'])
      expect(directives).toContain(`${directive} 'none'`);
    for (const directive of ['form-action', 'connect-src', 'worker-src'])
      expect(directives).toContain(`${directive} 'self'`);
    expect(policies[0]).toContain("require-trusted-types-for 'script'");
    const [, inline = ''] = /<script id="first-script"[^>]*>(.*?)<\/script>/s.exec(responses[0]?.body ?? '') ?? [];
    const hash = createHash('sha256').update(inline).digest('base64');
    expect(inline).not.toBe('');
    expect(policies[0]).toContain(`script-src 'self' 'sha256-${hash}';`);
    expect(nonces[0]).not.toBe(nonces[1]);
    expect(responses[0]?.body).toContain(`<meta property="csp-nonce" nonce="${nonces[0]}">`);
    expect(responses[0]?.body).not.toContain('__');
  });

  test.each(['/', '/rest/paises/', '/nada', '/%', '/auth/logout', '/definitions/manifest.json'])(
    'have the security headers at %s, like other responses',
    async (url) => {
      const { headers } = await http.inject(url);
      expect(headers).toMatchObject({
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
        'permissions-policy': expect.stringContaining('geolocation=()'),
      });
      expect(headers['strict-transport-security']).toBeUndefined();
    },
  );

  test.each([
    ['off', 'max-age=63072000; includeSubDomains'],
    ['on', 'max-age=63072000; includeSubDomains; preload'],
  ])('[ASVS-3.7.4] have the HSTS header for HSTS_PRELOAD=%s', async (HSTS_PRELOAD, header) => {
    const { http } = await startFakeServer({
      env: {
        BASE_URL: 'https://portal.example',
        MALWARE_SCANNER: 'none',
        SMTP_URL: 'smtps://mail.example',
        HSTS_PRELOAD,
      },
    });
    expect((await http.inject('/')).headers['strict-transport-security']).toBe(header);
  });

  test('have HSTS and the hosts of the operations from the configuration', async () => {
    const server = await startFakeServer({
      env: {
        BASE_URL: 'https://portal.example',
        MALWARE_SCANNER: 'none',
        SMTP_URL: 'smtps://mail.example',
        BACKEND_URL: 'https://api.example',
      },
    });
    const { headers } = await server.http.inject('/');
    expect(headers['strict-transport-security']).toMatch(/max-age=\d+/);
    expect(headers['content-security-policy']).toContain("connect-src 'self' https://api.example;");
  });

  test('[SES-03] ask before a link of another site signs a citizen out, whichever host has the session cookie', async () => {
    const { http: apart } = await startFakeServer({ env: { BROKER_URL: 'http://127.0.0.1:3000' } });
    const ask = (server: typeof http, from: string, cookie?: string) =>
      server.inject({
        url: '/logout-process',
        headers: { 'sec-fetch-site': from, ...(cookie !== undefined && { cookie }) },
      });
    const question = '¿Querés cerrar sesión?';
    expect((await ask(http, 'cross-site', 'portal-session=x')).body).toContain(question);
    expect((await ask(http, 'cross-site')).body).not.toContain(question);
    expect((await ask(apart, 'cross-site')).body).toContain(question);
    expect((await ask(apart, 'same-origin')).body).not.toContain(question);
  });

  test('escape the texts of the configuration and of the title', async () => {
    const server = await startFakeServer({
      prerender: async () => ({ html: '', styles: '', title: '</title><script>x</script>$&', isWhole: false }),
      env: { BRAND_PRODUCT: '</script><script>alert(1)</script>' },
    });
    const { body } = await server.http.inject('/registro');
    expect(body.match(/<script/g)).toHaveLength(3); // the template's script, the first script of the portal, and the page data
    expect(pageOf(body).config.brand.product).toBe('</script><script>alert(1)</script>');
  });

  test.each(['development', 'production'])(
    '[ANA-02] contain the problems of the definitions only in development: %s',
    async (mode) => {
      const problem = {
        file: 'schemas/x/ui.json',
        line: 3,
        column: 5,
        pointer: '/title',
        message: 'Missing.',
        hint: 'Add it.',
      };
      const server = await startFakeServer({ env: { NODE_ENV: mode }, problems: [problem] });
      const { problems } = pageOf((await server.http.inject('/registro')).body);
      expect(problems).toEqual(mode === 'development' ? ['schemas/x/ui.json:3:5 Missing. Add it.'] : undefined);
    },
  );

  test('[ANA-02] contain the current problems of the definitions although pages are cached', async () => {
    const [one, other] = ['Missing.', 'Wrong.'].map((message) => ({
      file: 'schemas/x/ui.json',
      line: 3,
      column: 5,
      pointer: '',
      message,
      hint: '',
    }));
    const problems: NonNullable<typeof one>[] = [];
    const prerender = async () => ({ html: '<h1>x</h1>', styles: '', title: null, isWhole: false });
    const server = await startFakeServer({ env: { NODE_ENV: 'development' }, problems, prerender });
    const shown = async () => pageOf((await server.http.inject('/registro')).body).problems;
    expect(await shown()).toBeUndefined();
    for (const problem of [one, other]) {
      problems.splice(0, 1, problem!);
      expect(await shown()).toEqual([expect.stringContaining(problem!.message)]);
    }
  });

  test('are served without the data of an operation that fails', async () => {
    const server = await startFakeServer({
      handlers: {
        getCountries: async () => {
          throw new Error('down');
        },
      },
    });
    const response = await server.http.inject('/registro');
    expect([response.statusCode, pageOf(response.body).data]).toEqual([200, {}]);
  });
});

describe('definition modules', async () => {
  const { http } = await startFakeServer();
  const url = '/definitions/registro.es.abc.js';

  test.each([
    { accept: 'gzip, br', encoding: 'br', read: brotliDecompressSync },
    { accept: 'gzip', encoding: 'gzip', read: gunzipSync },
    { accept: 'br;q=0, gzip;q=0.0', encoding: undefined, read: (body: Buffer) => body },
  ])('are cached forever, and compressed as $accept allows', async ({ accept, encoding, read }) => {
    const response = await http.inject({ url, headers: { 'accept-encoding': accept } });
    expect(response.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
    });
    expect(response.headers['content-encoding']).toBe(encoding);
    expect(read(response.rawPayload).toString()).toBe('export default 1;');
  });

  test('have a manifest in each language, which is not cached', async () => {
    const response = await http.inject('/definitions/manifest.json?lang=pt');
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.json().screens.registro.url).toBe('/definitions/registro.pt.abc.js');
  });
});

describe('desk pages', async () => {
  const routes = [
    { path: '/agentes', flow: 'desk', state: 'dia', block: 'x', access: 'agent', chrome: 'full' },
  ] as const;
  const options = { routes };
  const { http } = await startFakeServer(options);
  const split = await startFakeServer({ ...options, env: { AGENTS_HOST: 'http://agentes.localhost:3000' } });
  const plain = ({ statusCode, body, headers }: Awaited<ReturnType<typeof http.inject>>) => ({
    statusCode,
    body: body.replaceAll(/nonce="[^"]*"/g, ''),
    location: headers.location,
  });
  const agent = { cookie: 'portal-session=attendant' };
  const citizen = { cookie: 'portal-session=somebody' };

  test('[DESK-01] exist only for the session of an agent, and are an unknown address for others', async () => {
    expect(plain(await http.inject({ url: '/agentes', headers: citizen }))).toEqual(
      plain(await http.inject({ url: '/agentez', headers: citizen })),
    );
    expect((await http.inject('/agentes')).statusCode).toBe(404);
    const shown = await http.inject({ url: '/agentes', headers: agent });
    expect(shown.statusCode).toBe(200);
    expect(shown.body).toContain('data-entry="desk"');
    const { manifest } = pageOf(shown.body);
    expect(manifest.routes.map(({ path }: { path: string }) => path)).toEqual(['/agentes']);
    const home = await http.inject({ url: '/', headers: agent });
    expect(home.body).not.toContain('/agentes');
    expect(home.body, 'the page of a citizen has no script of the desk').not.toContain('data-entry="desk"');
    expect((await http.inject('/definitions/agentes.json')).statusCode).toBe(404);
    expect((await http.inject({ url: '/definitions/agentes.json', headers: agent })).statusCode).toBe(200);
    expect((await http.inject('/definitions/manifest.json')).body).not.toContain('/agentes');
  });

  test('[CFG-03 DESK-01] have their operations in the OpenAPI description only on the desk host', async () => {
    const desk = apiContract.getDesk.path.replace(/:(\w+)/g, '{$1}');
    const describedAt = async (server: typeof http, host: string) =>
      (await server.inject({ url: '/openapi.json', headers: { host } })).json();
    expect((await describedAt(http, 'localhost:3000')).paths).toHaveProperty([desk]);
    expect((await describedAt(split.http, 'localhost:3000')).paths).not.toHaveProperty([desk]);
    const own = await describedAt(split.http, 'agentes.localhost:3000');
    expect(own.paths).toHaveProperty([desk]);
    expect(own.servers).toEqual([{ url: 'http://agentes.localhost:3000' }]);
  });

  test('[DESK-01] redirect to the sign-in with their own address if the session of an agent has ended', async () => {
    const former = { cookie: 'portal-session=former' };
    const { statusCode, headers: answered } = await http.inject({ url: '/agentes', headers: former });
    expect([statusCode, answered.location]).toEqual([303, '/login?agnt=1&redirectUrl=%2Fagentes&forceLogin=True']);
    expect((await http.inject({ url: '/nada', headers: former })).statusCode).toBe(404);
  });

  test('[DESK-01] exist only on the desk host if there is one, which has no page for citizens', async () => {
    const at = (host: string, url: string, headers = {}) =>
      split.http.inject({ url, headers: { host, ...headers } }).then(plain);
    const desk = 'agentes.localhost:3000';
    expect((await at('localhost:3000', '/agentes', agent)).statusCode).toBe(404);
    expect((await at(desk, '/agentes', agent)).statusCode).toBe(200);
    expect(await at(desk, '/', agent)).toMatchObject({ statusCode: 303, location: '/agentes' });
    expect(await at(desk, '/registro')).toEqual(await at(desk, '/agentes'));
    expect((await at(desk, '/nada')).location).toMatch(/^\/login\?.*agnt=1/);
    expect((await at('localhost:3000', '/registro')).statusCode).toBe(200);
  });

  test('[DESK-01] are not opened on another host by X-Forwarded-Host', async () => {
    const proxied = await startFakeServer({
      ...options,
      env: { AGENTS_HOST: 'http://agentes.localhost:3000', TRUST_PROXY: 'loopback' },
    });
    const headers = { host: 'localhost:3000', 'x-forwarded-host': 'agentes.localhost:3000' };
    expect((await proxied.http.inject({ url: '/agentes', headers: { ...headers, ...agent } })).statusCode).toBe(404);
    const bearer = { ...headers, authorization: 'Bearer attendant' };
    expect((await proxied.http.inject({ url: apiContract.getDesk.path, headers: bearer })).statusCode).toBe(404);
  });

  test('[CFG-03 DESK-01] call the operations on the desk host, which the pages of citizens cannot call', async () => {
    const [portal, desk] = ['https://mi.gub.uy', 'https://agentes.mi.gub.uy'];
    const hosts = { BACKEND_URL: 'https://api.mi.gub.uy', BROKER_URL: 'https://entrar.mi.gub.uy' };
    const env = {
      BASE_URL: portal,
      MALWARE_SCANNER: 'none',
      SMTP_URL: 'smtp://127.0.0.1:9',
      AGENTS_HOST: desk,
      ...hosts,
    };
    const { http: apart } = await startFakeServer({ ...options, env });
    const signedIn = { cookie: `__Host-${agent.cookie}` };
    const at = (origin: string, url: string, headers = {}) =>
      apart.inject({ url, headers: { host: new URL(origin).host, ...headers } });
    const page = await at(desk, '/agentes', signedIn);
    expect(pageOf(page.body).config.hosts).toEqual({ backend: '', broker: hosts.BROKER_URL });
    expect(page.headers['content-security-policy']).toContain(`connect-src 'self' ${hosts.BROKER_URL};`);
    expect((await at(desk, apiContract.getDesk.path, { authorization: 'Bearer attendant' })).statusCode).toBe(200);
    expect(
      (await at(hosts.BACKEND_URL, apiContract.getDesk.path, { authorization: 'Bearer attendant' })).statusCode,
    ).toBe(404);
    const { path } = apiContract.obtainToken;
    const asked = await at(desk, path, { origin: portal, ...signedIn });
    expect([asked.statusCode, asked.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    const before = await apart.inject({
      method: 'OPTIONS',
      url: path,
      headers: { host: new URL(desk).host, origin: portal },
    });
    expect(before.headers).not.toHaveProperty('access-control-allow-origin');
    expect((await at(portal, '/v1.1/idp/metadata')).statusCode).toBe(200);
    expect((await at(desk, '/v1.1/idp/metadata')).statusCode, 'no SAML metadata on the host of the desk').toBe(404);
    for (const origin of [portal, desk])
      expect((await at(hosts.BROKER_URL, path, { origin })).headers['access-control-allow-origin']).toBe(origin);
  });
});
