import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import * as client from 'openid-client';
import { openBrowser, type Browser } from '../../support/browser.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import {
  beginFlow,
  callback,
  answerConsent,
  finishFlow,
  followRedirects,
  configureRelyingParty,
  completeAuthorization,
  obtainTokens,
} from '../../support/relying-party.ts';

let server: LiveServer;
let config: client.Configuration;

beforeAll(async () => {
  server = await startLiveServer();
  const secret = await server.register({
    id: 'app',
    name: 'Trámites',
    redirectUris: [callback],
    postLogoutRedirectUris: ['http://127.0.0.1:9/'],
  });
  config = await configureRelyingParty(server.origin, 'app', secret);
});
afterAll(() => server.close());

describe('authorization code flow with PKCE', () => {
  test('[SES-08] signs a citizen in at openid-client, returns the claims, and needs no prompt the next time', async () => {
    const browser = openBrowser(server.origin);
    const { request, login, processState } = await requestSignIn(browser);
    expect(login).toMatch(/\/login\?process_state=[\w-]{43}$/);
    const location = await browser.signIn({ processState });
    expect(location).toContain(
      `/oidc/v1/authorize/${processState}`.replaceAll('/', location.startsWith('/oidc') ? '/' : '%2F'),
    );
    const consent = await resume(browser, processState);
    expect(consent).toContain('/autorizacion?client_id=app&scope=openid+personal_info&next=');
    const back = await answerConsent(browser, consent, server.origin);
    const tokens = await finishFlow(request, back);
    const claims = tokens.claims();
    expect(claims).toMatchObject({
      iss: server.origin,
      aud: 'app',
      acr: 'urn:iduruguay:nid:1',
      amr: ['urn:iduruguay:am:password'],
    });
    const info = await client.fetchUserInfo(config, tokens.access_token, claims?.sub ?? '');
    expect(info).toEqual({
      sub: claims?.sub,
      nombre_completo: 'Ana Lucía Pereira Sosa',
      primer_nombre: 'Ana',
      segundo_nombre: 'Lucía',
      primer_apellido: 'Pereira',
      segundo_apellido: 'Sosa',
      uid: 'uy-ci-45123784',
      rid: '1',
    });

    const again = await beginFlow(config);
    const direct = await followRedirects(browser, again.url.href, server.origin);
    expect((await finishFlow(again, direct)).claims()?.sub).toBe(claims?.sub);
  });
});

const otherCitizen = { document: '29458715', password: 'playa-de-invierno' };

/** Signs a browser in at the portal only. */
async function openSignedInBrowser(): Promise<Browser> {
  const browser = openBrowser(server.origin);
  await browser.signIn();
  return browser;
}

/** Sends an authorization request that needs a sign-in. Returns the address of the sign-in. */
async function requestSignIn(browser: Browser, parameters: Record<string, string> = {}) {
  const request = await beginFlow(config, parameters);
  const login = await followRedirects(browser, request.url.href, server.origin);
  return { request, login, processState: new URL(login).searchParams.get('process_state') ?? '' };
}

/** Continues an authorization request after the sign-in. Returns the final URL. */
const resume = (browser: Browser, processState: string) =>
  followRedirects(browser, `/oidc/v1/authorize/${processState}`, server.origin);

/** Sends an authorization request, and allows the requested scopes. Returns the final URL. */
async function authorize(browser: Browser, parameters: Record<string, string> = {}) {
  const request = await beginFlow(config, parameters);
  const back = await completeAuthorization(browser, request.url.href, server.origin);
  return { request, back, query: new URL(back).searchParams };
}

const raiseLevel = (nid: number) =>
  server.parts.store.db.updateTable('broker_sessions').set({ nid }).where('revoked_at', 'is', null).execute();

