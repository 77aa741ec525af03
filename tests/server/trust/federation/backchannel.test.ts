import { createServer, type Server } from 'node:http';
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { validateClientRegistration } from '../../../../src/server/trust/federation/clients/client-registration.ts';
import { isSpecialPurposeIpAddress, createOutboundFetch } from '../../../../src/server/platform/http/outbound-fetch.ts';
import { readConfig } from '../../../../src/server/platform/config/read-config.ts';
import { changePassword } from '../../../../src/server/features/password/index.ts';
import { findCitizen } from '../../../../src/server/trust/identity/citizens.ts';
import { openBrowser, type Browser } from '../../support/browser.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import { createOrigin } from '../../support/origin.ts';
import {
  beginFlow,
  callback,
  finishFlow,
  followRedirects,
  configureRelyingParty,
  obtainTokens,
} from '../../support/relying-party.ts';
import { listenLocally } from '../../support/free-port.ts';

let server: LiveServer;
let receiver: Server;
let base = '';
/** Claims of the logout tokens that applications received. */
let told: ReturnType<typeof decodeJwt>[] = [];
let listReceived: () => void = () => undefined;
let calls: string[] = [];
let config: client.Configuration;

beforeAll(async () => {
  server = await startLiveServer();
  receiver = createServer((request, response) => {
    calls.push(request.url ?? '');
    if (request.url === '/redirects') return void response.writeHead(302, { location: `${base}/inside` }).end();
    let body = '';
    request
      .on('data', (chunk) => (body += String(chunk)))
      .on('end', () => {
        response.writeHead(204).end();
        const token = new URLSearchParams(body).get('logout_token');
        if (token === null) return;
        told.push(decodeJwt(token));
        listReceived();
      });
  });
  base = await listenLocally(receiver);
  const secret = await server.register({
    id: 'app',
    name: 'Trámites',
    redirectUris: [callback],
    backchannelLogoutUri: `${base}/back`,
  });
  config = await configureRelyingParty(server.origin, 'app', secret);
});
afterEach(() => {
  told = [];
  calls = [];
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await server.close();
});

const ana = { document: '45123784', password: 'tres-tazas-de-mate' };
const carlos = { document: '29458715', password: 'playa-de-invierno' };

/** Signs a browser in at the portal and at the application, with a refresh token that outlives the session. */
async function enter(citizen = ana, browser = openBrowser(server.origin)) {
  await browser.signIn(citizen);
  const parameters = { scope: 'openid personal_info offline_access', prompt: 'consent' };
  const tokens = await obtainTokens(browser, config, parameters);
  return { browser, tokens, refresh: tokens.refresh_token ?? expect.fail('no refresh token') };
}

const headers = async (browser: Browser) => ({ authorization: `Bearer ${await browser.bearer()}` });
const sessionId = async (browser: Browser) => String(decodeJwt(await browser.bearer())['sid']);
const refreshTokens = (refresh: string) => client.refreshTokenGrant(config, refresh);
const waitForNotification = () => new Promise<void>((resolve) => (listReceived = resolve));

async function setNewPassword(browser: Browser): Promise<void> {
  const { cid, sid } = decodeJwt(await browser.bearer());
  const { store } = server.parts;
  const citizen = (await findCitizen(store.db, String(cid))) ?? expect.fail('no citizen');
  const { password_hash: passwordHash } = await store.db
    .selectFrom('credentials')
    .select('password_hash')
    .where('citizen_id', '=', citizen.id)
    .executeTakeFirstOrThrow();
  await server.parts.commands.run(createOrigin(), (command) =>
    changePassword(command, { citizen, passwordHash, keep: String(sid) }),
  );
}

