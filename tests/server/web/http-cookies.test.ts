import { describe, expect, test } from 'vitest';
import { startFakeServer } from '../support/fake-server.ts';

const json = { 'content-type': 'application/json' };
const logout = { method: 'POST', url: '/auth/logout', payload: {} } as const;
const https = { BASE_URL: 'https://portal.example', MALWARE_SCANNER: 'none', SMTP_URL: 'smtps://mail.example' };
const signedOut = { logout_urls: [], location: '/', wait_longer: false };

describe('cookies', () => {
  test.each([
    {
      env: https,
      cookie: '__Host-portal-session=abc; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
      note: 'over https',
    },
    {
      env: undefined,
      cookie: 'portal-session=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax',
      note: 'on plain-http loopback',
    },
  ])('are HttpOnly and SameSite, and also Secure over HTTPS: $note', async ({ env, cookie }) => {
    const { http } = await startFakeServer({
      ...(env && { env }),
      handlers: {
        logout: async () => ({ body: signedOut, cookies: { session: { value: 'abc', maxAge: 60 }, challenge: null } }),
      },
    });
    const response = await http.inject({ ...logout, headers: json });
    const [session, challenge] = [response.headers['set-cookie']].flat();
    expect(session).toBe(cookie);
    expect(challenge).toMatch(/portal-challenge=; Max-Age=0; Path=\/; HttpOnly/);
  });

  test.each([
    { env: https, cookie: /^__Host-language=pt; .*Path=\/; Secure/, note: 'over https' },
    { env: undefined, cookie: /^language=pt; (?!.*Secure)/, note: 'on plain-http loopback' },
  ])('[ASVS-3.3.1] store the language, bound to the host over HTTPS: $note', async ({ env, cookie }) => {
    const { http } = await startFakeServer({ ...(env && { env }) });
    const written = String((await http.inject('/registro?lang=pt')).headers['set-cookie']);
    expect(written).toMatch(cookie);
    const { body } = await http.inject({ url: '/registro', headers: { cookie: written.split(';')[0] ?? '' } });
    expect(body).toContain('<html lang="pt">');
    const planted = await http.inject({ url: '/registro', headers: { cookie: 'language=pt' } });
    expect(planted.body).toContain(`<html lang="${env ? 'es' : 'pt'}">`);
  });

  test('reach the handler only under their own names', async () => {
    let seen: unknown;
    const { http } = await startFakeServer({
      handlers: { logout: async (request) => ((seen = request.cookies), { body: signedOut }) },
    });
    await http.inject({
      ...logout,
      headers: { ...json, cookie: 'portal-session=abc; other=1; __Host-portal-challenge=x' },
    });
    expect(seen).toEqual({ session: 'abc' });
  });
});

