import { createServer, type Server } from 'node:http';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as client from 'openid-client';
import { openBrowser, type Browser } from '../../support/browser.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import {
  beginFlow,
  callback,
  followRedirects,
  configureRelyingParty,
  obtainTokens,
} from '../../support/relying-party.ts';
import { listenLocally } from '../../support/free-port.ts';

let server: LiveServer;
let receiver: Server;
let told: string[] = [];
const configs: Record<string, client.Configuration> = {};
const home = 'http://127.0.0.1:9/home';

beforeAll(async () => {
  server = await startLiveServer({ REDIRECT_ORIGINS: 'https://tramites.example' });
  receiver = createServer((request, response) => {
    if (request.url === '/hangs') return; // stays pending, so that only the timeout ends a logout that waits for it
    request
      .on('data', (chunk) => told.push(String(chunk)))
      .on('end', () => response.writeHead(request.url === '/fails' ? 500 : 204).end());
  });
  const base = await listenLocally(receiver);
  const common = { redirectUris: [callback], postLogoutRedirectUris: [home] };
  for (const registration of [
    { ...common, id: 'plain', name: 'Simple' },
    { ...common, id: 'back', name: 'Avisada', backchannelLogoutUri: `${base}/back` },
    { ...common, id: 'fails', name: 'Rota', backchannelLogoutUri: `${base}/fails` },
    { ...common, id: 'hangs', name: 'Colgada', backchannelLogoutUri: `${base}/hangs` },
    { ...common, id: 'front', name: 'Enmarcada', frontchannelLogoutUri: 'https://front.example/bye?x=1' },
    { ...common, id: 'legacy', name: 'Antigua', legacy: true, legacyUntil: '2099-12-31' },
  ])
    configs[registration.id] = await configureRelyingParty(
      server.origin,
      registration.id,
      await server.register(registration),
    );
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await server.close();
});

/** Signs a browser in to applications. Returns the browser and the tokens. */
async function session(...ids: string[]) {
  const browser = openBrowser(server.origin);
  await browser.signIn();
  const tokens: Record<string, Awaited<ReturnType<typeof obtainTokens>>> = {};
  for (const id of ids) tokens[id] = await signInAt(browser, id);
  told = [];
  return { browser, tokens };
}

const signInAt = (browser: Browser, id: string) => obtainTokens(browser, configs[id] ?? expect.fail(id));

const isSignedIn = async (browser: Browser) => (await browser.get('/jwt/obtain/')).status === 200;
const rpLogout = (browser: Browser, parameters: Record<string, string>) =>
  browser.get(`/oidc/v1/logout?${new URLSearchParams(parameters)}`);

describe('logout at the portal', () => {
  test('[SES-04 SES-10] ends the session, its access tokens and its cookies at once', async () => {
    const { browser, tokens } = await session('plain');
    const bearer = await browser.bearer();
    const stolen = browser.cookies.get('portal-session');
    const answer = await browser.post('/auth/logout', {});
    expect(await answer.json()).toEqual({ logout_urls: [], location: '/', wait_longer: false, unreachable: [] });
    expect(
      (await fetch(`${server.origin}/rest/ciudadanos/x/`, { headers: { authorization: `Bearer ${bearer}` } })).status,
    ).toBe(401);
    expect(
      (await fetch(`${server.origin}/jwt/obtain/`, { headers: { cookie: `portal-session=${stolen?.value}` } })).status,
    ).toBe(401);
    await expect(
      client.fetchUserInfo(
        configs['plain'] ?? expect.fail(),
        tokens['plain']?.access_token ?? '',
        client.skipSubjectCheck,
      ),
    ).rejects.toThrow();
    expect(
      await followRedirects(browser, (await beginFlow(configs['plain'] ?? expect.fail())).url.href, server.origin),
    ).toContain('/login?process_state=');
  });

  test('[SES-04 SES-08] sends a signed logout token to the application with back-channel logout, and lists front-channel URLs', async () => {
    const { browser, tokens } = await session('plain', 'back', 'front');
    const page = await browser.get('/logout-process');
    expect(page.headers.get('content-security-policy')).toContain('frame-src https://front.example;');
    const { logout_urls, unreachable } = await (await browser.post('/auth/logout', {})).json();
    expect(unreachable).toEqual([]);
    expect(logout_urls).toEqual([
      expect.stringMatching(/^https:\/\/front\.example\/bye\?x=1&iss=http%3A%2F%2F127\.0\.0\.1%3A\d+&sid=[\w-]+$/),
    ]);
    expect(told).toHaveLength(1);
    const token = new URLSearchParams(told[0]).get('logout_token') ?? '';
    const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(`${server.origin}/oidc/v1/jwks`)), {
      issuer: server.origin,
      audience: 'back',
      typ: 'logout+jwt',
    });
    expect(payload).toMatchObject({
      sub: tokens['back']?.claims()?.sub,
      sid: tokens['back']?.claims()?.['sid'],
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    });
  });

  test('[SES-04 SES-08] uses the sid of the ID token in the front-channel URL, and no sid for an application without logout', async () => {
    const { browser, tokens } = await session('plain', 'front');
    const { logout_urls } = await (await browser.post('/auth/logout', {})).json();
    expect(new URL(logout_urls[0]).searchParams.get('sid')).toBe(tokens['front']?.claims()?.['sid']);
    expect(tokens['plain']?.claims()).not.toHaveProperty('sid');
  });

  test('[SES-04] sends a page without frame-src if no application has front-channel logout', async () => {
    const { browser } = await session('plain');
    expect((await browser.get('/logout-process')).headers.get('content-security-policy')).not.toContain('frame-src');
    expect(
      (await openBrowser(server.origin).get('/logout-process')).headers.get('content-security-policy'),
    ).not.toContain('frame-src');
  });

  test('[SES-04] lists the applications that it could not notify, after a bounded wait', async () => {
    const { browser } = await session('hangs', 'fails', 'back');
    const { unreachable } = await (await browser.post('/auth/logout', {})).json();
    expect(unreachable.sort()).toEqual(['Colgada', 'Rota']);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test.each([
    { note: 'a path of the portal', redirect: '/seguridad', location: '/seguridad?state=s%26s' },
    {
      note: 'an origin in REDIRECT_ORIGINS',
      redirect: 'https://tramites.example/fin?a=1',
      location: 'https://tramites.example/fin?a=1&state=s%26s',
    },
    { note: 'the start page for an unknown origin', redirect: 'https://evil.example/', location: '/' },
  ])('[SES-10] redirects to $note', async ({ redirect, location }) => {
    const { browser } = await session();
    expect((await (await browser.post('/auth/logout', { redirect_uri: redirect, state: 's&s' })).json()).location).toBe(
      location,
    );
  });

  test('[SES-10] asks for confirmation after GET, and accepts the registered post-logout URIs of applications', async () => {
    const { browser } = await session();
    const page = await (
      await browser.get(`/auth/logout?${new URLSearchParams({ redirect_uri: home, state: 'abc' })}`)
    ).text();
    const link = decodeURIComponent(/href="(\/logout-process[^"]*)"/.exec(page)?.[1] ?? '');
    expect(link).toContain('/oidc/v1/logout');
    expect(await isSignedIn(browser)).toBe(true);
    await browser.post('/auth/logout', {});
    const onward = await browser.get(
      `/oidc/v1/logout?${new URLSearchParams({ client_id: 'plain', post_logout_redirect_uri: home, state: 'abc' })}`,
    );
    expect(onward.headers.get('location')).toBe(`${home}?state=abc`);
  });
});

