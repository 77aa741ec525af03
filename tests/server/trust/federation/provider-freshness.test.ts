import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hasValidIdentityProof } from '../../../../src/server/trust/sessions/identity-proof.ts';
import { findLiveSessionOfCookie } from '../../../../src/server/trust/sessions/broker-sessions.ts';
import { openBrowser, type Browser } from '../../support/browser.ts';
import { createBrazilEntry, writeProvidersFile, startIssuer, type TestIssuer } from '../../support/test-issuer.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import {
  beginFlow,
  callback,
  finishFlow,
  followRedirects,
  configureRelyingParty,
  completeAuthorization,
} from '../../support/relying-party.ts';
import { createSamlProvider, type TestSamlProvider } from '../../support/saml-identity-provider.ts';
import { registerProvider, requestSamlSignIn } from '../../support/service-provider.ts';

let server: LiveServer;
let issuer: TestIssuer;
let chile: TestSamlProvider;
let browser: Browser;

beforeAll(async () => {
  issuer = await startIssuer(await findFreePort());
  chile = await createSamlProvider('https://idp.example/metadata');
  const metadata = join(tmpdir(), `idp-fresh-${process.pid}.xml`);
  writeFileSync(metadata, chile.metadata);
  server = await startLiveServer({
    NODE_ENV: 'test',
    IDPS_FILE: writeProvidersFile([
      createBrazilEntry(issuer.origin),
      {
        ...createBrazilEntry(''),
        oidc: undefined,
        identificador: 'cl',
        saml: { metadata },
        claims: { number: { var: 'document' }, firstName: { var: 'given_name' }, firstSurname: { var: 'family_name' } },
        levels: { substantial: 2 },
      },
    ]),
    IDP_SECRETS: 'br=el-secreto',
  });
  await server.register({ id: 'app', name: 'App', redirectUris: [callback], scopes: ['email'] }, 'public');
});
afterAll(async () => {
  await server.close();
  await issuer.close();
});
beforeEach(() => {
  browser = openBrowser(server.origin);
  issuer.claims = { sub: 'a-1', name: 'João Souza', cpf: '12345678909', acr: 'gold' };
});

const secondsAgo = (seconds: number): number => Math.floor(Date.now() / 1000) - seconds;

/** Sends an authorization request that waits for a sign-in. */
async function requestAuthorization(parameters: Record<string, string>) {
  const request = await beginFlow(await configureRelyingParty(server.origin, 'app', ''), {
    scope: 'openid',
    ...parameters,
  });
  const page = await followRedirects(browser, request.url.href, server.origin);
  return { request, page, state: new URL(page).searchParams.get('process_state') ?? '' };
}

/** Starts a sign-in with an identity provider. Returns the authorization request to it. */
async function startProviderSignIn(state: string, idp = 'br'): Promise<URL> {
  const more = state === '' ? '' : `&process_state=${state}`;
  return new URL((await browser.get(`/auth/idp-login?idp=${idp}${more}`)).headers.get('location') ?? '');
}

/**
 * Responds as the identity provider, with the authentication time `authTime`. Returns the URL to which the portal
 * redirects.
 */
async function respondAsProvider(asked: URL, authTime?: number): Promise<string> {
  issuer.forge = authTime === undefined ? {} : { claims: { auth_time: authTime } };
  const answer = await browser.get(issuer.authorizationResponse(asked.href));
  return decodeURIComponent(answer.headers.get('location') ?? `${answer.status}`);
}

const session = async () =>
  findLiveSessionOfCookie(server.parts.store.db, browser.cookies.get('portal-session')?.value ?? '', new Date());

