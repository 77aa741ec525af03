import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as client from 'openid-client';
import {
  addConsent,
  rereadConsentedScopesWithConflict,
  findConsentedScopes,
  revokeClientAccess,
  withdrawConsentedScope,
} from '../../../../src/server/trust/federation/clients/scopes.ts';
import { revokeOtherAccess } from '../../../../src/server/trust/sessions/revoke-other-access.ts';
import { addSeconds } from '../../../../src/server/platform/base/clock.ts';
import type { Tx } from '../../../../src/server/platform/database/open-store.ts';
import { createOwner } from '../../support/account.ts';
import { openTestServer } from '../../support/test-server.ts';
import { openBrowser, type Browser } from '../../support/browser.ts';
import { findAuditFaults } from '../../support/audit.ts';
import { registerProvider } from '../../support/service-provider.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import {
  beginFlow,
  callback,
  answerConsent,
  finishFlow,
  followRedirects,
  configureRelyingParty,
  obtainTokens,
} from '../../support/relying-party.ts';

let server: LiveServer;
let config: client.Configuration;
let browser: Browser;

beforeAll(async () => {
  server = await startLiveServer();
  const secret = await server.register({
    id: 'app',
    name: 'Trámites',
    redirectUris: [callback],
    website: 'https://tramites.example',
    terms: 'https://tramites.example/terms',
    privacy: 'https://tramites.example/privacy',
    logo: 'https://tramites.example/logo.svg',
  });
  await server.register({ id: 'other', name: 'Otra', redirectUris: [callback] });
  config = await configureRelyingParty(server.origin, 'app', secret);
  browser = openBrowser(server.origin);
  await browser.signIn();
});
afterAll(() => server.close());

/** Redirects the browser to the consent page. Returns the URL of the page. */
async function ask(
  scope = 'openid email',
  by = browser,
): Promise<{ request: Awaited<ReturnType<typeof beginFlow>>; page: string; next: string }> {
  const request = await beginFlow(config, { scope });
  const page = await followRedirects(by, request.url.href, server.origin);
  return { request, page, next: new URL(page).searchParams.get('next') ?? '' };
}

async function describeClient(id: string, next: string, by = browser): Promise<Response> {
  return by.get(`/rest/clients/${id}/?next=${next}&scopes=openid+document`, {
    authorization: `Bearer ${await by.bearer()}`,
  });
}

async function revokeConsent(): Promise<string> {
  const { db } = server.parts.store;
  const { id } = await db
    .selectFrom('citizens')
    .select('id')
    .where('number', '=', '45123784')
    .executeTakeFirstOrThrow();
  await server.parts.store.transaction((tx) => revokeClientAccess(tx, id, 'app'));
  return id;
}