describe('logout started by an application', () => {
  test('[SES-08] ends the session for a valid ID token hint, and redirects with the state', async () => {
    const { browser, tokens } = await session('plain', 'back');
    const answer = await rpLogout(browser, {
      id_token_hint: tokens['plain']?.id_token ?? '',
      post_logout_redirect_uri: home,
      state: 'x y',
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${home}?state=x+y`]);
    expect(await isSignedIn(browser)).toBe(false);
    expect(told).toHaveLength(1);
  });

  test('[SES-08] returns 200 for a legacy application with an empty post-logout URI, and ends the session', async () => {
    const { browser, tokens } = await session('legacy');
    const answer = await rpLogout(browser, {
      id_token_hint: tokens['legacy']?.id_token ?? '',
      post_logout_redirect_uri: '',
      state: '',
    });
    expect(answer.status).toBe(200);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('[SES-08] loads the front-channel URLs of other applications in frames before it redirects', async () => {
    const { browser, tokens } = await session('plain', 'front');
    const answer = await rpLogout(browser, {
      id_token_hint: tokens['plain']?.id_token ?? '',
      post_logout_redirect_uri: home,
    });
    expect(answer.headers.get('refresh')).toBe(`1; url=${home}`);
    expect(answer.headers.get('content-security-policy')).toContain('frame-src https://front.example');
    expect(await answer.text()).toContain('<iframe hidden src="https://front.example/bye?x=1&amp;iss=');
  });

  const changed = (token: string) => {
    const [header, payload = '', signature] = token.split('.');
    const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), name: 'x' };
    return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
  };
  test.each([
    { note: 'no ID token hint', hint: async () => '' },
    { note: 'a malformed ID token hint', hint: async () => 'x.y.z' },
    { note: 'a changed ID token', hint: async (own: string) => changed(own) },
    { note: 'an access token of the portal', hint: async (_own: string, browser: Browser) => browser.bearer() },
    {
      note: 'the ID token of another citizen',
      hint: async () => {
        const other = openBrowser(server.origin);
        await other.signIn({ document: '29458715', password: 'playa-de-invierno' });
        return (await signInAt(other, 'plain')).id_token ?? '';
      },
    },
  ])('[SES-08] asks for confirmation with $note', async ({ hint }) => {
    const { browser, tokens } = await session('plain');
    const token = await hint(tokens['plain']?.id_token ?? '', browser);
    const answer = await rpLogout(browser, {
      client_id: 'plain',
      ...(token !== '' && { id_token_hint: token }),
      post_logout_redirect_uri: home,
    });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('/logout-process?redirect_uri=');
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('[SES-08] returns 400 if the ID token hint was issued to another client than client_id', async () => {
    const { browser, tokens } = await session('plain');
    const hint = { id_token_hint: tokens['plain']?.id_token ?? '' };
    expect((await rpLogout(browser, { ...hint, client_id: 'back', post_logout_redirect_uri: home })).status).toBe(400);
    expect((await rpLogout(browser, { ...hint, client_id: 'back' })).status).toBe(400);
    expect(await isSignedIn(browser)).toBe(true);
    await rpLogout(browser, { ...hint, client_id: 'plain' });
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('[SES-08] accepts a form post', async () => {
    const { browser, tokens } = await session('plain');
    const cookie = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
    const answer = await fetch(`${server.origin}/oidc/v1/logout`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie },
      body: new URLSearchParams({ id_token_hint: tokens['plain']?.id_token ?? '', post_logout_redirect_uri: home }),
    });
    expect(answer.headers.get('location')).toBe(home);
    expect(await isSignedIn(browser)).toBe(false);
  });
});