describe('[ASVS-3.3.3] pending requests in several tabs', () => {
  const open = async (browser: Browser) => {
    const request = await beginFlow(config, { prompt: 'consent' });
    const page = new URL(await followRedirects(browser, request.url.href, server.origin));
    const state = page.searchParams.get('process_state') ?? page.searchParams.get('next') ?? '';
    return { request, state, cookie: `portal-resume-${state}` };
  };
  const expired = / -> 400 /;
  const cookiesOf = (browser: Browser) => browser.cookies as Map<string, { value: string; path: string }>; // `Browser` declares its cookies as read-only

  test('gives each of two tabs its code, and refuses both requests after Back', async () => {
    const browser = openBrowser(server.origin);
    const first = await open(browser);
    const second = await open(browser);
    await browser.signIn({ processState: second.state });
    const finish = async (tab: typeof first) => {
      const back = await answerConsent(browser, await resume(browser, tab.state), server.origin);
      return (await finishFlow(tab.request, back)).access_token;
    };
    expect(await finish(second)).toEqual(expect.any(String));
    expect([...browser.cookies.keys()].filter((name) => name.includes('resume'))).toEqual([first.cookie]);
    expect(await finish(first)).toEqual(expect.any(String));
    expect(await resume(browser, second.state)).toMatch(expired);
    expect(await resume(browser, first.state)).toMatch(expired);
    expect([...browser.cookies.keys()].filter((name) => name.includes('resume'))).toEqual([]);
  });

  test('replaces the cookie of a request at its next prompt', async () => {
    const browser = openBrowser(server.origin);
    const request = await open(browser);
    await browser.signIn({ processState: request.state });
    const consent = new URL(await resume(browser, request.state));
    const next = `portal-resume-${consent.searchParams.get('next')}`;
    expect([...browser.cookies.keys()].filter((name) => name.includes('resume'))).toEqual([next]);
    expect(await resume(browser, request.state)).toMatch(expired);
  });

  test('discards the oldest of eleven requests', async () => {
    const browser = openBrowser(server.origin);
    const opened = [];
    for (let tab = 0; tab < 11; tab++) opened.push(await open(browser));
    const [oldest, ...others] = opened;
    const names = [...browser.cookies.keys()].filter((name) => name.includes('resume'));
    expect(names).toEqual(others.map(({ cookie }) => cookie));
    expect(await resume(browser, oldest?.state ?? '')).toMatch(expired);
    await browser.signIn();
    expect(await resume(browser, others[9]?.state ?? '')).toContain('/autorizacion?');
  });

  test('refuses a missing, a forged and a swapped cookie', async () => {
    const browser = openBrowser(server.origin);
    const [one, other] = [await open(browser), await open(browser)];
    await browser.signIn();
    const cookies = cookiesOf(browser);
    const own = cookies.get(one.cookie) ?? { value: '', path: '/' };
    const attempts = [
      { ...own, value: `${own.value.slice(0, -1)}${own.value.endsWith('A') ? 'B' : 'A'}` },
      { ...own, value: '' },
      cookies.get(other.cookie) ?? own,
    ];
    for (const cookie of attempts) {
      cookies.set(one.cookie, cookie);
      expect(await resume(browser, one.state)).toMatch(expired);
    }
    browser.forget(one.cookie);
    expect(await resume(browser, one.state)).toMatch(expired);
    // Simulates another host of the domain, which could set cookies with the library's own names and with the id of
    // either request.
    for (const { state, cookie } of [one, other]) {
      cookies.set('portal-resume', { value: state, path: '/' });
      cookies.set('portal-resume.sig', cookie === one.cookie ? own : (cookies.get(cookie) ?? own));
      expect(await resume(browser, one.state)).toMatch(expired);
    }
    cookies.set(one.cookie, own);
    expect(await resume(browser, one.state)).toContain('/autorizacion?');
  });

  test('refuses the request of another browser', async () => {
    const request = await open(openBrowser(server.origin));
    expect(await resume(await openSignedInBrowser(), request.state)).toMatch(expired);
  });
});