describe('[SEG+SESIONES] applications of an ended session', () => {
  test('can refresh an offline_access token after a plain logout', async () => {
    const { browser, refresh } = await enter();
    const { refresh_token: next = refresh } = await refreshTokens(refresh);
    await browser.post('/auth/logout', {});
    expect((await refreshTokens(next)).access_token).toBeTruthy();
  });

  test('get a logout token when another device ends the session, and lose their access and refresh tokens', async () => {
    const other = await enter();
    const own = openBrowser(server.origin);
    await own.signIn(ana);
    const wait = waitForNotification();
    const response = await fetch(`${server.origin}/rest/sesiones/${await sessionId(other.browser)}/`, {
      method: 'DELETE',
      headers: await headers(own),
    });
    expect(response.status).toBe(200);
    await wait;
    expect(told).toEqual([
      expect.objectContaining({ sub: other.tokens.claims()?.sub, sid: other.tokens.claims()?.['sid'] }),
    ]);
    await expect(refreshTokens(other.refresh)).rejects.toThrow();
    await expect(client.fetchUserInfo(config, other.tokens.access_token, client.skipSubjectCheck)).rejects.toThrow();
    expect((await other.browser.get('/jwt/obtain/')).status).toBe(401);
  });

  test('are listed with the session', async () => {
    const { browser } = await enter();
    const { sesiones } = await (await browser.get('/rest/sesiones/', await headers(browser))).json();
    expect(sesiones[0]).toMatchObject({ actual: true, aplicaciones: ['Trámites'] });
  });

  test('are not notified for the own session when it ends all others', async () => {
    const [own, other] = [await enter(), await enter()];
    const wait = waitForNotification();
    await own.browser.post('/rest/sesiones/cerrar_otras/', {}, await headers(own.browser));
    await wait;
    await expect(refreshTokens(other.refresh)).rejects.toThrow();
    expect((await refreshTokens(own.refresh)).access_token).toBeTruthy();
    expect(told.map(({ sid }) => sid)).not.toContain(own.tokens.claims()?.['sid']);
  });

  test('lose the refresh tokens of this and another session after a password change, and this session signs in again without a prompt', async () => {
    const [own, other] = [await enter(), await enter()];
    await setNewPassword(own.browser);
    await expect(refreshTokens(other.refresh)).rejects.toThrow();
    await expect(refreshTokens(own.refresh)).rejects.toThrow();
    const request = await beginFlow(config);
    expect(
      (await finishFlow(request, await followRedirects(own.browser, request.url.href, server.origin))).access_token,
    ).toBeTruthy();
  });

  test('lose the refresh token of a session logged out earlier when the password changes', async () => {
    const before = await enter();
    await before.browser.post('/auth/logout', {});
    const own = openBrowser(server.origin);
    await own.signIn(ana);
    await setNewPassword(own);
    await expect(refreshTokens(before.refresh)).rejects.toThrow();
  });

  test('get a logout token when another citizen signs in in the same browser', async () => {
    const { browser, tokens } = await enter();
    const wait = waitForNotification();
    await browser.signIn(carlos);
    await wait;
    expect(told).toEqual([expect.objectContaining({ sub: tokens.claims()?.sub, sid: tokens.claims()?.['sid'] })]);
  });

  test('get no logout token when the same citizen signs in again', async () => {
    const { browser } = await enter();
    await browser.signIn(ana);
    const request = await beginFlow(config);
    await finishFlow(request, await followRedirects(browser, request.url.href, server.origin));
    expect(told).toEqual([]);
  });
});

test.each([
  [{ redirectUris: ['app.example/callback'] }, /redirectUris\/0 must be a whole address without fragment/],
  [{ redirectUris: ['https://app.example/#callback'] }, /whole address without fragment, for example https:/],
  [{ scopes: ['personal_inf0'] }, /scopes\/0 must be of openid, .*personal_info/],
  [{ backchannelLogoutUri: 'http://app.example/' }, /https address without user name or fragment/],
])('[QA-02] validateClientRegistration rejects %j and says how to correct it', (wrong, says) => {
  expect(() => validateClientRegistration({ id: 'x', name: 'X', redirectUris: [callback], ...wrong })).toThrow(says);
});

