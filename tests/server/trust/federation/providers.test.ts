import * as oidc from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { unlinkIdentities } from '../../../../src/server/trust/federation/upstream/provider-identities.ts';
import { findLiveSessionOfCookie } from '../../../../src/server/trust/sessions/broker-sessions.ts';
import { openBrowser, type Browser } from '../../support/browser.ts';
import {
  createAbitabEntry,
  createBrazilEntry,
  writeProvidersFile,
  startIssuer,
  type TestIssuer,
} from '../../support/test-issuer.ts';
import {
  beginFlow,
  callback,
  answerConsent,
  finishFlow,
  followRedirects,
  configureRelyingParty,
} from '../../support/relying-party.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';

const foreignClaims = { number: { var: 'cpf' }, firstName: { var: 'name' } };
/** Claims of a provider whose users have documents of several countries. */
const anyDocument = { ...foreignClaims, country: { var: 'country' }, type: { var: 'type' } };

let server: LiveServer;
let issuer: TestIssuer;
let other: TestIssuer;
let browser: Browser;

beforeAll(async () => {
  issuer = await startIssuer(await findFreePort());
  other = await startIssuer(await findFreePort());
  server = await startLiveServer({
    NODE_ENV: 'test',
    IDPS_FILE: writeProvidersFile([
      createBrazilEntry(issuer.origin),
      createBrazilEntry(other.origin, { identificador: 'py', nombre: 'Paraguay', maxLevel: 1, claims: foreignClaims }),
      createBrazilEntry(`${issuer.origin}/hub`, { identificador: 'hub', nombre: 'Mercosur', claims: anyDocument }),
      createAbitabEntry(issuer.origin),
    ]),
    IDP_SECRETS: 'br=el-secreto',
  });
});
afterAll(async () => {
  await server.close();
  await issuer.close();
  await other.close();
});
beforeEach(() => {
  browser = openBrowser(server.origin);
  Object.assign(issuer, { forge: {}, broken: null });
  issuer.claims = { sub: 'a-1', name: 'João Souza', cpf: '12345678909', acr: 'gold' };
  other.claims = issuer.claims;
});

/** Starts a sign-in with an identity provider. Returns the authorization request. */
async function startProviderSignIn(idp = 'br', more = '', headers: Record<string, string> = {}): Promise<string> {
  const response = await browser.get(`/auth/idp-login?idp=${idp}${more}`, headers);
  expect(response.status).toBe(303);
  return response.headers.get('location') ?? '';
}

/** Returns the decoded target of a redirect, or the status if there is none. */
const readRedirect = (response: Response): string =>
  decodeURIComponent(response.headers.get('location') ?? `${response.status}`);

/** Returns the claims of the browser's token. */
async function claims(): Promise<Record<string, unknown>> {
  const [, payload = ''] = (await browser.bearer()).split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}

const people = () => server.parts.store.db.selectFrom('citizens').selectAll().where('idp', 'is not', null).execute();

/** Adds e-mail codes as a citizen's second factor. */
const addFactor = (citizenId: string) =>
  server.parts.store.db
    .insertInto('second_factors')
    .values({
      id: `f-${citizenId}`,
      citizen_id: citizenId,
      kind: 'email',
      secret: null,
      last_step: null,
      created_at: new Date(),
      activated_at: new Date(),
    })
    .execute();

/** Returns the audit rows of a citizen's rejected sign-ins. */
const listRefusedSignIns = async (citizenId: string): Promise<readonly unknown[]> =>
  (
    await server.parts.store.db
      .selectFrom('audit')
      .select('details')
      .where('action', '=', 'sign-in-failed')
      .where('citizen_id', '=', citizenId)
      .orderBy('seq')
      .execute()
  ).map(({ details }) => JSON.parse(details ?? 'null'));