describe('single sign-on of portal and applications', () => {
  test('[SES-08] returns a code for prompt=none with a session, and login_required without one', async () => {
    const browser = await openSignedInBrowser();
    await authorize(browser);
    expect((await authorize(browser, { prompt: 'none' })).query.get('code')).toBeTruthy();
    const { query } = await authorize(openBrowser(server.origin), { prompt: 'none' });
    expect(query.get('error')).toBe('login_required');
  });

  test.each<{ parameters: Record<string, string>; wait?: number }>([
    { parameters: { prompt: 'login' } },
    { parameters: { max_age: '0' }, wait: 1100 },
  ])('[SES-08] requires one new sign-in for $parameters', async ({ parameters, wait = 0 }) => {
    const browser = await openSignedInBrowser();
    await authorize(browser);
    await new Promise((resolve) => setTimeout(resolve, wait + 1000));
    const begun = Math.floor(Date.now() / 1000);
    const { request, login, processState } = await requestSignIn(browser, parameters);
    expect(login).toContain('/login?');
    await browser.signIn({ processState });
    const back = await resume(browser, processState);
    expect((await finishFlow(request, back)).claims()?.auth_time).toBeGreaterThanOrEqual(begun);
  });

  test('[SES-08] requires a sign-in for prompt=login again if the request resumes without one', async () => {
    const browser = await openSignedInBrowser();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const { processState } = await requestSignIn(browser, { prompt: 'login' });
    expect(await resume(browser, processState)).toContain('/login?process_state=');
  });

  test('[SES-08] stores one OIDC session after parallel requests of a browser, and the next application gets tokens', async () => {
    const browser = openBrowser(server.origin);
    await browser.signIn();
    const first = await beginFlow(config, { prompt: 'consent' });
    const page = await followRedirects(browser, first.url.href, server.origin);
    const next = new URL(page).searchParams.get('next') ?? '';
    const facts = { client_id: new URL(page).searchParams.get('client_id'), next, allow: true };
    const authorization = `Bearer ${await browser.bearer()}`;
    const answers = { ...facts, es_extranjero: false, rid_alto_sin_2do_factor: false };
    expect((await browser.post('/oidc/v1/consent', answers, { authorization })).status).toBe(200);
    const interactions: { destroy(): Promise<unknown> } = server.parts.oidc.provider.Interaction.prototype;
    const { destroy } = interactions;
    let resolve: () => void = () => undefined;
    const bothArrived = new Promise<void>((done) => (resolve = done));
    const ending = vi.spyOn(interactions, 'destroy').mockImplementation(async function (this: typeof interactions) {
      if (ending.mock.calls.length === 2) resolve();
      await bothArrived;
      return destroy.call(this);
    });
    const resumed = await Promise.all([1, 2].map(() => browser.get(`/oidc/v1/authorize/${next}`)));
    ending.mockRestore();
    expect(resumed.map(({ headers }) => headers.get('location'))).toEqual(
      [1, 2].map(() => expect.stringContaining('code=')),
    );
    const secret = await server.register({ id: 'next', name: 'Next', redirectUris: [callback] });
    const other = await configureRelyingParty(server.origin, 'next', secret);
    const { access_token } = await obtainTokens(browser, other, { prompt: 'consent' });
    expect(access_token).toEqual(expect.any(String));
    const { sid } = decodeJwt(await browser.bearer());
    const rows = await server.parts.store.db
      .selectFrom('oidc_records')
      .innerJoin('broker_sessions', 'broker_sessions.oidc_uid', 'oidc_records.uid')
      .select('oidc_records.id')
      .where('broker_sessions.id', '=', String(sid))
      .where('model', '=', 'Session')
      .execute();
    expect(rows).toHaveLength(1);
  });

  test('[SES-08] gives no browser a code if another browser began the sign-in', async () => {
    const attacker = openBrowser(server.origin);
    const { processState } = await requestSignIn(attacker);
    const victim = openBrowser(server.origin);
    await victim.signIn({ processState });
    expect((await victim.get(`/oidc/v1/authorize/${processState}`)).status).toBe(400);
    expect(await resume(attacker, processState)).toContain('/login?process_state=');
  });

  test('[LOG-11] redirects a cancelled sign-in to the application with access_denied and its state', async () => {
    const browser = openBrowser(server.origin);
    const { request, processState } = await requestSignIn(browser);
    const onward =
      (await browser.get(`/auth/cancel-login?process_state=${processState}`)).headers.get('location') ?? '';
    const { searchParams } = new URL(await followRedirects(browser, onward, server.origin));
    expect(Object.fromEntries(searchParams)).toMatchObject({
      error: 'access_denied',
      state: request.checks.expectedState,
    });
  });

  test.each(['', '?process_state=unknown', '?process_state='])(
    '[LOG-11] redirects cancel-login%s to the start page',
    async (query) => {
      const response = await fetch(`${server.origin}/auth/cancel-login${query}`, { redirect: 'manual' });
      expect([response.status, response.headers.get('location')]).toEqual([302, '/']);
    },
  );
});

