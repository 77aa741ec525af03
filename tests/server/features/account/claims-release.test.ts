import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, type Browser } from '../../support/browser.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import {
  beginFlow,
  callback,
  answerConsent,
  finishFlow,
  followRedirects,
  configureRelyingParty,
} from '../../support/relying-party.ts';
import {
  expectForm,
  readResponse,
  registerProvider,
  requestSamlSignIn,
  type TestProvider,
} from '../../support/service-provider.ts';

let server: LiveServer;
let browser: Browser;
beforeAll(async () => {
  server = await startLiveServer({ NODE_ENV: 'test', FLAGS: 'verificar_identidad=off' });
  browser = openBrowser(server.origin);
  await browser.signIn();
});
afterAll(() => server.close());

const everything = JSON.stringify({
  userinfo: { nombre_completo: null, uid: null, numero_documento: { essential: true }, email: null },
  id_token: { primer_apellido: null, email: null },
});

/** Signs the citizen in at an application. Returns the claims of both tokens. */
async function signInAtApplication(id: string, parameters: Record<string, string>) {
  const request = await beginFlow(await configureRelyingParty(server.origin, id, ''), parameters);
  const page = await followRedirects(browser, request.url.href, server.origin);
  const asked = new URL(page).searchParams.get('scope');
  const next = new URL(page).searchParams.get('next') ?? '';
  const shown = asked === null ? [] : await listShownScopes(id, next);
  const back = page.startsWith(callback) ? page : await answerConsent(browser, page, server.origin);
  const tokens = await finishFlow(request, back);
  const userinfo = () => read(tokens.access_token);
  return { asked, shown, idToken: tokens.claims() ?? {}, info: await userinfo(), userinfo };
}