describe('[SES-08 FED-02 FED-03] request for a new sign-in with an identity provider', () => {
  test.each<{ ask: Record<string, string>; prompt: string | null; maxAge: string | null }>([
    { ask: { prompt: 'login' }, prompt: 'login', maxAge: '0' },
    { ask: { max_age: '300' }, prompt: null, maxAge: '300' },
    { ask: {}, prompt: null, maxAge: null },
  ])('$ask is passed to the provider', async ({ ask: parameters, prompt, maxAge }) => {
    const { searchParams } = await startProviderSignIn((await requestAuthorization(parameters)).state);
    expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual([prompt, maxAge]);
  });

  test('succeeds with the auth_time of the provider', async () => {
    const { request, state } = await requestAuthorization({ max_age: '300' });
    const at = secondsAgo(100);
    expect(await respondAsProvider(await startProviderSignIn(state), at)).toContain('/ingreso-proveedor');
    const back = await completeAuthorization(browser, `/oidc/v1/authorize/${state}`, server.origin);
    expect((await finishFlow(request, back)).claims()?.auth_time).toBe(at);
  });

  test.each<{ note: string; parameters: Record<string, string>; at: number | undefined }>([
    { note: 'an hour ago', parameters: { prompt: 'login' }, at: 3600 },
    { note: 'longer ago than max_age', parameters: { max_age: '300' }, at: 400 },
    { note: 'at no stated time', parameters: { prompt: 'login' }, at: undefined },
    { note: 'in the future', parameters: { prompt: 'login' }, at: -600 },
    { note: 'at an invalid time', parameters: { prompt: 'login' }, at: -1e300 },
  ])(
    'is rejected with StaleSignIn, and nobody is signed in, if the provider signed the citizen in $note',
    async ({ parameters, at }) => {
      const { state } = await requestAuthorization(parameters);
      const led = await respondAsProvider(
        await startProviderSignIn(state),
        at === undefined ? undefined : secondsAgo(at),
      );
      expect(led).toBe(`/error?errorCode=IDP_ERROR&error_description=StaleSignIn&process_state=${state}`);
      expect(await session()).toBeNull();
    },
  );

  test('is not satisfied by an earlier provider session without an auth_time', async () => {
    await respondAsProvider(await startProviderSignIn(''));
    expect(await session()).not.toBeNull();
    expect((await requestAuthorization({ max_age: '3600' })).page).toContain('/login?process_state=');
    expect((await requestAuthorization({})).page).not.toContain('/login');
  });

  test('is not satisfied by a provider session whose auth_time is in the future', async () => {
    await respondAsProvider(await startProviderSignIn(''), secondsAgo(-3600));
    expect(await session()).not.toBeNull();
    expect((await requestAuthorization({ max_age: '3600' })).page).toContain('/login?process_state=');
  });

  test('is passed from a SAML service provider to a SAML identity provider, whose AuthnInstant is checked', async () => {
    const service = await registerProvider(server, { options: { forceAuthn: true } });
    const login = String(await requestSamlSignIn(service, browser, server.origin));
    const state = new URL(login, server.origin).searchParams.get('process_state') ?? '';
    const location = await startProviderSignIn(state, 'cl');
    const xml = inflateRawSync(Buffer.from(location.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
    expect(xml).toContain('ForceAuthn="true"');
    const hand = async (signedInAt: Date, to: URL): Promise<string> => {
      const sent = await chile.respond(to.href, { statement: { signedInAt } });
      const cookie = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
      const answer = await fetch(sent.action, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie },
        body: new URLSearchParams({
          SAMLResponse: Buffer.from(sent.xml).toString('base64'),
          RelayState: sent.relayState,
        }),
      });
      return decodeURIComponent(answer.headers.get('location') ?? `${answer.status}`);
    };
    expect(await hand(new Date(Date.now() - 3_600_000), location)).toContain('error_description=StaleSignIn');
    expect(await hand(new Date(), await startProviderSignIn(state, 'cl'))).toContain('/ingreso-proveedor');
  });
});

describe('[SEG-04 FED-02] provider sign-in as a proof of identity', () => {
  const proven = async (): Promise<boolean> =>
    hasValidIdentityProof(server.parts, server.parts.store.db, (await session())?.id ?? '', 'sign-in');

  test.each([
    { note: 'is valid with the current auth_time', at: 0, is: true },
    { note: 'is valid with an auth_time an hour ago', at: 3600, is: false },
    { note: 'is valid without an auth_time', at: undefined, is: false },
    { note: 'is valid with a future auth_time', at: -3600, is: false },
    { note: 'is valid with an invalid auth_time', at: -1e300, is: false },
  ])('$note: $is', async ({ at, is }) => {
    await respondAsProvider(await startProviderSignIn(''), at === undefined ? undefined : secondsAgo(at));
    await server.parts.store.db.updateTable('broker_sessions').set({ nid: 2 }).execute();
    expect(await session()).not.toBeNull();
    expect(await proven()).toBe(is);
  });

  test('sends prompt=login to the provider if the citizen is signed in already', async () => {
    await respondAsProvider(await startProviderSignIn(''));
    expect((await startProviderSignIn('')).searchParams.get('prompt')).toBe('login');
  });
});