describe('assurance level of an authorization request', () => {
  const acr = (...nids: number[]) => nids.map((nid) => `urn:iduruguay:nid:${nid}`).join(' ');
  const essential = (...nids: number[]) =>
    JSON.stringify({ id_token: { acr: { essential: true, values: acr(...nids).split(' ') } } });

  test.each<{ nid: number; ask: Record<string, string>; note: string }>([
    { nid: 1, ask: { acr_values: acr(1) }, note: 'the level of the session' },
    { nid: 2, ask: { acr_values: acr(0, 1, 2, 3) }, note: 'all levels, the lowest first' },
    { nid: 2, ask: { acr_values: acr(1) }, note: 'a lower level' },
    { nid: 1, ask: { acr_values: 'urn:example:unknown' }, note: 'an unknown value' },
    { nid: 2, ask: { claims: essential(2, 3) }, note: 'an essential level of the session' },
  ])('[SES-08] returns the level of the session for $note', async ({ nid, ask }) => {
    const browser = await openSignedInBrowser();
    await raiseLevel(nid);
    expect((await obtainTokens(browser, config, ask)).claims()?.acr).toBe(acr(nid));
  });

  test('[SES-08] requires a new sign-in for a higher level, and then returns that level', async () => {
    const browser = await openSignedInBrowser();
    await raiseLevel(1);
    await authorize(browser);
    const { request, login, processState } = await requestSignIn(browser, { acr_values: acr(2) });
    expect(login).toContain('/login?');
    expect(await server.parts.pendingRequests.findRequest(processState)).toMatchObject({
      requiredNid: 2,
      resumePath: `/oidc/v1/authorize/${processState}`,
    });
    await browser.signIn({ processState });
    await raiseLevel(2);
    const back = await resume(browser, processState);
    expect((await finishFlow(request, back)).claims()?.acr).toBe(acr(2));
  });

  test.each<{ ask: Record<string, string> }>([{ ask: { acr_values: acr(3) } }, { ask: { claims: essential(3) } }])(
    '[SES-08] returns an error if a new sign-in does not reach the level: $ask',
    async ({ ask }) => {
      const browser = openBrowser(server.origin);
      const { processState } = await requestSignIn(browser, ask);
      await browser.signIn({ processState });
      const { searchParams } = new URL(await resume(browser, processState));
      expect(searchParams.get('error')).toBe('unmet_authentication_requirements');
    },
  );

  test('[SES-08] requires an essential level even if acr_values contain a lower one', async () => {
    const browser = await openSignedInBrowser();
    await raiseLevel(1);
    await authorize(browser);
    const parameters = { claims: essential(2), acr_values: acr(1) };
    expect((await authorize(browser, { ...parameters, prompt: 'none' })).query.get('error')).toBe(
      'unmet_authentication_requirements',
    );
    const { processState } = await requestSignIn(browser, parameters);
    expect(await server.parts.pendingRequests.findRequest(processState)).toMatchObject({ requiredNid: 2 });
  });

  test("[SES-08] returns an error for an unreachable essential level, and for prompt=none above the session's level", async () => {
    const browser = await openSignedInBrowser();
    await raiseLevel(1);
    await authorize(browser);
    const impossible = JSON.stringify({ id_token: { acr: { essential: true, value: 'urn:example:gold' } } });
    expect((await authorize(browser, { claims: impossible })).query.get('error')).toBe(
      'unmet_authentication_requirements',
    );
    expect((await authorize(browser, { prompt: 'none', acr_values: acr(2) })).query.get('error')).toBe(
      'unmet_authentication_requirements',
    );
  });
});