describe('consent page', () => {
  test("[CONS-01 CONS-02 ENT-03] shows application, scopes and values from the server's records, not from its address", async () => {
    const { page, next } = await ask();
    expect(new URL(page).pathname).toBe('/autorizacion');
    expect(Object.fromEntries(new URL(page).searchParams)).toEqual({ client_id: 'app', scope: 'openid email', next });
    const answer = await describeClient('app', next);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      name: 'Trámites',
      website_url: 'https://tramites.example',
      url: 'https://tramites.example',
      terms_url: 'https://tramites.example/terms',
      priv_url: 'https://tramites.example/privacy',
      logo: null, // the logo has never been fetched
      scopes: [
        {
          scope: 'email',
          name: expect.any(String),
          description: expect.any(String),
          value: expect.stringContaining('@'),
        },
      ],
      citizen: expect.stringMatching(/^\S+ .*, .*4\.512\.378-4, Uruguay$/),
      state: next,
      es_extranjero: false,
      rid_alto_sin_2do_factor: false,
    });
  });

  test('[CONS-02] shows the scope of a single requested claim', async () => {
    const request = await beginFlow(config, {
      scope: 'openid',
      claims: JSON.stringify({ userinfo: { numero_documento: null } }),
    });
    const page = await followRedirects(browser, request.url.href, server.origin);
    const { scopes } = await (await describeClient('app', new URL(page).searchParams.get('next') ?? '')).json();
    expect(scopes.map(({ scope }: { scope: string }) => scope)).toEqual(['document']);
  });

  test('[CONS-02] shows data contained in another scope only once, with the values', async () => {
    const { next } = await ask('openid personal_info profile document email');
    const { scopes, citizen } = await (await describeClient('app', next)).json();
    expect(scopes.map(({ scope }: { scope: string }) => scope)).toEqual(['personal_info', 'email']);
    expect(scopes[0].value).toBe(citizen);
  });

  test('[CONS-01] returns no application to strangers, other citizens, other sessions and unknown requests', async () => {
    const { next } = await ask();
    const stranger = openBrowser(server.origin);
    expect((await stranger.get(`/rest/clients/app/?next=${next}`)).status).toBe(401);
    await stranger.signIn({ document: '29458715', password: 'playa-de-invierno' });
    expect((await describeClient('app', next, stranger)).status).toBe(404);
    const secondSession = openBrowser(server.origin);
    await secondSession.signIn();
    expect((await describeClient('app', next, secondSession)).status).toBe(404);
    expect((await describeClient('other', next)).status).toBe(404);
    expect((await describeClient('app', 'made-up')).status).toBe(404);
    expect((await describeClient('app', '')).status).toBe(404);
  });

  test('[CONS-01 ENT-03] describes an application without a request, with the registered ones of the named scopes', async () => {
    await server.register({ id: 'narrow', name: 'Acotada', redirectUris: [callback], scopes: ['email'] });
    const ask = async (id: string, query: string) =>
      browser.get(`/rest/clients/${id}/${query}`, { authorization: `Bearer ${await browser.bearer()}` });
    const answer = await ask('app', '?scopes=openid+document+nonsense');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      name: 'Trámites',
      terms_url: 'https://tramites.example/terms',
      scopes: [{ scope: 'document', name: expect.any(String), description: expect.any(String) }],
      state: '',
    });
    expect(await (await ask('narrow', '?scopes=openid+document+email')).json()).toMatchObject({
      name: 'Acotada',
      scopes: [{ scope: 'email' }],
    });
    expect(await (await ask('app', '')).json()).toMatchObject({ name: 'Trámites', scopes: [] });
    expect((await ask('nobody', '?scopes=openid')).status).toBe(404);
    expect((await openBrowser(server.origin).get('/rest/clients/app/?scopes=openid')).status).toBe(401);
  });
});

