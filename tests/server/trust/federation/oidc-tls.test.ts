import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClientValidator } from '../../../../src/server/trust/federation/oidc/provider-configuration.ts';
import { samlPaths } from '../../../../src/server/trust/federation/saml/saml-constants.ts';
import { createBrazilEntry, writeProvidersFile } from '../../support/test-issuer.ts';
import { createSamlProvider } from '../../support/saml-identity-provider.ts';
import { openBrowser } from '../../support/browser.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';

let server: LiveServer;
let address: string;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tls-'));
  const metadata = join(folder, 'idp.xml');
  await writeFile(metadata, (await createSamlProvider('https://idp.example/metadata')).metadata);
  server = await startLiveServer({
    BASE_URL: 'https://portal.example',
    MALWARE_SCANNER: 'none',
    SMTP_URL: 'smtp://127.0.0.1:9',
    FLAGS: 'ci_electronica=on',
    BACKCHANNEL_PRIVATE: 'on',
    NODE_ENV: 'test',
    IDPS_FILE: writeProvidersFile([
      createBrazilEntry('https://br.example', { logo: '/otro.svg' }),
      { ...createBrazilEntry(''), oidc: undefined, identificador: 'cl', saml: { metadata } },
    ]),
  });
  await server.register({
    id: 'app',
    name: 'App',
    redirectUris: ['https://rp.example/cb'],
    legacy: true,
    legacyUntil: '2099-12-31',
  });
  address = `http://127.0.0.1:${server.parts.config.port}`;
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

