import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../../support/browser.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import { beginFlow, finishFlow, configureRelyingParty, completeAuthorization } from '../../support/relying-party.ts';

const home = 'https://rp.example/callback';
const evil = 'evil.example';
const bell = String.fromCharCode(7);
const tab = String.fromCharCode(9);
const feed = String.fromCharCode(10);
const zero = String.fromCharCode(0);
const soft = String.fromCharCode(0xad);
const wide = String.fromCharCode(0x3002);

/** Hostile redirect URIs. The registered one is `https://rp.example/callback`. */
const hostile: readonly string[] = [
  `https://${evil}`,
  `https://${evil}/`,
  `http://${evil}`,
  `//${evil}`,
  `///${evil}`,
  `////${evil}`,
  `/\\${evil}`,
  `\\\\${evil}`,
  `\\/${evil}`,
  `/\\/${evil}`,
  `/${tab}/${evil}`,
  `/${feed}/${evil}`,
  `${tab}//${evil}`,
  ` https://${evil}`,
  ` //${evil}`,
  `/ /${evil}`,
  `/%09/${evil}`,
  `/%2f%2f${evil}`,
  `//%2f${evil}`,
  `/.//${evil}`,
  `/..//${evil}`,
  `/a/..//${evil}`,
  `https:${evil}`,
  `https:/${evil}`,
  `https:///${evil}`,
  `https:\\\\${evil}`,
  `HTTPS://${evil}`,
  `hTTp:${evil}`,
  `javascript:alert(1)`,
  `JavaScript:alert(1)`,
  `java${tab}script:alert(1)`,
  `java${feed}script:alert(1)`,
  `data:text/html,<script>alert(1)</script>`,
  `vbscript:msgbox(1)`,
  `file:///etc/passwd`,
  `blob:https://${evil}/1`,
  `about:blank`,
  `ftp://${evil}/`,
  `mailto:a@${evil}`,
  `intent://${evil}#Intent;end`,
  `${home}.${evil}`,
  `https://rp.example.${evil}/callback`,
  `https://rp.example@${evil}/callback`,
  `https://${evil}#@rp.example/callback`,
  `https://${evil}?https://rp.example/callback`,
  `https://${evil}\\@rp.example/callback`,
  `https://rp.example:443@${evil}/`,
  `https://rp.example%2f@${evil}/`,
  `${home}/../../`,
  `${home}?x=1`,
  `${home}#x`,
  `${home}/`,
  `https://RP.example.${evil}`,
  `https://rp${soft}.example.${evil}`,
  `https://${evil}${wide}com`,
  `https://[::1]/`,
  `https://127.1/`,
  `https://0x7f.1/`,
  `/${soft}/${evil}`,
  `${home},https://${evil}`,
];

/** URLs with control characters, which are never valid. */
const malformed: readonly string[] = [`https://rp.example${zero}.${evil}/`, `https://rp.example${bell}.${evil}/`];

let server: LiveServer;
beforeAll(async () => {
  server = await startLiveServer();
  await server.register({
    id: 'rp',
    name: 'RP',
    redirectUris: [home],
    postLogoutRedirectUris: [home],
    legacy: true,
    legacyUntil: '2099-12-31',
  });
});
afterAll(() => server.close());

/** Whether a redirect to `location` stays on the portal's origin. */
const staysOnOrigin = (location: string | null): boolean => {
  if (location === null) return true;
  const target = new URL(location, server.origin);
  return target.origin === server.origin && !location.includes('\\') && !location.startsWith('//');
};

test('list of hostile redirects has at least 50 different values', () => {
  expect(new Set(hostile).size).toBeGreaterThanOrEqual(50);
});

describe.each(hostile)('hostile redirect %j', (value) => {
  test('[SES-03] is rejected as redirect_uri of an authorization request', async () => {
    const query = new URLSearchParams({
      response_type: 'code',
      scope: 'openid',
      client_id: 'rp',
      state: 's',
      redirect_uri: value,
    });
    const response = await fetch(`${server.origin}/oidc/v1/authorize?${query}`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await response.text()).not.toContain(`href="${value}`);
  });

  test('[SES-03] is rejected as post_logout_redirect_uri', async () => {
    const query = new URLSearchParams({ client_id: 'rp', post_logout_redirect_uri: value, state: 's' });
    const response = await fetch(`${server.origin}/oidc/v1/logout?${query}`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    expect(response.headers.get('refresh')).toBeNull();
  });

  test('[SES-03] does not redirect to another origin as redirect_uri of the logout', async () => {
    const browser = openBrowser(server.origin);
    const answer = await (await browser.post('/auth/logout', { redirect_uri: value, state: 's' })).json();
    expect(staysOnOrigin(answer.location)).toBe(true);
    const page = await (
      await browser.get(`/auth/logout?${new URLSearchParams({ redirect_uri: value, state: 's' })}`)
    ).text();
    const [, link = ''] = /href="(\/logout-process[^"]*)"/.exec(page) ?? [];
    const passed = new URL(link.replaceAll('&amp;', '&'), server.origin).searchParams.get('redirect_uri');
    expect(staysOnOrigin(passed)).toBe(true);
  });

  test('[SES-03] redirects to the start page as process_state of a cancelled sign-in', async () => {
    const response = await fetch(
      `${server.origin}/auth/cancel-login?${new URLSearchParams({ process_state: value })}`,
      { redirect: 'manual' },
    );
    expect(response.headers.get('location')).toBe('/');
  });

  test.each(['/auth/login', '/auth/login-con-ci', '/oidc/v1/consent'])(
    '[SES-10] does not redirect to another origin as a parameter of %s',
    async (path) => {
      const query = new URLSearchParams({ redirect_url: value, next: value, process_state: value });
      const response = await fetch(`${server.origin}${path}?${query}`, { redirect: 'manual' });
      expect(staysOnOrigin(response.headers.get('location'))).toBe(true);
      expect(response.headers.get('location')).toMatch(/^\/(login|autorizacion)\?/);
    },
  );
});

