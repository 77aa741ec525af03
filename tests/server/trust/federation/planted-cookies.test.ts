import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as client from 'openid-client';
import { openBrowser, type Browser } from '../../support/browser.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import {
  beginFlow,
  callback,
  followRedirects,
  configureRelyingParty,
  obtainTokens,
} from '../../support/relying-party.ts';

const victim = { document: '45123784', password: 'tres-tazas-de-mate' };
const attacker = { document: '29458715', password: 'playa-de-invierno' };

describe('[SES-08 SES-10] cookie planted before the sign-in', () => {
  let server: LiveServer;
  let config: client.Configuration;
  beforeAll(async () => {
    server = await startLiveServer();
    config = await configureRelyingParty(
      server.origin,
      'app',
      await server.register({ id: 'app', name: 'Trámites', redirectUris: [callback] }),
    );
  });
  afterAll(() => server.close());

  const authorize = async (browser: Browser) => {
    const request = await beginFlow(config);
    return { request, address: await followRedirects(browser, request.url.href, server.origin) };
  };
  const subject = async (browser: Browser) => {
    return (await obtainTokens(browser, config)).claims()?.sub;
  };
  /** Copies the matching cookies from one browser to another. */
  const plant = (from: Browser, to: Browser, name: RegExp) => {
    const cookies = to.cookies as Map<string, { value: string; path: string }>; // `Browser` declares its cookies as read-only
    for (const [key, cookie] of from.cookies) if (name.test(key)) cookies.set(key, { ...cookie });
  };
  /** Copies only the OpenID provider's cookies of a browser to a new browser. */
  const copyOf = (browser: Browser) => {
    const copy = openBrowser(server.origin);
    plant(browser, copy, /^portal-oidc/);
    return copy;
  };

  test.each([
    {
      note: 'with the session of the attacker',
      prepare: async (browser: Browser) => {
        await browser.signIn(attacker);
        await authorize(browser);
      },
    },
    {
      note: 'without an account',
      prepare: async (browser: Browser) => {
        await browser.signIn(attacker);
        await authorize(browser);
        await browser.post('/auth/logout', {});
        await authorize(browser);
      },
    },
  ])('gives a copy no session: OpenID provider cookie $note', async ({ prepare }) => {
    const own = openBrowser(server.origin);
    await prepare(own);
    expect([...own.cookies.keys()]).toContain('portal-oidc');
    const browser = openBrowser(server.origin);
    plant(own, browser, /^portal-oidc/);
    const copy = copyOf(browser);
    await browser.signIn(victim);
    const sub = await subject(browser);
    expect(browser.cookies.get('portal-oidc')?.value).not.toBe(copy.cookies.get('portal-oidc')?.value);
    expect((await authorize(copy)).address).toContain('/login?process_state=');
    expect(await subject(browser)).toBe(sub);
  });

  test('gives a copy no session if it is from an earlier session, and applications continue in the new one', async () => {
    const browser = openBrowser(server.origin);
    await browser.signIn(victim);
    await subject(browser);
    const uid = async () =>
      (
        await server.parts.store.db
          .selectFrom('broker_sessions')
          .select('oidc_uid')
          .where('revoked_at', 'is', null)
          .where('oidc_uid', 'is not', null)
          .orderBy('created_at', 'desc')
          .executeTakeFirst()
      )?.oidc_uid;
    const before = await uid();
    const copy = copyOf(browser);
    await browser.signIn(victim);
    await subject(browser);
    expect(await uid()).toBe(before);
    expect((await authorize(copy)).address).toContain('/login?process_state=');
  });

  test('is replaced by the sign-in for session and challenge, and its copy has no session', async () => {
    const own = openBrowser(server.origin);
    await own.signIn(attacker);
    await own.post('/auth/login', {
      challenge: 'username',
      data_challenge: { username: victim.document, pais_emisor: null, tipo_documento: null },
      extra: null,
    });
    const browser = openBrowser(server.origin);
    plant(own, browser, /^portal-(session|challenge)$/);
    const copy = openBrowser(server.origin);
    plant(own, copy, /^portal-(session|challenge)$/);
    await browser.signIn(victim);
    expect(browser.cookies.has('portal-challenge')).toBe(false);
    expect((await copy.get('/jwt/obtain/')).status).toBe(401);
    expect(browser.cookies.get('portal-session')?.value).not.toBe(copy.cookies.get('portal-session')?.value);
  });

  /** Plants cookies whose names begin with U+00A0: a sibling domain can set those despite `__Host-`. */
  const plantPadded = (from: Browser, to: Browser, name: RegExp) => {
    const cookies = to.cookies as Map<string, { value: string; path: string }>; // `Browser` declares its cookies as read-only
    cookies.set('other', { value: '1', path: '/' });
    for (const [key, cookie] of from.cookies) if (name.test(key)) cookies.set(`\u00a0${key}`, { ...cookie });
  };

  test('[ASVS-3.3.3] gives no session if its name begins with a no-break space', async () => {
    const own = openBrowser(server.origin);
    await own.signIn(attacker);
    const browser = openBrowser(server.origin);
    plantPadded(own, browser, /^portal-session$/);
    expect((await authorize(browser)).address).toContain('/login?process_state=');
  });

  test('[ASVS-3.3.3] continues no request if its name begins with a no-break space', async () => {
    const own = openBrowser(server.origin);
    const { address } = await authorize(own);
    const state = new URL(address).searchParams.get('process_state') ?? '';
    const browser = openBrowser(server.origin);
    plantPadded(own, browser, /^portal-resume-/);
    expect([...browser.cookies.keys()]).toEqual(['other', `\u00a0portal-resume-${state}`]);
    const resume = (from: Browser) => from.get(`/oidc/v1/authorize/${state}`);
    expect(await resume(browser)).toMatchObject({ status: 400 });
    expect(await resume(own)).toMatchObject({ status: 303 });
  });
});