describe('[SES-08] authorization request for one citizen', () => {
  const ask = (kind: string, { id_token: token = '' }: { id_token?: string }): Record<string, string> => {
    if (kind === 'id_token_hint') return { id_token_hint: token };
    const { sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return { claims: JSON.stringify({ id_token: { sub: { value: sub } } }) };
  };

  test.each(['id_token_hint', 'claims'])(
    'returns login_required if another citizen signs in, with %s',
    async (kind) => {
      const { request, back } = await authorize(await openSignedInBrowser());
      const named = ask(kind, await finishFlow(request, back));
      const browser = openBrowser(server.origin);
      const { processState } = await requestSignIn(browser, named);
      await browser.signIn({ ...otherCitizen, processState });
      const { searchParams } = new URL(await resume(browser, processState));
      expect(searchParams.get('error')).toBe('login_required');
    },
  );

  test.each(['id_token_hint', 'claims'])('succeeds once that citizen signs in, with %s', async (kind) => {
    const { request, back } = await authorize(await openSignedInBrowser());
    const tokens = await finishFlow(request, back);
    const browser = openBrowser(server.origin);
    await browser.signIn(otherCitizen);
    const { request: again, processState } = await requestSignIn(browser, ask(kind, tokens));
    await browser.signIn({ processState });
    expect((await finishFlow(again, await resume(browser, processState))).claims()?.sub).toBe(tokens.claims()?.sub);
  });
});

describe('[SES-08] authorization request with prompt=login', () => {
  test('returns the citizen of the new sign-in, even if another one was signed in', async () => {
    const browser = await openSignedInBrowser();
    const before = (await obtainTokens(browser, config)).claims()?.sub;
    const { request, processState } = await requestSignIn(browser, { prompt: 'login' });
    await browser.signIn({ ...otherCitizen, processState });
    const back = await completeAuthorization(browser, `/oidc/v1/authorize/${processState}`, server.origin);
    const { sub } = (await finishFlow(request, back)).claims() ?? {};
    expect([typeof sub, sub === before]).toEqual(['string', false]);
  });

  test('requires a sign-in again if the browser switches to an older session of another citizen', async () => {
    const old = openBrowser(server.origin);
    await old.signIn(otherCitizen);
    const { db } = server.parts.store;
    await db
      .updateTable('broker_sessions')
      .set({ created_at: new Date(Date.now() - 60_000) })
      .execute();
    const close = (at: Date | null) =>
      db.updateTable('citizens').set({ closing_at: at }).where('number', '=', '45123784').execute();
    const browser = openBrowser(server.origin);
    const { processState } = await requestSignIn(browser, { prompt: 'login' });
    await close(new Date(Date.now() + 86_400_000));
    await browser.signIn({ processState });
    const question = await resume(browser, processState);
    await close(null);
    browser.cookies.set('portal-session', old.cookies.get('portal-session') ?? expect.fail('no session'));
    const next = new URL(question).searchParams.get('next') ?? expect.fail(question);
    expect(await followRedirects(browser, next, server.origin)).toContain('/login?process_state=');
  });
});

describe('authorization and token requests', () => {
  test.each([
    {
      note: 'without PKCE',
      change: (url: URL) => (
        url.searchParams.delete('code_challenge'),
        url.searchParams.delete('code_challenge_method')
      ),
      error: 'invalid_request',
    },
    {
      note: 'with the PKCE method plain',
      change: (url: URL) => url.searchParams.set('code_challenge_method', 'plain'),
      error: 'invalid_request',
    },
    {
      note: 'for response_type token',
      change: (url: URL) => url.searchParams.set('response_type', 'token'),
      error: 'unsupported_response_type',
    },
  ])('[SES-08] $note are rejected', async ({ change, error }) => {
    const { url } = await beginFlow(config);
    change(url);
    const back = await followRedirects(await openSignedInBrowser(), url.href, server.origin);
    expect(back).toContain(`error=${error}`);
    expect(back).not.toContain('code=');
  });

  test('[SES-08] ignore unknown scopes', async () => {
    expect((await obtainTokens(await openSignedInBrowser(), config, { scope: 'openid personal nonsense' })).scope).toBe(
      'openid',
    );
  });

  test('[SES-08] return the claims of every requested scope', async () => {
    const tokens = await obtainTokens(await openSignedInBrowser(), config, {
      scope: 'openid personal_info profile document email auth_info',
    });
    expect(tokens.expires_in).toBe(300);
    expect(await client.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '')).toMatchObject({
      uid: 'uy-ci-45123784',
      name: 'Ana Lucía Pereira Sosa',
      given_name: 'Ana Lucía',
      family_name: 'Pereira Sosa',
      pais_documento: { codigo: 'uy', nombre: 'Uruguay' },
      tipo_documento: { codigo: 'ci', nombre: expect.any(String) },
      numero_documento: '45123784',
      email: 'ana.pereira@example.com',
      email_verified: true,
      rid: 'urn:iduruguay:rid:1',
      nid: 'urn:iduruguay:nid:1',
      ae: 'urn:iduruguay:ae:1',
    });
  });

  test('[SES-08] accept a code at most once, also in parallel', async () => {
    const { request, back } = await authorize(await openSignedInBrowser());
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => finishFlow(request, back)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
    await expect(finishFlow(request, back)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('[SES-08] return a refresh token for offline_access, which works once and after the logout', async () => {
    const browser = await openSignedInBrowser();
    const { refresh_token = '' } = await obtainTokens(browser, config, {
      scope: 'openid email offline_access',
      prompt: 'consent',
    });
    await browser.post('/auth/logout', {});
    const next = await client.refreshTokenGrant(config, refresh_token);
    expect((await client.fetchUserInfo(config, next.access_token, next.claims()?.sub ?? '')).email).toBe(
      'ana.pereira@example.com',
    );
    await usedBefore(11);
    await expect(client.refreshTokenGrant(config, refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  /** Moves the recorded uses of refresh tokens into the past. */
  const usedBefore = (seconds: number) =>
    sql`update oidc_records set consumed_at = consumed_at - ${seconds} * interval '1 second' where model = 'RefreshToken'`.execute(
      server.parts.store.db,
    );

  test('[SES-08] accept parallel uses of a refresh token, and another one within ten seconds', async () => {
    const { refresh_token: first = '' } = await obtainTokens(await openSignedInBrowser(), config, {
      scope: 'openid offline_access personal_info',
      prompt: 'consent',
    });
    const both = await Promise.all([1, 2].map(() => client.refreshTokenGrant(config, first)));
    await usedBefore(9);
    const repeated = await client.refreshTokenGrant(config, first);
    for (const tokens of [...both, repeated]) {
      await client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck);
      await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    }
  });

  test('[SES-08] revoke all tokens of a refresh token that is used again after ten seconds', async () => {
    const { refresh_token: first = '' } = await obtainTokens(await openSignedInBrowser(), config, {
      scope: 'openid offline_access personal_info',
      prompt: 'consent',
    });
    const tokens = await client.refreshTokenGrant(config, first);
    await usedBefore(11);
    await expect(client.refreshTokenGrant(config, first)).rejects.toMatchObject({ error: 'invalid_grant' });
    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toThrow();
    await expect(client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck)).rejects.toThrow();
  });

  test('[SES-08] return no refresh token without offline_access, and the access token ends with the session', async () => {
    const browser = await openSignedInBrowser();
    const tokens = await obtainTokens(browser, config);
    const read = () => client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck);
    expect(tokens.refresh_token).toBeUndefined();
    await read();
    await browser.post('/auth/logout', {});
    await expect(read()).rejects.toThrow();
  });

  test('[SES-08] store neither access token, code nor session cookie in plain text', async () => {
    const browser = await openSignedInBrowser();
    const { request, back } = await authorize(browser);
    const tokens = await finishFlow(request, back);
    const rows = JSON.stringify(await server.parts.store.db.selectFrom('oidc_records').selectAll().execute());
    for (const secret of [
      tokens.access_token,
      new URL(back).searchParams.get('code') ?? '',
      browser.cookies.get('portal-oidc')?.value ?? '',
    ]) {
      expect(secret.length).toBeGreaterThan(20);
      expect(rows).not.toContain(secret);
    }
  });
});

describe('[SES-08] malformed request', () => {
  test.each([
    { values: 'urn:iduruguay:nid:2' },
    { values: [2] },
    { values: { 0: 'x' } },
    { value: 2 },
    { value: ['x'] },
    { essential: 'yes' },
    5,
    'x',
    [],
    true,
  ])('returns invalid_request for the acr claim %j', async (asked) => {
    const claims = JSON.stringify({ id_token: { acr: asked } });
    for (const browser of [openBrowser(server.origin), await openSignedInBrowser()])
      expect((await authorize(browser, { claims })).query.get('error')).toBe('invalid_request');
  });

  test.each(['%00', 'app%00', '%ED%A0%80', '%01'])('returns a client error for the client id %s', async (name) => {
    const form = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      redirect: 'manual',
    } as const;
    const answers = await Promise.all([
      fetch(`${server.origin}/oidc/v1/authorize?response_type=code&scope=openid&client_id=${name}`, {
        redirect: 'manual',
      }),
      fetch(`${server.origin}/oidc/v1/token`, {
        ...form,
        body: `grant_type=authorization_code&code=x&client_id=${name}`,
      }),
      fetch(`${server.origin}/oidc/v1/logout?client_id=${name}&post_logout_redirect_uri=https://x.example/`, {
        redirect: 'manual',
      }),
      fetch(`${server.origin}/oidc/v1/logout`, {
        ...form,
        body: `client_id=${name}&post_logout_redirect_uri=https://x.example/`,
      }),
    ]);
    for (const { status, url } of answers) expect([url, status >= 400 && status < 500]).toEqual([url, true]);
  });
});