describe('consent decision', () => {
  const post = async (body: object, by = browser) =>
    by.post(
      '/oidc/v1/consent',
      { client_id: 'app', allow: true, ...body },
      { authorization: `Bearer ${await by.bearer()}` },
    );

  test('[CONS-03] to allow continues to the application, and is stored and audited with scopes, text version and time', async () => {
    const { request, page } = await ask();
    const back = await answerConsent(browser, page, server.origin);
    await finishFlow(request, back);
    const { db } = server.parts.store;
    expect(await db.selectFrom('consents').selectAll().execute()).toEqual([
      expect.objectContaining({
        client_id: 'app',
        scopes: 'openid email',
        texts_version: 1,
        given_at: expect.any(Date),
      }),
    ]);
    const entry = await db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'consent-given')
      .executeTakeFirstOrThrow();
    expect(JSON.parse(entry.details)).toEqual({
      client: 'app',
      scopes: ['openid', 'email'],
      textsVersion: 1,
      es_extranjero: false,
      rid_alto_sin_2do_factor: false,
    });
    expect(await findAuditFaults(server.parts)).toEqual([]);
  });

  test('[CONS-03] is not requested again until more scopes are requested', async () => {
    const same = await ask('openid email');
    expect(same.page).toContain('code=');
    const more = await ask('openid email document');
    expect(more.page).toContain('/autorizacion?');
    const { request, page } = more;
    const tokens = await finishFlow(request, await answerConsent(browser, page, server.origin));
    expect(tokens.scope).toBe('openid email document');
    expect((await ask('openid document')).page).toContain('code=');
  });

  test('[CONS-03] is valid in a later session', async () => {
    const later = openBrowser(server.origin);
    await later.signIn();
    expect((await ask('openid email', later)).page).toContain('code=');
  });

  test('[CONS-03] to refuse returns access_denied with its state to the application', async () => {
    await revokeConsent();
    const { request, page } = await ask();
    const { searchParams } = new URL(await answerConsent(browser, page, server.origin, false));
    expect(Object.fromEntries(searchParams)).toMatchObject({
      error: 'access_denied',
      state: request.checks.expectedState,
    });
    const { db } = server.parts.store;
    expect(await db.selectFrom('consents').selectAll().execute()).toEqual([]);
    const refusals = db.selectFrom('audit').select('address').where('action', '=', 'consent-refused');
    expect(await refusals.execute(), 'audit log').toHaveLength(1);
  });

  test('[CONS-03] ignores origin and level sent by the browser', async () => {
    await revokeConsent();
    const { next } = await ask();
    const answer = await post({ next, es_extranjero: true, rid_alto_sin_2do_factor: true });
    expect(await answer.json()).toEqual({ location: `/oidc/v1/authorize/${next}` });
    expect(await followRedirects(browser, `/oidc/v1/authorize/${next}`, server.origin)).toContain('code=');
    const entry = await server.parts.store.db
      .selectFrom('audit')
      .select('details')
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(entry.details)).toMatchObject({ es_extranjero: false, rid_alto_sin_2do_factor: false });
  });

  test('[CONS-03 ENT-01] is audited with the level of the record and the session, whatever the browser sends', async () => {
    await revokeConsent();
    const { db } = server.parts.store;
    const { next } = await ask();
    const bearer = await browser.bearer();
    const { id } = await db
      .selectFrom('citizens')
      .select('id')
      .where('number', '=', '45123784')
      .executeTakeFirstOrThrow();
    await db.updateTable('citizens').set({ level: 'Verificado' }).where('id', '=', id).execute();
    const record = await (await browser.get(`/rest/ciudadanos/${id}/`, { authorization: `Bearer ${bearer}` })).json();
    expect(record).toMatchObject({ rid: 'Medio', acr: 'urn:iduruguay:nid:1' });
    const told = await (await describeClient('app', next)).json();
    expect(told).toMatchObject({ es_extranjero: false, rid_alto_sin_2do_factor: true });
    await post({ next, es_extranjero: true, rid_alto_sin_2do_factor: false });
    await db.updateTable('citizens').set({ level: 'Autoregistro con CI' }).where('id', '=', id).execute();
    const entry = await db
      .selectFrom('audit')
      .select('details')
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(entry.details)).toMatchObject({ es_extranjero: false, rid_alto_sin_2do_factor: true });
  });

  test.each([
    { note: 'another application', change: { client_id: 'other' }, status: 404 },
    { note: 'a made-up request', change: { next: 'made-up' }, status: 404 },
    { note: 'an address as the request', change: { next: 'https://evil.example/' }, status: 404 },
    { note: 'a scope added by the browser', change: { scope: 'openid document' }, status: 400 },
    { note: 'no decision', change: { allow: undefined }, status: 400 },
    { note: 'a text as the decision', change: { allow: 'true' }, status: 400 },
  ])('[CONS-03] rejects $note', async ({ change, status }) => {
    await revokeConsent();
    const { next } = await ask();
    const refused = await post({ next, ...change });
    expect(refused.status).toBe(status);
    if (status === 404) expect((await refused.json()).location).toBe('/error?errorCode=OIDC_ERROR');
    expect(await followRedirects(browser, `/oidc/v1/authorize/${next}`, server.origin)).not.toContain('code=');
  });

  test('[CONS-03] is rejected from another session of the citizen and from another site', async () => {
    await revokeConsent();
    const { next } = await ask();
    const other = openBrowser(server.origin);
    await other.signIn();
    expect((await post({ next }, other)).status).toBe(404);
    const foreign = await browser.post(
      '/oidc/v1/consent',
      { client_id: 'app', next, allow: true },
      {
        authorization: `Bearer ${await browser.bearer()}`,
        origin: 'https://evil.example',
      },
    );
    expect(foreign.status).toBe(403);
  });

  test('[CONS-03] is revoked together with grant and tokens', async () => {
    await revokeConsent();
    const { request, page } = await ask('openid email');
    const tokens = await finishFlow(request, await answerConsent(browser, page, server.origin));
    const read = () => client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck);
    await read();
    const citizenId = await revokeConsent();
    await expect(read()).rejects.toThrow();
    const { db } = server.parts.store;
    expect(
      await db
        .selectFrom('oidc_records')
        .selectAll()
        .where('account_id', '=', citizenId)
        .where('client_id', '=', 'app')
        .execute(),
    ).toEqual([]);
    expect((await ask('openid email')).page).toContain('/autorizacion?');
  });

  test('[ASVS-10.7.3] loses its tokens when a scope is withdrawn, and the next sign-in requests only that scope', async () => {
    await revokeConsent();
    const scope = 'openid email document offline_access';
    const tokens = await obtainTokens(browser, config, { scope, prompt: 'consent' });
    const authorization = `Bearer ${await browser.bearer()}`;
    const [application] = await (await browser.get('/rest/aplicaciones/', { authorization })).json();
    const withdrawn = await fetch(`${server.origin}/rest/aplicaciones/${application.id}/datos/email/`, {
      method: 'DELETE',
      headers: { authorization },
    });
    expect(withdrawn.status).toBe(200);
    await expect(client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck)).rejects.toThrow();
    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    const less = await ask('openid document');
    expect(new URL(less.page).searchParams.get('code'), 'no consent needed for the remaining scopes').toBeTruthy();
    const scopesAsked = async (next: string): Promise<string[]> =>
      (await (await describeClient('app', next)).json()).scopes.map(({ scope }: { scope: string }) => scope);
    const again = await ask('openid email document');
    expect(await scopesAsked(again.next)).toEqual(['email']);
    const { access_token } = await finishFlow(again.request, await answerConsent(browser, again.page, server.origin));
    expect(await client.fetchUserInfo(config, access_token, client.skipSubjectCheck)).toMatchObject({
      email: expect.any(String),
      numero_documento: '45123784',
    });
    const whole = await beginFlow(config, { scope: 'openid email document', prompt: 'consent' });
    const wholePage = await followRedirects(browser, whole.url.href, server.origin);
    expect(await scopesAsked(new URL(wholePage).searchParams.get('next') ?? '')).toEqual(['document', 'email']);
  });

  test('[ASVS-10.7.3] does not restore a scope that was withdrawn while the page was open', async () => {
    const citizenId = await revokeConsent();
    const { page: first } = await ask('openid document');
    await answerConsent(browser, first, server.origin);
    const { page, next } = await ask('openid document email');
    const described = await (await describeClient('app', next)).json();
    expect(described.scopes.map(({ scope }: { scope: string }) => scope)).toEqual(['email']);
    const { store } = server.parts;
    const { id } = await store.db
      .selectFrom('consents')
      .select('id')
      .where('client_id', '=', 'app')
      .executeTakeFirstOrThrow();
    await store.transaction((tx) => withdrawConsentedScope(tx, { citizenId, id, scope: 'document' }));
    const again = await answerConsent(browser, page, server.origin);
    expect(again, 'consent requested for the missing scopes').toContain('/autorizacion?');
    expect((await findConsentedScopes(store.db, citizenId, 'app'))?.toSorted()).toEqual(['email', 'openid']);
  });

  test.each<{ note: string; end: (citizenId: string, id: string) => Promise<unknown> }>([
    {
      note: 'a scope is withdrawn',
      end: (citizenId, id) =>
        server.parts.store.transaction((tx) => withdrawConsentedScope(tx, { citizenId, id, scope: 'email' })),
    },
    { note: 'the consent is revoked', end: () => revokeConsent() },
    {
      note: 'an account change ends the session',
      end: (citizenId) =>
        server.parts.store.transaction((tx) => revokeOtherAccess(tx, citizenId, server.parts.clock.now(), null)),
    },
  ])('[ASVS-10.7.3] returns no tokens if $note while a request is answered', async ({ end }) => {
    const citizenId = await revokeConsent();
    const { page } = await ask('openid email document');
    await answerConsent(browser, page, server.origin);
    const { id } = await server.parts.store.db
      .selectFrom('consents')
      .select('id')
      .where('client_id', '=', 'app')
      .executeTakeFirstOrThrow();
    const grants: { save(...given: unknown[]): Promise<unknown> } = server.parts.oidc.provider.Grant.prototype;
    const saving = vi.spyOn(grants, 'save').mockImplementationOnce(async function (this: typeof grants, ...given) {
      await end(citizenId, id);
      return this.save(...given);
    });
    onTestFinished(async () => {
      saving.mockRestore();
      await browser.signIn();
    });
    const { url, checks } = await beginFlow(config, { scope: 'openid email document', prompt: 'none' });
    const answer = new URL(await followRedirects(browser, url.href, server.origin));
    expect(saving).toHaveBeenCalled();
    expect(answer.searchParams.get('error')).toMatch(/^(consent|login|interaction)_required$/);
    const left = await server.parts.store.db
      .selectFrom('oidc_records')
      .select('model')
      .where('account_id', '=', citizenId)
      .where('client_id', '=', 'app')
      .where('model', 'in', ['AuthorizationCode', 'AccessToken'])
      .execute();
    expect([left, checks.expectedState]).toEqual([[], answer.searchParams.get('state')]);
  });

  test('[ASVS-10.7.3] is not left in a grant stored during a withdrawal, a revocation or the end of the session', async () => {
    const other = await openTestServer({ database: 'postgresql' });
    onTestFinished(() => other.close());
    const { store } = other.parts;
    const now = other.clock.now();
    const scopes = ['openid', 'document', 'email'];
    const ends: Readonly<Record<string, (tx: Tx, citizenId: string, id: string) => Promise<unknown>>> = {
      X1: (tx, citizenId, id) => withdrawConsentedScope(tx, { citizenId, id, scope: 'email' }),
      X2: (tx, citizenId) => revokeClientAccess(tx, citizenId, 'app'),
      X3: (tx, citizenId) => revokeOtherAccess(tx, citizenId, now, null),
    };
    for (const [number, end] of Object.entries(ends)) {
      const { id: citizenId, caller } = await createOwner(other, number);
      await store.transaction((tx) => addConsent(tx, { citizenId, clientId: 'app', scopes, now }));
      const confirm = () =>
        rereadConsentedScopesWithConflict(store.db, { citizenId, clientId: 'app', oidcUid: number, now });
      const session = store.db.updateTable('broker_sessions').where('id', '=', caller.sessionId);
      await session.set({ oidc_uid: number }).execute();
      const record = { model: 'Grant', id: number, payload: '', account_id: citizenId, client_id: 'app' };
      let runs = 0;
      await store.transaction(async (tx) => {
        const own = tx.selectFrom('consents').select('id').where('citizen_id', '=', citizenId);
        const { id } = await own.executeTakeFirstOrThrow();
        runs += 1;
        if (runs === 1) {
          await store.db
            .insertInto('oidc_records')
            .values({ ...record, expires_at: addSeconds(now, 60) })
            .execute();
          expect(await confirm()).toEqual(scopes);
        }
        await end(tx, citizenId, id);
      });
      const left = await store.db.selectFrom('oidc_records').select('id').where('id', '=', number).execute();
      expect([runs, left]).toEqual([2, []]);
      expect(await confirm()).not.toEqual(scopes);
    }
  });

  test('[CONS-03] is not inherited by a new application with the id of a removed one', async () => {
    const registration = { id: 'vieja', name: 'Vieja', redirectUris: [callback] };
    await server.register(registration, 'public');
    const own = await configureRelyingParty(server.origin, 'vieja', '');
    const scope = 'openid email offline_access';
    const { refresh_token = '' } = await obtainTokens(browser, own, { scope, prompt: 'consent' });
    expect(await server.parts.oidc.clients.remove('vieja')).toBe(true);
    await server.register({ ...registration, name: 'Nueva' }, 'public');
    await expect(client.refreshTokenGrant(own, refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
    const again = await beginFlow(own, { scope: 'openid email' });
    expect(await followRedirects(browser, again.url.href, server.origin)).toContain('/autorizacion?client_id=vieja');
  });

  test('[CONS-03 FED-01] is removed together with a SAML service provider, like its session participants', async () => {
    const { db } = server.parts.store;
    const { id: clientId } = await registerProvider(server, { registration: { consent: true } });
    const consents = () => db.selectFrom('consents').select('client_id').where('client_id', '=', clientId).execute();
    const { id } = await db.selectFrom('citizens').select('id').limit(1).executeTakeFirstOrThrow();
    await server.parts.store.transaction((tx) =>
      addConsent(tx, { citizenId: id, clientId, scopes: ['email'], now: new Date() }),
    );
    const { id: session } = await db.selectFrom('broker_sessions').select('id').limit(1).executeTakeFirstOrThrow();
    const known = { name_id: 'uy-ci-45123784', name_id_format: 'x', session_index: 'x', signed_in_at: new Date() };
    await db
      .insertInto('saml_participants')
      .values({ session_id: session, provider: clientId, ...known })
      .execute();
    expect(await consents()).toHaveLength(1);
    expect(await server.parts.saml.providers.remove(clientId)).toBe(true);
    expect(await consents()).toEqual([]);
    const met = db.selectFrom('saml_participants').select('name_id').where('provider', '=', clientId);
    expect(await met.execute(), 'participants of the session').toEqual([]);
  });
});