describe('[SEG+SESIONES] outgoing requests of the broker', () => {
  const register = (backchannelLogoutUri: string) => () =>
    validateClientRegistration({
      id: 'x',
      name: 'X',
      redirectUris: [callback],
      scopes: ['email'],
      backchannelLogoutUri,
    });

  test.each([
    'https://rp.example/back',
    'https://rp.example:8443/a?b=c',
    'http://localhost/back',
    'http://127.0.0.1:4000/back',
    'http://[::1]:9/back',
  ])('validateClientRegistration accepts the backchannel logout URI %s', (uri) => {
    expect(register(uri)).not.toThrow();
  });

  test.each([
    'http://rp.example/back',
    'http://10.0.0.1/back',
    'http://localhost.evil.example/back',
    'http://127.0.0.1.evil.example/',
    'http://localhost@evil.example/',
    'https://user:secret@rp.example/',
    'https://rp.example/#part',
    'ftp://rp.example/',
    'https:\\\\rp.example',
    'https://rp.example/a b',
    'file:///etc/passwd',
  ])('validateClientRegistration rejects the backchannel logout URI %s', (uri) => {
    expect(register(uri)).toThrow('backchannelLogoutUri');
  });

  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    '::ffff:10.0.0.1',
    '::ffff:127.0.0.1',
    '64:ff9b::a00:1',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'ff02::1',
    '2001:db8::1',
    '2002:a00:1::',
    '::1.2.3.4',
    '::102:304',
    '192.0.2.1',
    '198.18.0.1',
    '64:ff9b:1::1',
    '100::1',
    '3fff::1',
    '5f00::1',
    'fec0::1',
  ])('isSpecialPurposeIpAddress is true for %s', (address) => expect(isSpecialPurposeIpAddress(address)).toBe(true));

  test.each(['8.8.8.8', '190.64.1.1', '172.32.0.1', '2800:a4::1', '2606:4700::1111', '::ffff:8.8.8.8'])(
    'isSpecialPurposeIpAddress is false for %s',
    (address) => expect(isSpecialPurposeIpAddress(address)).toBe(false),
  );

  const port = () => new URL(base).port;
  test.each([
    ['a loopback address', () => `${base}/back`],
    ['a host name that resolves to loopback', () => `http://localhost:${port()}/back`],
    ['a shortened IPv4 address', () => `http://127.1:${port()}/back`],
    ['an IPv4 address as an integer', () => `http://2130706433:${port()}/back`],
    ['a hexadecimal IPv4 address', () => `http://0x7f.0.0.1:${port()}/back`],
    ['the IPv6 loopback address', () => `http://[::1]:${port()}/back`],
    ['an IPv4-mapped IPv6 address', () => `http://[::ffff:127.0.0.1]:${port()}/back`],
    ['the wildcard address', () => `http://0.0.0.0:${port()}/back`],
  ])('createOutboundFetch rejects %s', async (_, address) => {
    const call = createOutboundFetch({ limitMs: 2000, allowsPrivateTargets: false });
    await expect(call(address(), { method: 'POST', body: new URLSearchParams({ logout_token: 'x' }) })).rejects.toThrow(
      'the address is a private one',
    );
    expect(calls).toEqual([]);
  });

  test('createOutboundFetch does not follow a redirect', async () => {
    const response = await createOutboundFetch({ limitMs: 2000, allowsPrivateTargets: true })(`${base}/redirects`, {
      method: 'POST',
    });
    expect([response.status, calls]).toEqual([302, ['/redirects']]);
  });

  test('createOutboundFetch removes cache-control and expires from a response', async () => {
    const keys = createServer((_, response) => {
      const headers = { 'cache-control': 'max-age=31536000', expires: 'Fri, 01 Jan 2100 00:00:00 GMT', etag: '"1"' };
      response.writeHead(200, headers).end('{"keys":[]}');
    });
    const call = createOutboundFetch({ limitMs: 2000, allowsPrivateTargets: true });
    const { headers } = await call(await listenLocally(keys));
    expect([headers.get('cache-control'), headers.get('expires'), headers.get('etag')]).toEqual([null, null, '"1"']);
    keys.close();
  });

  test('createOutboundFetch times out if a server does not respond', async () => {
    const silent = createServer(() => undefined);
    const call = createOutboundFetch({ limitMs: 100, allowsPrivateTargets: true });
    await expect(call(await listenLocally(silent))).rejects.toThrow();
    silent.closeAllConnections();
    silent.close();
  });

  test.each([
    [{}, true],
    [{ BACKCHANNEL_PRIVATE: 'off' }, false],
    [{ BASE_URL: 'https://id.example', MALWARE_SCANNER: 'none', SMTP_URL: 'smtps://mail.example' }, false],
    [
      {
        BASE_URL: 'https://id.example',
        MALWARE_SCANNER: 'none',
        SMTP_URL: 'smtps://mail.example',
        BACKCHANNEL_PRIVATE: 'on',
      },
      true,
    ],
  ])('BACKCHANNEL_PRIVATE with %j allows private addresses: %j', (env, allowed) => {
    expect(readConfig(env).backchannelPrivate).toBe(allowed);
  });
});