describe('request across sites', () => {
  const cookie = 'portal-session=abc';
  test.each([
    { headers: { origin: 'https://evil.example' }, status: 403, note: 'a foreign Origin' },
    { headers: { origin: 'null' }, status: 403, note: 'an opaque Origin' },
    { headers: { 'sec-fetch-site': 'cross-site' }, status: 403, note: 'a cross-site fetch' },
    { headers: { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }, status: 200, note: 'the portal' },
    { headers: {}, status: 200, note: 'a client other than a browser' },
  ])('[ROL-01] gets $status from the broker if it comes from $note', async ({ headers, status }) => {
    const { http } = await startFakeServer();
    const response = await http.inject({ ...logout, headers: { ...json, ...headers } });
    expect(response.statusCode).toBe(status);
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('is rejected by the broker if it is a GET with a cookie', async () => {
    const { http } = await startFakeServer();
    expect(
      (await http.inject({ url: '/jwt/obtain/', headers: { cookie, origin: 'https://evil.example' } })).statusCode,
    ).toBe(403);
    expect((await http.inject({ url: '/jwt/obtain/', headers: { cookie } })).statusCode).toBe(200);
  });

  test('[SES-03] is permitted by CORS only to the portal when the backend has another host', async () => {
    const { http } = await startFakeServer({ env: { ...https, BACKEND_URL: 'https://api.example' } });
    const preflight = (origin: string) =>
      http.inject({
        method: 'OPTIONS',
        url: '/rest/paises/',
        headers: { origin, 'access-control-request-method': 'GET' },
      });
    const own = await preflight('https://portal.example');
    expect(own.statusCode).toBe(204);
    expect(own.headers).toMatchObject({
      'access-control-allow-origin': 'https://portal.example',
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': expect.stringContaining('definition-version'),
    });
    expect((await preflight('https://evil.example')).headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('GET /auth/logout', () => {
  const address = '/auth/logout?redirect_uri=https%3A%2F%2Fevil.example%2F&state=s1';
  test.each([
    {
      headers: { cookie: 'portal-session=a', 'sec-fetch-site': 'same-origin' },
      status: 302,
      note: 'from our own page',
    },
    { headers: { cookie: 'portal-session=a', 'sec-fetch-site': 'none' }, status: 302, note: 'from the address bar' },
    { headers: { cookie: 'portal-session=a', 'sec-fetch-site': 'cross-site' }, status: 200, note: 'from another site' },
    { headers: { cookie: 'portal-session=a' }, status: 200, note: 'from an unknown origin' },
    { headers: { 'sec-fetch-site': 'same-origin' }, status: 200, note: 'without a session' },
  ])(
    '[SES-03] returns $status for a request $note, ends no session and links to no foreign address',
    async ({ headers, status }) => {
      const { http, called } = await startFakeServer();
      const response = await http.inject({ url: address, headers });
      expect(response.statusCode).toBe(status);
      if (status === 302) expect(response.headers.location).toBe('/logout-process?redirect_uri=%2F&state=s1');
      else expect(response.body).toContain('href="/logout-process?redirect_uri=%2F&amp;state=s1"');
      expect(response.headers['set-cookie']).toBeUndefined();
      expect(called).toEqual([]);
    },
  );
});

describe('[SES-04 RUTA-12 LOG-01] address that signs out', () => {
  const cookie = 'portal-session=a';
  const foreign = { cookie, 'sec-fetch-site': 'cross-site' };
  const asked = async (url: string, headers: Readonly<Record<string, string>>) => {
    const { http } = await startFakeServer();
    const { body } = await http.inject({ url, headers });
    return /<a href="([^"]*)">Cerrar sesi\u00f3n/.exec(body)?.[1] ?? null;
  };
  test.each([
    ['/logout-process', '/logout-process'],
    ['/logout-process?redirect_uri=%2Fregistro', '/logout-process?redirect_uri=%2Fregistro'],
    ['/?forceLogin=True', '/?forceLogin=True'],
    ['/registro?a=1&forceLogin=False&forceLogin=True', '/registro?a=1&amp;forceLogin=False&amp;forceLogin=True'],
    ['//evil.example/?forceLogin=True', '/evil.example/?forceLogin=True'],
  ])('asks for confirmation if another site links to %s', async (url, target) => {
    expect(await asked(url, foreign)).toBe(target);
    expect(await asked(url, { cookie, referer: 'https://evil.example/page' })).toBe(target);
  });

  test.each([
    ['/logout-process', { cookie, 'sec-fetch-site': 'same-origin' }, 'the portal'],
    ['/logout-process', { cookie, 'sec-fetch-site': 'none' }, 'the address bar'],
    ['/?forceLogin=True', { cookie, 'sec-fetch-site': 'same-site' }, 'a host of the same site'],
    ['/logout-process', { cookie, referer: 'http://localhost:3000/seguridad' }, 'the portal, without Sec-Fetch-Site'],
    ['/logout-process', { cookie }, 'a browser that sends no origin'],
    ['/logout-process', { 'sec-fetch-site': 'cross-site' }, 'another site without a session'],
    ['/logout-saml?process_state=x&forceLogin=True', foreign, 'a SAML request of another site'],
    ['/registro', foreign, 'another site, but ends nothing'],
  ])('asks for no confirmation at %s with %o: %s', async (url, headers, _from) => {
    expect(await asked(url, headers)).toBe(null);
  });
});