describe('[SES-11 FED-02] sign-in with a foreign OpenID provider', () => {
  test("starts a session with the provider's name, and shows the citizen the provider's data", async () => {
    const asked = new URL(await startProviderSignIn());
    expect(asked.origin + asked.pathname).toBe(`${issuer.origin}/authorize`);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      client_id: 'portal',
      redirect_uri: `${server.origin}/idp/br/callback`,
      code_challenge_method: 'S256',
      response_type: 'code',
    });
    const tries = async () => {
      const rows = await server.parts.store.db.selectFrom('throttle').select('tries').execute();
      return rows.reduce((sum, row) => sum + row.tries, 0);
    };
    const counted = await tries();
    const back = await browser.get(issuer.authorizationResponse(asked.href));
    expect(await tries(), 'a successful sign-in subtracts its attempt').toBe(counted - 1);
    expect(readRedirect(back)).toBe('/ingreso-proveedor?next=/seguridad-idp');
    expect(await claims()).toMatchObject({ idp: 'br' });
    const [person] = await people();
    const answer = await browser.get(`/federated-identity/obtener-mis-datos-idp/${person?.id}/`, {
      authorization: `Bearer ${await browser.bearer()}`,
    });
    expect(await answer.json()).toMatchObject({
      nombre_completo: 'João Souza',
      numero_documento: '12345678909',
      documento: { pais_emisor: { codigo: 'br' }, tipo_documento: { codigo: 'cpf' } },
      acr: 'urn:iduruguay:nid:3',
    });
  });

  test('[RUTA-13 IDP-03] gives no access to the list of sessions, and returns 404 for data of an unknown person', async () => {
    await browser.get(issuer.authorizationResponse(await startProviderSignIn()));
    const [person] = await people();
    const headers = { authorization: `Bearer ${await browser.bearer()}` };
    expect(person?.idp).toBe('br');
    expect((await browser.get('/rest/sesiones/', headers)).status).toBe(403);
    expect((await browser.get('/federated-identity/obtener-mis-datos-idp/nobody/', headers)).status).toBe(404);
  });

  test('identifies a person by issuer and subject, and updates the name', async () => {
    await browser.get(issuer.authorizationResponse(await startProviderSignIn()));
    const first = (await claims())['cid'];
    issuer.claims = { ...issuer.claims, name: 'João da Silva', cpf: '12345678909', email: 'ana.pereira@example.com' };
    await browser.get(issuer.authorizationResponse(await startProviderSignIn()));
    expect((await claims())['cid']).toBe(first);
    expect((await people()).find(({ id }) => id === first)?.first_name).toBe('João da Silva');
    issuer.claims = { ...issuer.claims, sub: 'a-2' };
    browser = openBrowser(server.origin);
    await browser.get(issuer.authorizationResponse(await startProviderSignIn()));
    expect((await claims())['cid']).not.toBe(first);
    issuer.claims = { ...issuer.claims, sub: 'a-1' };
    browser = openBrowser(server.origin);
    await browser.get(other.authorizationResponse(await startProviderSignIn('py')));
    expect((await claims())['cid'], 'the same subject of another issuer').not.toBe(first);
  });

  test.each([
    ['gold', 'br', 3],
    ['bronze', 'br', 1],
    ['platinum', 'br', 0],
    [undefined, 'br', 0],
    ['gold', 'py', 1],
  ])('maps acr %s of provider %s to level %i', async (acr, idp, nid) => {
    const at = idp === 'br' ? issuer : other;
    at.claims = { sub: 'a-1', name: 'João', cpf: '12345678909', ...(acr !== undefined && { acr }) };
    await browser.get(at.authorizationResponse(await startProviderSignIn(idp)));
    const secret = browser.cookies.get('portal-session')?.value ?? '';
    expect(await findLiveSessionOfCookie(server.parts.store.db, secret, new Date())).toMatchObject({
      nid,
      idp,
      role: 'foreign',
    });
  });

  test('[IDP-01] sets idp in ID tokens and userinfo, also on refresh after the session was deleted', async () => {
    await server.register({ id: 'app', name: 'App', redirectUris: [callback] }, 'public');
    const config = await configureRelyingParty(server.origin, 'app', '');
    const request = await beginFlow(config, { scope: 'openid personal_info offline_access', prompt: 'consent' });
    const login = await followRedirects(browser, request.url.href, server.origin);
    const state = new URL(login, server.origin).searchParams.get('process_state') ?? '';
    const asking = await startProviderSignIn('br', `&process_state=${state}`, { 'sec-fetch-site': 'cross-site' });
    const back = readRedirect(await browser.get(issuer.authorizationResponse(asking)));
    const next = new URL(back, server.origin).searchParams.get('next') ?? '';
    const asked = await followRedirects(browser, next, server.origin);
    const { searchParams } = new URL(asked, server.origin);
    const client = await browser.get(`/rest/clients/app/?next=${searchParams.get('next')}&scopes=`, {
      authorization: `Bearer ${await browser.bearer()}`,
    });
    expect(await client.json()).toMatchObject({
      citizen: expect.stringMatching(/^João Souza, .* \(gov\.br\)$/),
      es_extranjero: true,
    });
    const ended = await answerConsent(browser, asked, server.origin);
    const tokens = await finishFlow(request, ended);
    expect(tokens.claims()).toMatchObject({
      idp: 'br',
      acr: 'urn:iduruguay:nid:3',
      amr: ['urn:iduruguay:am:idp:ae:3'],
    });
    const { db } = server.parts.store;
    await db.deleteFrom('broker_sessions').where('idp', '=', 'br').execute(); // simulates the cleanup job a day after the session has ended
    const renewed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(renewed.claims()).toMatchObject({ idp: 'br' });
    const { sub = '' } = renewed.claims() ?? {};
    expect(await oidc.fetchUserInfo(config, renewed.access_token, sub)).toMatchObject({ idp: 'br' });
    await db.updateTable('provider_identities').set({ provider: 'otro' }).where('citizen_id', '=', sub).execute();
    const other = { provider: 'py', issuer: 'x', subject: 'x', citizen_id: sub };
    const at = new Date();
    await db
      .insertInto('provider_identities')
      .values({ ...other, linked_at: at, used_at: at })
      .execute();
    await expect(oidc.refreshTokenGrant(config, renewed.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await db.deleteFrom('provider_identities').where('citizen_id', '=', sub).execute();
  });

  test('redirects to the sign-in page if another site started it', async () => {
    const from = { 'sec-fetch-site': 'cross-site' };
    expect(await startProviderSignIn('br', '&redirectUrl=%2Fayuda', from)).toBe('/login?redirectUrl=%2Fayuda');
    expect(await startProviderSignIn('br', '&process_state=x', from)).toBe('/login');
    expect(await startProviderSignIn('br', '', { 'sec-fetch-site': 'same-origin' })).toContain(issuer.origin);
  });

  test('is rejected in a browser where another person is signed in, and stores nothing', async () => {
    await browser.get(issuer.authorizationResponse(await startProviderSignIn()));
    const mine = (await claims())['cid'];
    issuer.claims = { ...issuer.claims, sub: 'a-3' };
    const before = await people();
    const answer = await browser.get(issuer.authorizationResponse(await startProviderSignIn()));
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('hay una sesión de otra persona');
    expect((await claims())['cid']).toBe(mine);
    expect(await people()).toHaveLength(before.length);
  });

  test('requires two factors if the record has become an account with a second factor', async () => {
    issuer.claims = { ...issuer.claims, sub: 'a-4', cpf: '98765432100' };
    await browser.get(issuer.authorizationResponse(await startProviderSignIn()));
    const { db } = server.parts.store;
    const { cid: id } = (await claims()) as { cid: string };
    await db.updateTable('citizens').set({ idp: null }).where('id', '=', id).execute();
    await addFactor(id);
    issuer.claims = { ...issuer.claims, acr: 'bronze' };
    expect(readRedirect(await browser.get(issuer.authorizationResponse(await startProviderSignIn())))).toContain(
      'errorCode=IDP_ERROR',
    );
    expect(await listRefusedSignIns(id)).toEqual([{ idp: 'br', reason: 'second-factor' }]);
    issuer.claims = { ...issuer.claims, acr: 'silver' };
    expect(readRedirect(await browser.get(issuer.authorizationResponse(await startProviderSignIn())))).toContain(
      '/seguridad-idp',
    );
  });

  test('requests a new authentication from the same provider if the citizen is signed in, and stores auth_time', async () => {
    const maxAge = async (idp: string) => new URL(await startProviderSignIn(idp)).searchParams.get('max_age');
    expect(await maxAge('br')).toBeNull();
    const signedIn = Math.floor(Date.now() / 1000) - 600;
    issuer.claims = { ...issuer.claims, sub: 'a-5', cpf: '11122233396', auth_time: signedIn };
    await browser.get(issuer.authorizationResponse(await startProviderSignIn()));
    const { authenticated_at: provedAt } = await server.parts.store.db
      .selectFrom('broker_sessions')
      .select('authenticated_at')
      .where('citizen_id', '=', `${(await claims())['cid']}`)
      .executeTakeFirstOrThrow();
    expect(provedAt).toEqual(new Date(signedIn * 1000));
    expect(await maxAge('br')).toBe('0');
    expect(await maxAge('py')).toBeNull();
  });

  test('redirects to a path of the portal, and not to another site', async () => {
    const back = await browser.get(
      issuer.authorizationResponse(await startProviderSignIn('br', '&redirectUrl=%2Fayuda')),
    );
    expect(readRedirect(back)).toBe('/ingreso-proveedor?next=/ayuda');
    const out = await browser.get(
      issuer.authorizationResponse(await startProviderSignIn('br', '&redirectUrl=https%3A%2F%2Fevil.example%2F')),
    );
    expect(readRedirect(out)).toBe('/ingreso-proveedor?next=/');
  });
});