describe('portal behind TLS', () => {
  const query = new URLSearchParams({
    response_type: 'code',
    scope: 'openid',
    client_id: 'app',
    redirect_uri: 'https://rp.example/cb',
    state: 's',
  });

  test.each(['GET', 'POST'])(
    '[SES-08] sets Secure and HttpOnly cookies without a domain for a %s authorization request, and ignores X-Forwarded-Host',
    async (method) => {
      const request = { redirect: 'manual', headers: { 'x-forwarded-host': 'evil.example' } } as const;
      let target = `/oidc/v1/authorize?${query}`;
      if (method === 'POST') {
        const posted = await fetch(`${address}/oidc/v1/authorize`, { ...request, method, body: query });
        expect(posted.status).toBe(303);
        expect(posted.headers.getSetCookie()).toEqual([]);
        target = posted.headers.get('location') ?? '';
      }
      const response = await fetch(address + target, request);
      expect(response.headers.get('location')).toMatch(/^\/login\?process_state=/);
      const cookies = response.headers.getSetCookie();
      expect(cookies).toHaveLength(1);
      for (const cookie of cookies) {
        expect(cookie).toMatch(/^__Host-portal-/);
        expect(cookie).toMatch(/; secure/i);
        expect(cookie).toMatch(/; httponly/i);
        expect(cookie).not.toContain('domain=');
      }
    },
  );

  test('[ASVS-3.3.3] answers a posted authorization request of another site with the same request as GET, without a cookie', async () => {
    const post = async (body: string, type = 'application/x-www-form-urlencoded') => {
      const init = { method: 'POST', redirect: 'manual', headers: { 'content-type': type }, body } as const;
      const { status, headers } = await fetch(`${address}/oidc/v1/authorize?ignored=1`, init);
      expect(headers.getSetCookie()).toEqual([]);
      return { status, location: headers.get('location') };
    };
    expect(await post(`${query}&state=a%20b`)).toEqual({
      status: 303,
      location: `/oidc/v1/authorize?${query}&state=a+b`,
    });
    const odd = 'state=1&state=2&nonce=\r\nset-cookie:x&login_hint=ñ&empty';
    const { location } = await post(odd);
    expect([...new URL(location ?? '', address).searchParams]).toEqual([...new URLSearchParams(odd)]);
    expect(await post('{"client_id":"app"}', 'application/json')).toEqual({
      status: 303,
      location: '/oidc/v1/authorize?',
    });
    // 12 kB as a form, but longer in a URL
    expect(await post(`${query}&login_hint=${'ñ'.repeat(3 * 1024)}`)).toMatchObject({ status: 413 });
  });

  test('[ASVS-3.3.3] discards at most fifteen cookies of pending requests per response', async () => {
    const cookie = Array.from({ length: 40 }, (_, index) => `__Host-portal-resume-${index}=x`).join('; ');
    const response = await fetch(`${address}/oidc/v1/authorize?${query}`, { redirect: 'manual', headers: { cookie } });
    const set = response.headers.getSetCookie();
    expect(set).toHaveLength(1 + 15);
    expect(set.slice(0, 15).map((line) => line.split('=')[0])).toEqual(
      Array.from({ length: 15 }, (_, index) => `__Host-portal-resume-${index}`),
    );
  });

  test('[SES-08] rejects a posted authorization request that is longer than the limit or has no known length, and stores nothing', async () => {
    const post = async (body: BodyInit, init: RequestInit & { duplex?: 'half' } = {}) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const url = `${address}/oidc/v1/authorize`;
      const response = await fetch(url, { method: 'POST', redirect: 'manual', headers, body, ...init });
      return response.status;
    };
    const long = (length: number) => `${query}&login_hint=${'x'.repeat(length)}`;
    const stored = () => server.parts.store.db.selectFrom('oidc_records').select('id').execute();
    const before = (await stored()).length;
    expect(await post(long(12 * 1024))).toBe(413);
    expect(await post(new Blob([long(10)]).stream(), { duplex: 'half' }), 'body of unknown length').toBe(413);
    expect(await stored()).toHaveLength(before);
    expect(await post(long(10 * 1024))).toBe(303);
  });

  test('[ASVS-3.3.3] sets only __Host- cookies, also when a request ends', async () => {
    const browser = openBrowser(address);
    const begun = await browser.get(`/oidc/v1/authorize?${query}`);
    const state = new URL(begun.headers.get('location') ?? '', address).searchParams.get('process_state');
    const cancelled = await browser.get(`/auth/cancel-login?process_state=${state}`);
    const ended = await browser.get(cancelled.headers.get('location') ?? '');
    expect(ended.headers.get('location')).toContain('error=access_denied');
    const set = [begun, ended].map(({ headers }) => headers.getSetCookie());
    expect(set.map(({ length }) => length)).toEqual([1, 1]);
    for (const cookie of set.flat()) {
      expect(cookie).toMatch(/^__Host-portal-resume-[\w-]{43}=[^;]*; path=\/;/);
      expect(cookie).toMatch(/; secure/i);
    }
    expect([...browser.cookies.keys()]).toEqual([]);
  });

  describe('[ASVS-11.2.3] RSA keys of clients', () => {
    const short = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
    const large = createPrivateKey(readFileSync(join(import.meta.dirname, '../../support/keys/signing.pem')));
    const jwkOf = (key = short) => ({ ...createPublicKey(key).export({ format: 'jwk' }), kty: 'RSA', kid: 'one' });
    const client = (changes: object) => ({
      ...{ id: 'keyed', name: 'Keyed', redirectUris: ['https://rp.example/cb'], profile: 'oidc' as const },
      ...{ signingAlg: 'PS256' as const, tokenEndpointAuthMethod: 'private_key_jwt' as const },
      ...changes,
    });
    const jwks = { keys: [jwkOf()] };

    test('need 3,072 bits, or an exception, which fapi2 excludes', async () => {
      await expect(server.register(client({ jwks }))).rejects.toThrow('has an RSA key of 2048 bits: it needs 3072');
      const fapi = { profile: 'fapi2', jwks };
      await expect(server.register(client(fapi))).rejects.toThrow('2048 bits');
      await expect(server.register(client({ ...fapi, rsa2048: true }))).rejects.toThrow('rsa2048 needs jwks, and');
      const published = { jwksUri: 'https://rp.example/jwks', rsa2048: true };
      await expect(server.register(client(published))).rejects.toThrow('rsa2048 needs jwks, and');
      await server.register(client({ jwks, rsa2048: true }));
      await server.register(client({ jwks: { keys: [jwkOf(large)] } }));
      await createClientValidator({ loopback: true })({
        registration: { ...client({ jwks }), scopes: [] },
        secret: null,
      });
    });

    test('are refused below 3,072 bits if an older version registered them, and so is RS256', async () => {
      const insert = async (registration: { readonly id: string }) => {
        const row = {
          id: registration.id,
          registration: JSON.stringify({ scopes: [], ...registration }),
          secret: null,
        };
        await server.parts.store.db
          .insertInto('clients')
          .values({ ...row, created_at: new Date() })
          .execute();
      };
      const findClient = (id: string) => server.parts.oidc.provider.Client.find(id);
      await insert(client({ id: 'stored-short', jwks }));
      await insert(client({ id: 'stored-fapi', jwks, profile: 'fapi2' }));
      await insert(client({ id: 'stored-rs256', jwks: { keys: [jwkOf(large)] }, signingAlg: 'RS256' }));
      await insert(client({ id: 'stored-exception', jwks, rsa2048: true }));
      await insert(client({ id: 'stored-large', jwks: { keys: [jwkOf(large)] } }));
      for (const id of ['stored-short', 'stored-fapi', 'stored-rs256'])
        expect(await findClient(id), id).toBeUndefined();
      for (const id of ['stored-exception', 'stored-large']) expect(await findClient(id), id).toBeDefined();
    });

    test('are ignored below 3,072 bits at jwksUri', async () => {
      const source = createServer((_, response) =>
        response.end(JSON.stringify({ keys: [jwkOf(), { ...jwkOf(large), kid: 'two' }] })),
      );
      await new Promise<void>((done) => source.listen(0, '127.0.0.1', done));
      await server.register(
        client({ jwksUri: `http://127.0.0.1:${(source.address() as AddressInfo).port}/`, id: 'published' }),
      );
      const introspect = async (key: KeyObject, kid: string) => {
        const assertion = await new SignJWT({ iss: 'published', sub: 'published', jti: kid })
          .setProtectedHeader({ alg: 'PS256', kid })
          .setAudience('https://portal.example')
          .setIssuedAt()
          .setExpirationTime('1m')
          .sign(key);
        const body = new URLSearchParams({
          ...{ token: 'x', client_id: 'published', client_assertion: assertion },
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        });
        return (await fetch(`${address}/oidc/v1/introspect`, { method: 'POST', body })).status;
      };
      expect([await introspect(short, 'one'), await introspect(large, 'two')]).toEqual([401, 200]);
      source.close();
    });
  });

  test('[SES-08] uses the issuer from BASE_URL in discovery, and ignores X-Forwarded-Host', async () => {
    const found = await (
      await fetch(`${address}/.well-known/openid-configuration`, { headers: { 'x-forwarded-host': 'evil.example' } })
    ).json();
    expect(found).toMatchObject({
      issuer: 'https://portal.example',
      token_endpoint: 'https://portal.example/oidc/v1/token',
    });
  });

  test('[SES-08] rejects an absolute request target with another host than Host, and routes one with the same host', async () => {
    const ask = (host: string, target: string) =>
      new Promise<{ status: number; text: string }>((done, failed) => {
        const { port } = new URL(address);
        get({ port, host: '127.0.0.1', path: target, headers: { host }, agent: false }, (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () => done({ status: response.statusCode ?? 0, text }));
        }).on('error', failed);
      });
    const discovery = '/.well-known/openid-configuration';
    expect((await ask('portal.example', `http://evil.example${discovery}`)).status).toBe(400);
    const same = await ask('evil.example', `http://evil.example${discovery}`);
    expect(same.status).toBe(200);
    expect(same.text).not.toContain('evil');
    expect(JSON.parse(same.text).token_endpoint).toBe('https://portal.example/oidc/v1/token');
    const page = await ask('portal.example', 'http://portal.example/logout-process?x=1');
    expect([page.status, page.text.includes('<!doctype html>')]).toEqual([200, true]);
    const refused = await ask('portal.example', 'https://portal.example/rest/ciudadanos/x/');
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([401, 'no_autenticado']);
  });

  test('[FED-01] lists only https URLs of BASE_URL in SAML metadata, and ignores X-Forwarded-Host', async () => {
    for (const path of [samlPaths.metadata, '/idp/cl/metadata']) {
      const response = await fetch(address + path, { headers: { 'x-forwarded-host': 'evil.example' } });
      expect(response.status).toBe(200);
      const found = [...(await response.text()).matchAll(/(?:Location|entityID)="([^"]*)"/g)].map(([, url]) => url);
      expect(found.length).toBeGreaterThan(1);
      for (const url of found) expect(url).toMatch(/^https:\/\/portal\.example\//);
    }
  });

  test('[LOG-10] returns tarjeta_no_disponible for a card sign-in without CARD_URL', async () => {
    const response = await fetch(`${address}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://portal.example' },
      body: JSON.stringify({ challenge: 'urn:iduruguay:am:ci', data_challenge: {}, extra: null, token: null }),
    });
    expect([response.status, (await response.json()).code]).toEqual([400, 'tarjeta_no_disponible']);
  });

  test('[SES-08] does not know the sample relying party', async () => {
    expect(await server.parts.oidc.clients.find('demo-rp')).toBeNull();
  });

  test('[CFG-06] lists the identity providers of IDPS_FILE, and allows the card by its flag', async () => {
    expect(await (await fetch(`${address}/rest/idps/`)).json()).toEqual({
      idps: [
        {
          identificador: 'br',
          nombre: 'gov.br',
          descripcion: 'Com a sua conta do Brasil.',
          nivel_seguridad: 'avanzado',
          logo: '/otro.svg',
          idioma: 'pt',
        },
        expect.objectContaining({ identificador: 'cl' }),
      ],
      ci_allowed: true,
      gub_uy_allowed: true,
    });
  });
});