async function read(token: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${server.origin}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${token}` } });
  return answer.json();
}

async function listShownScopes(id: string, next: string): Promise<readonly string[]> {
  const { scopes } = await (await asCitizen(`/rest/clients/${id}/?next=${next}`)).json();
  return scopes.map(({ name }: { name: string }) => name);
}

const asCitizen = async (path: string): Promise<Response> =>
  browser.get(path, { authorization: `Bearer ${await browser.bearer()}` });

const personal = ['nombre_completo', 'uid', 'numero_documento', 'primer_apellido'];

describe('[CONS-02 SES-08] data released to an OIDC application', () => {
  test('the claims parameter requests and releases nothing beyond the scopes of the registration', async () => {
    await server.register({ id: 'mail', name: 'Correo', redirectUris: [callback], scopes: ['email'] }, 'public');
    const { asked, shown, idToken, info } = await signInAtApplication('mail', {
      scope: 'openid email',
      claims: everything,
    });
    expect(asked).toBe('openid email');
    expect(shown).toEqual(['correo electrónico']);
    expect(info['email']).toContain('@');
    for (const claim of personal)
      expect([info, idToken]).not.toContainEqual(expect.objectContaining({ [claim]: expect.anything() as unknown }));
    const again = await signInAtApplication('mail', { scope: 'openid email', claims: everything });
    expect(again.asked, 'claims beyond the registration need no consent').toBeNull();
  });

  test('the claims parameter releases registered claims after the citizen consents to their scopes', async () => {
    await server.register(
      { id: 'both', name: 'Ambos', redirectUris: [callback], scopes: ['personal_info', 'email'] },
      'public',
    );
    expect((await signInAtApplication('both', { scope: 'openid email' })).info).not.toHaveProperty('nombre_completo');
    const { asked, info } = await signInAtApplication('both', { scope: 'openid email', claims: everything });
    expect(asked).toBe('openid personal_info email');
    expect(info).toHaveProperty('nombre_completo');
    expect(info, 'claim of the unregistered scope document').not.toHaveProperty('numero_documento');
  });

  test('a scope removed from the registration is no longer released or listed, even if consented before', async () => {
    const registration = { id: 'less', name: 'Menos', redirectUris: [callback] };
    await server.register({ ...registration, scopes: ['personal_info', 'email'] }, 'public');
    const { info, userinfo } = await signInAtApplication('less', { scope: 'openid personal_info email' });
    expect(info).toHaveProperty('nombre_completo');
    await server.register({ ...registration, scopes: ['email'] }, 'public');
    expect(Object.keys(await userinfo())).not.toContain('nombre_completo');
    expect((await signInAtApplication('less', { scope: 'openid email', claims: everything })).info).not.toHaveProperty(
      'uid',
    );
    expect((await listApplications())['Menos']).toEqual(['correo electrónico']);
  });
});

/** Returns the applications in the account overview, each with the data that it may read. */
async function listApplications(): Promise<Record<string, readonly string[]>> {
  const answer: { client: { name: string }; scopes: { name: string }[] }[] = await (
    await asCitizen(`/rest/aplicaciones/`)
  ).json();
  return Object.fromEntries(answer.map(({ client, scopes }) => [client.name, scopes.map(({ name }) => name)]));
}

const begin = (provider: TestProvider) => requestSamlSignIn(provider, browser, server.origin);
const readAnswer = async (provider: TestProvider) => readResponse(expectForm(await begin(provider)));

const byEmail = { identifierFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' };

describe('[CONS-02 FED-01] data released to a SAML service provider', () => {
  test('the NameID is the document only if the scope document is registered, else a persistent id', async () => {
    const provider = await registerProvider(server, { registration: { scopes: ['auth_info'] } });
    const xml = await readAnswer(provider);
    expect(xml).not.toContain('45123784');
    expect(xml).toContain('nameid-format:persistent');
    expect(await readAnswer(await registerProvider(server))).toContain('>uy-ci-45123784</');
  });

  test('the NameID is the e-mail address only if the scope email is registered and no other account has it', async () => {
    const refused = await readAnswer(await registerProvider(server, { options: byEmail }));
    expect(refused).toContain('InvalidNameIDPolicy');
    const provider = await registerProvider(server, { options: byEmail, registration: { scopes: ['email'] } });
    const { db } = server.parts.store;
    const own = db.selectFrom('citizens').select('email').where('number', '=', '45123784');
    const { email } = await own.executeTakeFirstOrThrow();
    expect(await readAnswer(provider)).toContain(`>${email}</`);
    await db
      .updateTable('citizens')
      .set({ email: email?.toUpperCase() ?? '' })
      .where('number', '=', '29458715')
      .execute();
    expect(await readAnswer(provider), 'e-mail of two accounts as NameID').toContain('InvalidNameIDPolicy');
  });

  test('the scope of the NameID is part of the consent request', async () => {
    const provider = await registerProvider(server, {
      options: byEmail,
      registration: { consent: true, scopes: ['email', 'auth_info'] },
    });
    expect(new URL(String(await begin(provider)), server.origin).searchParams.get('scope')).toBe('email auth_info');
  });
});

test('[CONS-02 SEG-05] consent page, overview and export list the same data for OIDC and SAML applications', async () => {
  const scopes = ['personal_info', 'document', 'email'] as const;
  await server.register(
    { id: 'list', name: 'Lista', redirectUris: [callback], scopes: [...scopes, 'profile'] },
    'public',
  );
  const { shown } = await signInAtApplication('list', { scope: 'openid personal_info profile document email' });
  const provider = await registerProvider(server, {
    registration: { name: 'Servicio de la lista', consent: true, scopes: [...scopes] },
  });
  const page = String(await begin(provider));
  const named = await listShownScopes(provider.id, new URL(page, server.origin).searchParams.get('next') ?? '');
  await answerConsent(browser, page, server.origin);
  expect(shown).toEqual(['información personal', 'correo electrónico']);
  expect(named).toEqual(shown);
  expect(await listApplications()).toMatchObject({ Lista: shown, 'Servicio de la lista': shown });
  const { cid } = decodeJwt(await browser.bearer());
  const exported = await browser.post(
    `/rest/ciudadanos/${String(cid)}/exportar_datos/`,
    {},
    { authorization: `Bearer ${await browser.bearer()}` },
  );
  const { datos } = await exported.json();
  const kept = datos.permisos.map(({ aplicacion, datos: names }: { aplicacion: string; datos: string[] }) => [
    aplicacion,
    names,
  ]);
  expect(Object.fromEntries(kept)).toMatchObject({ Lista: shown, 'Servicio de la lista': shown });
});