describe('[SES-11 FED-04] link with a national provider', () => {
  const asked = async (by = browser): Promise<string> => {
    const response = await by.get('/auth/idp-link');
    return response.ok ? (await response.json()).pregunta : 'ninguna';
  };
  const link = async (vincular: boolean, by = browser, pregunta?: string) =>
    by.post('/auth/idp-link', { vincular, pregunta: pregunta ?? (await asked(by)) });
  const idOfAna = async (): Promise<string> =>
    (
      await server.parts.store.db
        .selectFrom('citizens')
        .select('id')
        .where('number', '=', '45123784')
        .executeTakeFirstOrThrow()
    ).id;
  const linked = async (): Promise<readonly string[]> =>
    (
      await server.parts.store.db
        .selectFrom('provider_identities')
        .selectAll()
        .where('provider', '=', 'abitab')
        .execute()
    ).map(({ subject }) => subject);
  const ana = { sub: 'n-1', document: '45123784', given_name: 'Ana Lucía', family_name: 'Pereira', acr: 'substantial' };
  const come = async (): Promise<Response> =>
    browser.get(issuer.authorizationResponse(await startProviderSignIn('abitab')));

  beforeEach(async () => {
    issuer.claims = ana;
    const { db } = server.parts.store;
    await db.deleteFrom('provider_identities').where('provider', '=', 'abitab').execute();
    await db.deleteFrom('provider_refusals').execute();
  });

  test('needs a confirmation in the same browser, then signs the citizen in and sends a notice', async () => {
    expect(readRedirect(await come())).toBe('/ingreso-proveedor');
    expect(browser.cookies.get('portal-session'), 'no session before the confirmation').toBeUndefined();
    expect(await (await browser.get('/auth/idp-link')).json()).toEqual({
      pregunta: expect.stringMatching(/^[0-9a-f]{64}$/),
      proveedor: 'Identidad Abitab',
      nombre: 'Ana Lucía Pereira',
      documento: '45123784',
    });
    expect((await openBrowser(server.origin).get('/auth/idp-link')).status).toBe(404);
    expect((await link(true, openBrowser(server.origin), await asked())).status).toBe(410);
    expect((await link(true, browser, 'otra')).status, 'request that was not shown').toBe(410);
    expect(await (await link(true)).json()).toMatchObject({
      location: null,
      next: expect.stringContaining('/configurar-segundo-factor'),
    });
    expect(await claims()).toMatchObject({ idp: 'abitab' });
    expect(await linked()).toEqual(['n-1']);
    expect((await link(true)).status, 'second confirmation').toBe(410);
    const mails = await server.parts.store.db.selectFrom('outbox').select(['recipient', 'subject']).execute();
    expect(mails).toContainEqual({
      recipient: 'ana.pereira@example.com',
      subject: 'Se vinculó Identidad Abitab con tu cuenta de Usuario digital',
    });
    const { rows } = { rows: await server.parts.store.db.selectFrom('audit').select('action').execute() };
    expect(rows.map(({ action }) => action)).toContain('provider-linked');
  });

  test('signs the citizen in without a question later, is listed, and can be removed', async () => {
    await come();
    await link(true);
    const first = browser;
    browser = openBrowser(server.origin);
    expect(readRedirect(await come())).toContain('/ingreso-proveedor?next=');
    const { cid } = (await claims()) as { cid: string };
    const secret = browser.cookies.get('portal-session')?.value ?? '';
    expect(await findLiveSessionOfCookie(server.parts.store.db, secret, new Date())).toMatchObject({
      role: 'citizen',
      nid: 1,
      idp: 'abitab',
    });
    const headers = { authorization: `Bearer ${await browser.bearer()}` };
    const list = `/rest/ciudadanos/${cid}/proveedores/`;
    expect(await (await browser.get(list, headers)).json()).toMatchObject([
      { identificador: 'abitab', nombre: 'Identidad Abitab' },
    ]);
    const remove = (path: string) => fetch(server.origin + path, { method: 'DELETE', headers });
    expect((await remove(`${list}nadie/`)).status).toBe(404);
    expect(await (await remove(`${list}abitab/`)).json()).toEqual([]);
    expect(await linked()).toEqual([]);
    expect(await first.bearer(), 'sessions through the removed link end').toBeUndefined();
    expect(await browser.bearer()).toBeDefined();
    expect(readRedirect(await come()), 'the provider cannot restore the link').toContain('LinkTakenBack');
    browser = openBrowser(server.origin);
    await browser.signIn();
    expect(readRedirect(await come()), 'the confirmation is requested again').toBe('/ingreso-proveedor');
  });

  test('is not created if the citizen declines', async () => {
    await come();
    expect(await (await link(false)).json()).toEqual({ location: '/login', next: null });
    expect(await linked()).toEqual([]);
    expect((await link(true)).status, 'the request was already answered').toBe(410);
  });

  test.each([
    ['with another name in the registry', { family_name: 'Otra' }, 'errorCode=IDP_ERROR'],
    [
      'with a document without an account',
      { document: '38712057', given_name: 'Juan', family_name: 'Rodríguez' },
      'errorCode=UNREGISTERED_USER',
    ],
    [
      'with only a known e-mail address',
      { document: '12345672', email: 'ana.pereira@example.com' },
      'errorCode=UNREGISTERED_USER',
    ],
  ])('is not offered to a person %s', async (_, changes, led) => {
    issuer.claims = { ...ana, ...changes };
    expect(readRedirect(await come())).toContain(led);
    expect((await browser.get('/auth/idp-link')).status).toBe(404);
  });

  test('is created once for two confirmations, and not for a person already linked to another account', async () => {
    await come();
    const one = await asked();
    await come();
    const two = await asked();
    await come();
    const three = await asked();
    const { db } = server.parts.store;
    const mails = async () =>
      (await db.selectFrom('outbox').select('id').where('subject', 'like', 'Se vinculó%').execute()).length;
    const before = await mails();
    for (const question of [one, two]) expect((await link(true, browser, question)).status).toBe(200);
    expect(await linked()).toEqual(['n-1']);
    expect((await mails()) - before).toBe(1);
    const { id: other } = await db
      .selectFrom('citizens')
      .select('id')
      .where('number', '!=', ana.document)
      .executeTakeFirstOrThrow();
    await db.updateTable('provider_identities').set({ citizen_id: other }).where('subject', '=', 'n-1').execute();
    expect((await (await link(true, browser, three)).json()).location).toContain('error_description=OtherPerson');
  });

  test('[SEG+NOFUI] cannot be confirmed after two minutes or once the citizen has disavowed a change', async () => {
    await come();
    const { db } = server.parts.store;
    const row = await db
      .selectFrom('provider_sign_ins')
      .select(['answered_at', 'expires_at'])
      .where('hash', '=', await asked())
      .executeTakeFirstOrThrow();
    expect(row.expires_at.getTime() - (row.answered_at?.getTime() ?? 0)).toBeLessThan(150_000);
    await db
      .insertInto('credential_changes')
      .values({
        citizen_id: await idOfAna(),
        session_id: null,
        kind: 'new-device',
        at: new Date(0),
        before: JSON.stringify({}),
        undone_at: new Date(),
      } as never) // cast: only the columns that `recordCredentialsBeforeChange` writes
      .execute();
    expect((await link(true)).status).toBe(410);
    expect(await linked()).toEqual([]);
  });

  test('cannot be confirmed while the account is blocked, and the audit log records why', async () => {
    await come();
    const id = await idOfAna();
    const block = (blocked_at: Date | null) =>
      server.parts.store.db.updateTable('citizens').set({ blocked_at }).where('id', '=', id).execute();
    await block(new Date());
    expect((await (await link(true)).json()).location).toContain('errorCode=BLOCKED_ACCOUNT');
    expect(await linked()).toEqual([]);
    expect((await listRefusedSignIns(id)).at(-1)).toEqual({ idp: 'abitab', reason: 'blocked' });
    await block(null);
    expect((await link(true)).status, 'the request can still be confirmed').toBe(200);
  });

  test.each([
    ['another document than the linked one', { document: '46781232' }],
    ['a document of another country', { country: 'br' }],
  ])('is rejected as OtherPerson for %s', async (_, changes) => {
    await come();
    await link(true);
    browser = openBrowser(server.origin);
    issuer.claims = { ...ana, ...changes };
    expect(readRedirect(await come())).toBe('/error?errorCode=IDP_ERROR&error_description=OtherPerson');
    expect(browser.cookies.get('portal-session')).toBeUndefined();
  });

  test('[SEG+NOFUI] can be created again after a disavowed change only from a session started without the provider', async () => {
    const { store } = server.parts;
    const id = await idOfAna();
    await come();
    await link(true);
    await store.transaction((tx) => unlinkIdentities(tx, id, new Date()));
    expect(await linked()).toEqual([]);
    for (const by of [browser, openBrowser(server.origin)]) {
      browser = by; // `browser` has a session from the provider, which cannot confirm the link; the other browser has none
      const led = new URL(readRedirect(await come()), server.origin).searchParams;
      expect(led.get('error_description')).toBe('LinkTakenBack');
      expect(led.get('redirectUrl')).toBe('/auth/idp-login?idp=abitab');
      expect((await browser.get('/auth/idp-link')).status, 'no pending confirmation').toBe(404);
    }
    expect((await listRefusedSignIns(id)).at(-1)).toEqual({ idp: 'abitab', reason: 'taken-back' });
    await browser.signIn();
    expect(readRedirect(await come())).toBe('/ingreso-proveedor');
    const question = await asked();
    await store.db.updateTable('broker_sessions').set({ revoked_at: new Date() }).execute();
    expect((await (await link(true, browser, question)).json()).location).toContain('LinkTakenBack');
    await browser.signIn();
    expect((await link(true, browser, question)).status).toBe(200);
    expect(await linked()).toEqual(['n-1']);
    browser = openBrowser(server.origin);
    expect(readRedirect(await come()), 'the citizen has confirmed the link again').toContain(
      '/ingreso-proveedor?next=',
    );
  });

  test.each([
    ['inactive', { active_at: null }, 'UNACTIVE_ACCOUNT'],
    ['blocked', { blocked_at: new Date() }, 'BLOCKED_ACCOUNT'],
  ])('is not offered for an account that is %s, and the audit log records why', async (reason, state, code) => {
    const { db } = server.parts.store;
    const id = await idOfAna();
    const { active_at, blocked_at } = await db
      .selectFrom('citizens')
      .select(['active_at', 'blocked_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await db.updateTable('citizens').set(state).where('id', '=', id).execute();
    expect(readRedirect(await come())).toContain(`errorCode=${code}`);
    expect((await listRefusedSignIns(id)).at(-1)).toEqual({ idp: 'abitab', reason });
    expect(await asked()).toBe('ninguna');
    await db.updateTable('citizens').set({ active_at, blocked_at }).where('id', '=', id).execute();
  });

  test('does not open an account with two factors if the provider asserts one', async () => {
    const id = await idOfAna();
    await addFactor(id);
    issuer.claims = { ...ana, acr: 'low' };
    expect(readRedirect(await come())).toContain('errorCode=IDP_ERROR');
    await server.parts.store.db.deleteFrom('second_factors').where('citizen_id', '=', id).execute();
  });

  test.each([{ acr: 'unlisted' }, { acr: undefined }])(
    'is neither created nor used if the provider asserts no known factor: $acr',
    async ({ acr }) => {
      const id = await idOfAna();
      issuer.claims = { ...ana, acr };
      expect(readRedirect(await come())).toContain('errorCode=IDP_ERROR');
      expect(await asked()).toBe('ninguna');
      issuer.claims = ana;
      await come();
      await link(true);
      issuer.claims = { ...ana, acr };
      expect(readRedirect(await come())).toContain('errorCode=IDP_ERROR');
      expect((await listRefusedSignIns(id)).at(-1)).toEqual({ idp: 'abitab', reason: 'no-factor' });
    },
  );
});

describe('[FED-02] rejected OpenID Connect response of a provider', () => {
  const count = async (): Promise<number> =>
    (await server.parts.store.db.selectFrom('provider_identities').select('subject').execute()).length;
  const plain = (location: string): string => issuer.authorizationResponse(location);

  test.each<[string, (location: string) => string | Promise<string>]>([
    ['with another state', (location) => issuer.authorizationResponse(location, { state: 'otro' })],
    ['without a state', (location) => issuer.authorizationResponse(location, { state: null })],
    ['with two state parameters', (location) => `${plain(location)}&state=otro`],
    ['without iss', (location) => issuer.authorizationResponse(location, { iss: null })],
    ['with the iss of another issuer', (location) => issuer.authorizationResponse(location, { iss: other.origin })],
    ['with an unknown code', (location) => issuer.authorizationResponse(location, { code: 'x' })],
    ['from another issuer', (location) => other.authorizationResponse(location)],
    ['at the redirect URI of another provider', (location) => plain(location).replace('/br/', '/py/')],
    ['with the nonce of another sign-in', (location) => (issuer.forge = { claims: { nonce: 'x' } }) && plain(location)],
    ['with another client as audience', (location) => (issuer.forge = { claims: { aud: 'otro' } }) && plain(location)],
    [
      'with another issuer in the ID token',
      (location) => (issuer.forge = { claims: { iss: 'https://otro.example' } }) && plain(location),
    ],
    ['with an expired ID token', (location) => (issuer.forge = { claims: { exp: 1 } }) && plain(location)],
    ['signed with another key', (location) => (issuer.forge = { other: true }) && plain(location)],
    ['signed with HMAC', (location) => (issuer.forge = { alg: 'HS256' }) && plain(location)],
    ['with an empty document number', (location) => (issuer.forge = { claims: { cpf: '' } }) && plain(location)],
    [
      'with two document numbers',
      (location) => (issuer.forge = { claims: { cpf: ['123', '456'] } }) && plain(location),
    ],
    ['with a boolean as document number', (location) => (issuer.forge = { claims: { cpf: true } }) && plain(location)],
    [
      'with a fraction as document number',
      (location) => (issuer.forge = { claims: { cpf: 123456.5 } }) && plain(location),
    ],
    [
      'with an object as document number',
      (location) => (issuer.forge = { claims: { cpf: { toString: 1 } } }) && plain(location),
    ],
    ['with an object as name', (location) => (issuer.forge = { claims: { name: { a: 1 } } }) && plain(location)],
    [
      'with a bidirectional override in the name',
      (location) => (issuer.forge = { claims: { name: 'Ana\u202eoirevliS' } }) && plain(location),
    ],
    [
      'with a control character in the name',
      (location) => (issuer.forge = { claims: { name: 'Jo\u0000ão' } }) && plain(location),
    ],
    [
      'with a subject that is too long',
      (location) => (issuer.forge = { claims: { sub: 'x'.repeat(256) } }) && plain(location),
    ],
    [
      'with a document number that is too long',
      (location) => (issuer.forge = { claims: { cpf: 'x'.repeat(101) } }) && plain(location),
    ],
  ])('gets an error page with a request number and stores nothing: %s', async (_, answer) => {
    const before = await count();
    const response = await browser.get(await answer(await startProviderSignIn()));
    const text = await response.text();
    expect(response.status, `${response.headers.get('location')}`).toBe(400);
    expect(text).toContain('No pudimos identificarte');
    expect(text).toContain(response.headers.get('x-request-id') ?? 'an id');
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await count()).toBe(before);
  });

  test.each([
    ['a national document from a foreign provider', { country: 'uy', type: 'ci', cpf: '45123784' }, 400],
    ['a document that its country does not issue', { country: 'br', type: 'ci', cpf: '45123784' }, 400],
    ['a document of its country', { country: 'br', type: 'cpf', cpf: '52998224725' }, 303],
  ])('stores a person only with a foreign document that its country issues: %s: %j', async (_, document, status) => {
    const before = await count();
    issuer.claims = { ...issuer.claims, ...document, sub: 'h-1' };
    expect((await browser.get(issuer.authorizationResponse(await startProviderSignIn('hub')))).status).toBe(status);
    expect(await count()).toBe(status === 303 ? before + 1 : before);
  });

  test('gets an error page if it is sent from another browser, twice or too late', async () => {
    const back = issuer.authorizationResponse(await startProviderSignIn());
    expect((await openBrowser(server.origin).get(back)).status, 'in a browser without the cookie').toBe(400);
    expect((await browser.get(back)).status).toBe(303);
    expect((await browser.get(back)).status, 'second use').toBe(400);
    const late = issuer.authorizationResponse(await startProviderSignIn());
    await server.parts.store.db
      .updateTable('provider_sign_ins')
      .set({ expires_at: new Date(0) })
      .execute();
    expect((await browser.get(late)).status, 'after its expiry').toBe(400);
  });
});

describe('[INI-10] failing identity provider', () => {
  const broken: Readonly<Record<string, TestIssuer['broken']>> = {
    'a closed connection': (request) => request.socket.destroy(),
    'an HTML response': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>hola</h1>'),
    'status 503': (_, response) => response.writeHead(503).end(),
    'no response': () => undefined,
    'an endless response': (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
    'a redirect': (_, response) => response.writeHead(302, { location: 'https://otro.example/' }).end(),
    'a response that is too large': (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'a'.repeat(400_000)}"`),
  };
  for (const [name, answer] of Object.entries(broken))
    test(`redirects to the error page with the process_state: ${name}`, async () => {
      const location = await startProviderSignIn('br', '&process_state=p');
      issuer.broken = answer;
      expect(readRedirect(await browser.get(issuer.authorizationResponse(location)))).toBe(
        '/error?errorCode=IDP_ERROR&process_state=p&error_description=GenericError',
      );
    });

  test('passes on only known error descriptions', async () => {
    const told = async (error_description: string): Promise<string> =>
      readRedirect(
        await browser.get(
          issuer.authorizationResponse(await startProviderSignIn('br', '&process_state=p'), {
            code: null,
            error: 'access_denied',
            error_description,
          }),
        ),
      );
    expect(await told('BloquedUser: 7')).toContain('error_description=BloquedUser');
    expect(await told('<script>')).toContain('error_description=GenericError');
  });

  test('redirects to the error page if the provider is unknown', async () => {
    expect(await startProviderSignIn('nadie')).toBe('/error?errorCode=IDP_ERROR');
  });
});
