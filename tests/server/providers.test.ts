import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sessionOfCookie } from '../../src/server/sessions/sessions.ts';
import { openBrowser, type Browser } from './support/browser.ts';
import { abitab, brazil, providersFile, startIssuer, type TestIssuer } from './support/identity-provider.ts';
import { beginFlow, callback, decide, finishFlow, follow, relyingParty } from './support/relying-party.ts';
import { freePort, startLiveServer, type LiveServer } from './support/live-server.ts';

const foreignClaims = { number: { var: 'cpf' }, firstName: { var: 'name' } };

let server: LiveServer;
let issuer: TestIssuer;
let other: TestIssuer;
let browser: Browser;

beforeAll(async () => {
  issuer = await startIssuer(await freePort());
  other = await startIssuer(await freePort());
  server = await startLiveServer({
    NODE_ENV: 'test',
    IDPS_FILE: providersFile([
      brazil(issuer.origin),
      brazil(other.origin, { identificador: 'py', nombre: 'Paraguay', maxLevel: 1, claims: foreignClaims }),
      abitab(issuer.origin),
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

/** Goes to a provider; answers where it is asked. */
async function leave(idp = 'br', more = ''): Promise<string> {
  const response = await browser.get(`/auth/idp-login?idp=${idp}${more}`);
  expect(response.status).toBe(303);
  return response.headers.get('location') ?? '';
}

/** Where an answer leads, in our words. */
const ledTo = (response: Response): string =>
  decodeURIComponent(response.headers.get('location') ?? `${response.status}`);

/** The session of the browser, as its token tells it. */
async function claims(): Promise<Record<string, unknown>> {
  const [, payload = ''] = (await browser.bearer()).split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}

const people = () => server.parts.store.db.selectFrom('citizens').selectAll().where('idp', 'is not', null).execute();

describe('[SES-11 FED-02] a foreign provider of OpenID Connect', () => {
  test('who comes by it has a session with its name and the lower level, and sees what it told', async () => {
    const asked = new URL(await leave());
    expect(asked.origin + asked.pathname).toBe(`${issuer.origin}/authorize`);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      client_id: 'portal',
      redirect_uri: `${server.origin}/idp/br/callback`,
      code_challenge_method: 'S256',
      response_type: 'code',
    });
    const back = await browser.get(issuer.consent(asked.href));
    expect(ledTo(back)).toBe('/ingreso-proveedor?next=/seguridad-idp');
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

  test('[RUTA-13 IDP-03] manages nothing here, whatever page asks; without a record there is a 404', async () => {
    await browser.get(issuer.consent(await leave()));
    const [person] = await people();
    const headers = { authorization: `Bearer ${await browser.bearer()}` };
    expect(person?.idp).toBe('br');
    expect((await browser.get('/rest/sesiones/', headers)).status).toBe(403);
    expect((await browser.get('/federated-identity/obtener-mis-datos-idp/nobody/', headers)).status).toBe(404);
  });

  test('a second sign-in is the same person by issuer and subject, with the names of now; another subject is another person', async () => {
    await browser.get(issuer.consent(await leave()));
    const first = (await claims())['cid'];
    issuer.claims = { ...issuer.claims, name: 'João da Silva', cpf: '12345678909', email: 'ana.pereira@example.com' };
    await browser.get(issuer.consent(await leave()));
    expect((await claims())['cid']).toBe(first);
    expect((await people()).find(({ id }) => id === first)?.first_name).toBe('João da Silva');
    issuer.claims = { ...issuer.claims, sub: 'a-2' };
    await browser.get(issuer.consent(await leave()));
    expect((await claims())['cid']).not.toBe(first);
    issuer.claims = { ...issuer.claims, sub: 'a-1' };
    await browser.get(other.consent(await leave('py')));
    expect((await claims())['cid'], 'the same subject of another issuer').not.toBe(first);
  });

  test.each([
    ['gold', 'br', 3],
    ['bronze', 'br', 1],
    ['platinum', 'br', 0],
    [undefined, 'br', 0],
    ['gold', 'py', 1],
  ])('says %s, and at %s the level is %i', async (acr, idp, nid) => {
    const at = idp === 'br' ? issuer : other;
    at.claims = { sub: 'a-1', name: 'João', cpf: '12345678909', ...(acr !== undefined && { acr }) };
    await browser.get(at.consent(await leave(idp)));
    const secret = browser.cookies.get('portal-session')?.value ?? '';
    expect(await sessionOfCookie(server.parts.store.db, secret, new Date())).toMatchObject({
      nid,
      idp,
      role: 'foreign',
    });
  });

  test('[IDP-01] an application hears of the provider, in its ID Token and by the userinfo', async () => {
    await server.register({ id: 'app', name: 'App', redirectUris: [callback] }, 'public');
    const request = await beginFlow(await relyingParty(server.origin, 'app', ''), { scope: 'openid personal_info' });
    const login = await follow(browser, request.url.href, server.origin);
    const state = new URL(login, server.origin).searchParams.get('process_state') ?? '';
    const back = ledTo(await browser.get(issuer.consent(await leave('br', `&process_state=${state}`))));
    const next = new URL(back, server.origin).searchParams.get('next') ?? '';
    const asked = await follow(browser, next, server.origin);
    const ended = asked.startsWith(callback) ? asked : await decide(browser, asked, server.origin);
    const tokens = await finishFlow(request, ended);
    expect(tokens.claims()).toMatchObject({
      idp: 'br',
      acr: 'urn:iduruguay:nid:3',
      amr: ['urn:iduruguay:am:idp:ae:3'],
    });
  });

  test('a way of the portal is kept, one to elsewhere is not', async () => {
    const back = await browser.get(issuer.consent(await leave('br', '&redirectUrl=%2Fayuda')));
    expect(ledTo(back)).toBe('/ingreso-proveedor?next=/ayuda');
    const out = await browser.get(issuer.consent(await leave('br', '&redirectUrl=https%3A%2F%2Fevil.example%2F')));
    expect(ledTo(out)).toBe('/ingreso-proveedor?next=/');
  });
});