describe.each(malformed)('malformed redirect %j', (value) => {
  test.each([
    '/oidc/v1/authorize',
    '/oidc/v1/logout',
    '/auth/logout',
    '/auth/cancel-login',
    '/auth/login',
    '/auth/login-con-ci',
    '/oidc/v1/consent',
  ])('[SES-03 SES-10] is rejected in the parameters of %s', async (path) => {
    const query = new URLSearchParams({
      client_id: 'rp',
      redirect_uri: value,
      post_logout_redirect_uri: value,
      process_state: value,
      next: value,
    });
    const response = await fetch(`${server.origin}${path}?${query}`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });

  test('[SES-03] is rejected as redirect_uri of POST /auth/logout', async () => {
    expect((await openBrowser(server.origin).post('/auth/logout', { redirect_uri: value })).status).toBe(400);
  });
});

describe('redirect of a native app (RFC 8252)', () => {
  const scheme = 'uy.ejemplo.app:/callback';
  const loopback = 'http://127.0.0.1/cb';
  beforeAll(async () => {
    const own = { name: 'App', redirectUris: [scheme], postLogoutRedirectUris: ['uy.ejemplo.app:/bye'] };
    await server.register({ id: 'phone', ...own }, 'public');
    const local = { name: 'Tool', redirectUris: [loopback], postLogoutRedirectUris: ['http://127.0.0.1/bye'] };
    await server.register({ id: 'tool', ...local }, 'public');
    await server.register({ id: 'backend', ...local });
    await server.register({ id: 'page', ...local, redirectUris: ['http://127.0.0.1:3262/cb'] }, 'public');
  });

  /**
   * Sends an authorization request with `redirect_uri`, signs in and gives consent. Returns the target of the
   * redirect, or the text of the error page.
   */
  async function signIn(id: string, redirect_uri: string) {
    const browser = openBrowser(server.origin);
    await browser.signIn();
    const request = await beginFlow(await configureRelyingParty(server.origin, id, ''), { redirect_uri });
    return { request, back: await completeAuthorization(browser, request.url.href, server.origin) };
  }

  test.each([
    ['phone', scheme],
    ['tool', loopback],
    ['tool', 'http://127.0.0.1:51004/cb'],
    ['tool', 'http://127.0.0.1:1/cb'],
  ])('[SES-08] client %s gets tokens at %s', async (id, redirect) => {
    const { request, back } = await signIn(id, redirect);
    expect(back).toMatch(new RegExp(`^${redirect}\\?code=`));
    const tokens = await finishFlow(request, back);
    expect(tokens.access_token).toEqual(expect.any(String));
  });

  test.each([
    ['phone', 'uy.ejemplo.app://callback'],
    ['phone', 'uy.ejemplo.app:/callback/other'],
    ['phone', 'uy.ejemplo.other:/callback'],
    ['phone', 'http://127.0.0.1/cb'],
    ['tool', 'http://127.0.0.1:51004/other'],
    ['tool', 'http://127.0.0.1:51004/cb?x=1'],
    ['tool', 'http://localhost:51004/cb'],
    ['tool', 'http://127.0.0.2:51004/cb'],
    ['tool', 'https://127.0.0.1:51004/cb'],
    ['tool', 'http://127.0.0.1.evil.example/cb'],
    ['tool', 'http://127.0.0.1:51004@evil.example/cb'],
    ['tool', 'http://evil.example#@127.0.0.1:51004/cb'],
    ['tool', 'javascript:alert(1)'],
    ['backend', 'http://127.0.0.1:51004/cb'],
    ['page', 'http://127.0.0.1:51004/cb'],
    ['page', loopback],
  ])('[SES-03] client %s is rejected with the redirect URI %s', async (id, redirect) => {
    const query = new URLSearchParams({
      client_id: id,
      redirect_uri: redirect,
      response_type: 'code',
      scope: 'openid',
    });
    const response = await fetch(`${server.origin}/oidc/v1/authorize?${query}`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });

  test.each([
    ['phone', 'uy.ejemplo.app:/bye', 303],
    ['tool', 'http://127.0.0.1:51004/bye', 303],
    ['tool', 'http://127.0.0.1:51004/other', 400],
    ['backend', 'http://127.0.0.1:51004/bye', 400],
  ])('[SES-03] client %s with the post-logout URI %s gets status %i', async (id, wanted, status) => {
    const query = new URLSearchParams({ client_id: id, post_logout_redirect_uri: wanted });
    const response = await fetch(`${server.origin}/oidc/v1/logout?${query}`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([status, status === 303 ? wanted : null]);
  });
});

test("[SES-03] sanitizeRedirect turns every hostile redirect_url into one of the portal's origin", async () => {
  const { sanitizeRedirect } = await import('../../../../src/contract/sanitize-redirect.ts');
  for (const value of [...hostile, ...malformed])
    expect([value, staysOnOrigin(sanitizeRedirect(value, [server.origin]))]).toEqual([value, true]);
});
