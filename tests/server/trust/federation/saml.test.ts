import { spawnSync } from 'node:child_process';
import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { proofingPagePath } from '../../../../src/contract/page-paths.ts';
import { createLocalSigner } from '../../../../src/server/platform/keys/jws-signer.ts';
import { signSamlQuery } from '../../../../src/server/trust/federation/saml/bindings.ts';
import { verifyXmlSignature, signXmlElement } from '../../../../src/server/trust/federation/saml/xml-signature.ts';
import { maxSamlMessageAgeMs } from '../../../../src/server/trust/federation/saml/authenticate-saml-message.ts';
import { samlPaths, samlClockSkewMs } from '../../../../src/server/trust/federation/saml/saml-constants.ts';
import { validateServiceProviderRegistration } from '../../../../src/server/trust/federation/saml/service-provider-registration.ts';
import { parseXml } from '../../../../src/server/trust/federation/saml/xml.ts';
import { openBrowser, type Browser } from '../../support/browser.ts';
import { answerConsent } from '../../support/relying-party.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import {
  expectForm,
  followSaml,
  listStatuses,
  readForm,
  readResponse,
  registerProvider,
  requestSamlSignIn,
  type SubmittedForm,
  type TestProvider,
} from '../../support/service-provider.ts';

let server: LiveServer;
beforeAll(async () => {
  server = await startLiveServer();
});
afterAll(() => server.close());

/** Returns a request of the service provider in the redirect binding. */
const requestUrl = (provider: TestProvider, relayState = ''): Promise<string> =>
  provider.saml.getAuthorizeUrlAsync(relayState, undefined, {});

/** Signs a browser in as the sample citizen. */
async function signedIn(): Promise<Browser> {
  const browser = openBrowser(server.origin);
  await browser.signIn();
  return browser;
}

/** Sends a request in a browser. Returns the final URL or form. */
const begin = (provider: TestProvider, browser: Browser, relayState = '') =>
  requestSamlSignIn(provider, browser, server.origin, relayState);

const statusesOf = (outcome: string | SubmittedForm) => listStatuses(readResponse(expectForm(outcome)));

/** Returns the target of a completed sign-in. The reminder to set up a second factor may precede it. */
const readTarget = (location: string): string =>
  new URL(location, server.origin).searchParams.get('redirect_uri') ?? location;

const processStateOf = (outcome: string | SubmittedForm): string =>
  new URL(String(outcome)).searchParams.get('process_state') ?? '';

describe('[SES-09 FED-01] SAML identity provider', () => {
  test('publishes signed metadata with entityID, endpoints and certificate', async () => {
    const response = await fetch(`${server.origin}${samlPaths.metadata}`);
    expect(response.headers.get('content-type')).toContain('application/samlmetadata+xml');
    const xml = await response.text();
    const { certificate } = server.parts.saml.credentials()[0];
    const root = verifyXmlSignature(xml, [certificate]);
    expect(root.getAttribute('entityID')).toBe(`${server.origin}/v1.1/idp/metadata`);
    const services = Array.from(root.getElementsByTagNameNS('*', 'SingleSignOnService'));
    expect(services.map((service) => service.getAttribute('Location'))).toEqual(
      [samlPaths.ssoByRedirect, samlPaths.ssoByPost].map((path) => `${server.origin}${path}`),
    );
    expect(xml.replace(/\s/g, '')).toContain(certificate.replace(/-----[A-Z ]+-----|\s/g, ''));
    expect(new X509Certificate(certificate).subject).toBe('CN=127.0.0.1');
  });

  test('requires a sign-in, and then sends the attributes and RelayState to the service provider', async () => {
    const provider = await registerProvider(server);
    const browser = openBrowser(server.origin);
    const login = await begin(provider, browser, 'a donde');
    expect(login).toContain('/login?process_state=');
    const next = await browser.signIn({ processState: processStateOf(login) });
    const answer = expectForm(await followSaml(browser, readTarget(next), server.origin));
    expect(answer.action).toBe(provider.consumer);
    expect(answer.fields['RelayState']).toBe('a donde');
    const profile = await provider.read(answer.fields);
    expect(profile).toMatchObject({
      issuer: `${server.origin}/v1.1/idp/metadata`,
      nameID: 'uy-ci-45123784',
      nameIDFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
      uid: 'uy-ci-45123784',
      Certificado: 'false',
      Presencial: 'false',
      NumeroDocumento: '45123784',
    });
    expect(profile.sessionIndex).toMatch(/./);
    expect(Object.keys(profile['attributes'] as object).slice(0, 4)).toEqual([
      'Certificado',
      'Presencial',
      'uid',
      'PrimerNombre',
    ]);
    // Some service providers require this order: Issuer, Signature, Subject, Conditions, then the statements.
    const assertion = parseXml(readResponse(answer)).getElementsByTagNameNS('*', 'Assertion')[0];
    expect(Array.from(assertion?.childNodes ?? []).map(({ nodeName }) => nodeName.replace(/^.*:/, ''))).toEqual([
      'Issuer',
      'Signature',
      'Subject',
      'Conditions',
      'AuthnStatement',
      'AttributeStatement',
    ]);
  });

  test('responds to a signed-in citizen without a prompt, once, by a form that its own script submits', async () => {
    const provider = await registerProvider(server);
    const browser = await signedIn();
    const first = await browser.get(await requestUrl(provider));
    expect(first.status).toBe(303);
    const response = await browser.get(first.headers.get('location') ?? '');
    const html = await response.text();
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(response.headers.get('content-security-policy')).toContain(
      `form-action https: ${new URL(provider.consumer).origin}`,
    );
    expect(html).toContain('<h1>Redirigiendo...</h1>');
    expect(html).toContain('<button>Continuar</button>');
    const script = await browser.get(/<script src="([^"]*)"/.exec(html)?.[1] ?? '');
    expect(script.headers.get('content-type')).toContain('text/javascript');
    await provider.read(expectForm(readForm(html)).fields);
    const again = await browser.get(first.headers.get('location') ?? '');
    expect(again.status, 'second use of a request').toBe(400);
  });

  test('accepts a request by POST with a signature inside, and returns its RelayState', async () => {
    const provider = await registerProvider(server, {
      options: {
        authnRequestBinding: 'HTTP-POST',
        skipRequestCompression: true,
        entryPoint: `${server.origin}${samlPaths.ssoByPost}`,
      },
    });
    const browser = await signedIn();
    const message = await provider.saml.getAuthorizeMessageAsync('vuelta');
    const response = await postForm(browser, samlPaths.ssoByPost, message as Record<string, string>);
    expect(response.status).toBe(303);
    const answer = expectForm(await followSaml(browser, response.headers.get('location') ?? '', server.origin));
    expect(answer.fields['RelayState']).toBe('vuelta');
    await provider.read(answer.fields);
  });

  test('encrypts the assertion if the metadata have an encryption key', async () => {
    const provider = await registerProvider(server, { encrypted: true });
    const answer = expectForm(await begin(provider, await signedIn()));
    expect(readResponse(answer)).toContain('EncryptedAssertion');
    expect(readResponse(answer)).not.toContain('45123784');
    expect(await provider.read(answer.fields)).toMatchObject({ nameID: 'uy-ci-45123784' });
  });

  test.each([
    { format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent', same: true },
    { format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient', same: false },
  ])('sends a NameID without the document number, repeated at the next sign-in: $same', async ({ format, same }) => {
    const browser = await signedIn();
    const [one, two] = [
      await registerProvider(server, { options: { identifierFormat: format } }),
      await registerProvider(server, { options: { identifierFormat: format } }),
    ];
    const nameAt = async (provider: TestProvider) =>
      (await provider.read(expectForm(await begin(provider, browser)).fields)).nameID;
    const names = [await nameAt(one), await nameAt(one), await nameAt(two)];
    expect(names.join(' ')).not.toMatch(/45123784/);
    expect(names[0] === names[1]).toBe(same);
    expect(names[2]).not.toBe(names[0]);
  });

  test('returns InvalidNameIDPolicy for an unknown NameID format', async () => {
    const provider = await registerProvider(server, {
      options: { identifierFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos' },
    });
    expect(statusesOf(await begin(provider, await signedIn()))).toEqual(['Requester', 'InvalidNameIDPolicy']);
  });

  test.each([
    {
      comparison: 'minimum',
      classes: ['urn:oasis:names:tc:SAML:2.0:ac:classes:Password'],
      told: 'PasswordProtectedTransport',
    },
    { comparison: 'exact', classes: ['urn:oasis:names:tc:SAML:2.0:ac:classes:Password'], told: 'classes:Password' },
    { comparison: 'exact', classes: ['urn:iduruguay:nid:3', 'urn:iduruguay:nid:1'], told: 'urn:iduruguay:nid:1' },
    { comparison: 'exact', classes: [''], told: 'PasswordProtectedTransport' },
  ])(
    'accepts a password sign-in for $comparison $classes, and returns the class $told',
    async ({ comparison, classes, told }) => {
      const provider = await registerProvider(server, {
        options: { disableRequestedAuthnContext: false, authnContext: classes, racComparison: comparison as 'exact' },
      });
      const answer = expectForm(await begin(provider, await signedIn()));
      expect(/AuthnContextClassRef>([^<]*)</.exec(readResponse(answer))?.[1]).toContain(told);
    },
  );

  test('returns NoAuthnContext for an unknown class, and for a level that the new sign-in did not reach', async () => {
    const context = (authnContext: string) =>
      registerProvider(server, {
        options: { disableRequestedAuthnContext: false, authnContext: [authnContext], racComparison: 'minimum' },
      });
    const [high, unknown] = [await context('urn:iduruguay:nid:2'), await context('urn:x:unknown')];
    const browser = await signedIn();
    expect(statusesOf(await begin(unknown, browser))).toEqual(['Responder', 'NoAuthnContext']);
    const login = await begin(high, browser);
    expect(login, 'a new sign-in is required').toContain('/login?process_state=');
    const processState = processStateOf(login);
    expect(await browser.signIn({ processState })).toContain('needs_');
    const sent = await followSaml(browser, `${samlPaths.send}?process_state=${processState}`, server.origin);
    expect(statusesOf(sent)).toEqual(['Responder', 'NoAuthnContext']);
  });

  test('requires one new sign-in for ForceAuthn, and returns NoPassive for IsPassive without a session', async () => {
    const [forced, passive] = [
      await registerProvider(server, { options: { forceAuthn: true } }),
      await registerProvider(server, { options: { passive: true } }),
    ];
    const browser = await signedIn();
    const login = await begin(forced, browser);
    expect(login).toContain('forceLogin=True');
    const next = await browser.signIn({ processState: processStateOf(login) });
    await forced.read(expectForm(await followSaml(browser, readTarget(next), server.origin)).fields);
    await passive.read(expectForm(await begin(passive, browser)).fields);
    expect(statusesOf(await begin(passive, openBrowser(server.origin)))).toEqual(['Responder', 'NoPassive']);
  });

  test('[ASVS-6.4.4] sends no assertion for a restricted account without the factor of its level', async () => {
    const [provider, passive] = [
      await registerProvider(server, {}),
      await registerProvider(server, { options: { passive: true } }),
    ];
    const browser = await signedIn();
    const change = (features: boolean, level: string) =>
      server.parts.store.db.updateTable('citizens').set({ features, level }).where('number', '=', '45123784').execute();
    await change(false, 'Certificado');
    expect(await begin(provider, browser)).toContain(proofingPagePath);
    expect(statusesOf(await begin(passive, browser))).toEqual(['Responder', 'NoPassive']);
    await change(true, 'Autoregistrado');
    await provider.read(expectForm(await begin(provider, browser)).fields);
  });

  test('returns NoPassive for an account that is to be closed', async () => {
    const passive = await registerProvider(server, { options: { passive: true } });
    const browser = await signedIn();
    const close = (at: Date | null) =>
      server.parts.store.db.updateTable('citizens').set({ closing_at: at }).where('number', '=', '45123784').execute();
    await close(new Date(Date.now() + 86_400_000));
    expect(statusesOf(await begin(passive, browser))).toEqual(['Responder', 'NoPassive']);
    await close(null);
  });

  test('[CONS-01] asks for consent if the registration requires it, and only at the first request', async () => {
    const provider = await registerProvider(server, {
      registration: { consent: true, website: 'https://sp.example/' },
    });
    const browser = await signedIn();
    const asked = String(await begin(provider, browser));
    expect(asked).toContain('/autorizacion?');
    expect(new URL(asked).searchParams.get('scope')).toBe('personal_info document auth_info');
    const sent = await answerConsent(browser, asked, server.origin);
    await provider.read(expectForm(await followSaml(browser, sent, server.origin)).fields);
    await provider.read(expectForm(await begin(provider, browser)).fields);
  });

  test('[CONS-03] returns AuthnFailed if the citizen refuses the consent or cancels the sign-in', async () => {
    const provider = await registerProvider(server, { registration: { consent: true } });
    const browser = await signedIn();
    const sent = await answerConsent(browser, String(await begin(provider, browser)), server.origin, false);
    expect(statusesOf(await followSaml(browser, sent, server.origin))).toEqual(['Responder', 'AuthnFailed']);
    const other = openBrowser(server.origin);
    const processState = processStateOf(await begin(provider, other));
    const left = await other.get(`/auth/cancel-login?process_state=${processState}`);
    const answer = expectForm(await followSaml(other, left.headers.get('location') ?? '', server.origin));
    expect(statusesOf(answer)).toEqual(['Responder', 'AuthnFailed']);
  });
});

async function postForm(browser: Browser, path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  const cookie = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
  const response = await fetch(new URL(path, server.origin), {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
    body: new URLSearchParams(fields),
  });
  for (const line of response.headers.getSetCookie()) {
    const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s);
    (browser.cookies as Map<string, { value: string; path: string }>).set(name, { value, path: '/' });
  }
  return response;
}

test("[LOG-12 SES-06] /sending-saml-response forwards a response only from the portal's origin to a consumer URL in the metadata", async () => {
  const provider = await registerProvider(server);
  const post = (action: string, headers: Record<string, string> = {}) =>
    fetch(`${server.origin}${samlPaths.send}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.origin, ...headers },
      body: new URLSearchParams({ action, SAMLResponse: 'PD94', RelayState: 'r' }),
    });
  const answer = await post(provider.consumer);
  expect(answer.headers.get('content-security-policy')).toContain(new URL(provider.consumer).origin);
  expect(readForm(await answer.text())).toMatchObject({
    action: provider.consumer,
    fields: { SAMLResponse: 'PD94', RelayState: 'r' },
  });
  for (const refused of [
    post('https://malo.example/acs'),
    post(provider.consumer, { origin: 'https://malo.example' }),
    post(provider.consumer, { 'sec-fetch-site': 'cross-site' }),
  ])
    expect((await refused).status).toBe(400);
});

describe('[SES-09] SAML request', () => {
  /** Id of the request. Each test has a new one, because a repeated id is rejected as a replay. */
  let id = '';
  let serial = 0;
  beforeEach(() => {
    serial += 1;
    id = `_message-${serial}`;
  });
  let provider: TestProvider;
  let stranger: TestProvider;
  beforeAll(async () => {
    provider = await registerProvider(server);
    stranger = await registerProvider(server);
  });

  const request = (changes: Readonly<Record<string, string>> = {}, inner = ''): string => {
    const attributes = Object.entries({
      ID: id,
      Version: '2.0',
      IssueInstant: new Date().toISOString(),
      Destination: `${server.origin}${samlPaths.ssoByRedirect}`,
      AssertionConsumerServiceURL: provider.consumer,
      ...changes,
    })
      .map(([name, value]) => ` ${name}="${value}"`)
      .join('');
    return `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"${attributes}><saml:Issuer>${provider.entityId}</saml:Issuer>${inner}</samlp:AuthnRequest>`;
  };
  const credentialOf = ({ privateKey, certificate }: TestProvider) => ({
    signer: createLocalSigner(createPrivateKey(privateKey)),
    certificate,
  });
  const query = (xml: string, by = provider): Promise<string> =>
    signSamlQuery(
      { name: 'SAMLRequest', message: deflateRawSync(Buffer.from(xml)).toString('base64'), relayState: 'x' },
      credentialOf(by),
    );
  const byRedirect = async (signed: string | Promise<string>): Promise<Response> =>
    openBrowser(server.origin).get(`${samlPaths.ssoByRedirect}?${await signed}`);
  const byPost = async (xml: string | Promise<string>): Promise<Response> =>
    postForm(openBrowser(server.origin), samlPaths.ssoByPost, {
      SAMLRequest: Buffer.from(await xml).toString('base64'),
    });
  const ofPost = { Destination: '' };
  const signed = (xml: string, by = provider): Promise<string> =>
    signXmlElement(xml, { id, hasIssuer: true }, credentialOf(by));
  const kept = async (): Promise<number> =>
    (await server.parts.store.db.selectFrom('saml_requests').select('hash').execute()).length;

  async function expectRefused(response: Promise<Response>): Promise<void> {
    const answer = await response;
    const text = await answer.text();
    expect(answer.status, text).toBe(400);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(text).toContain('Uy! Algo salió mal');
    expect(text).toContain(answer.headers.get('x-request-id') ?? 'an id');
  }

  test('is accepted by redirect and by POST if it is valid', async () => {
    expect((await byRedirect(query(request({ ID: '_as-it-is' })))).status).toBe(303);
    const xml = request({ ID: '_as-it-is-2', Destination: `${server.origin}${samlPaths.ssoByPost}` });
    expect(
      (await byPost(signXmlElement(xml, { id: '_as-it-is-2', hasIssuer: true }, credentialOf(provider)))).status,
    ).toBe(303);
  });

  test.each<[string, () => Promise<Response>]>([
    [
      'without a signature',
      () => byRedirect(new URLSearchParams({ SAMLRequest: deflateRawSync(request()).toString('base64') }).toString()),
    ],
    ['signed by another service provider', () => byRedirect(query(request(), stranger))],
    [
      'with a changed RelayState',
      async () => byRedirect((await query(request())).replace('RelayState=x', 'RelayState=y')),
    ],
    ['with a removed RelayState', async () => byRedirect((await query(request())).replace('RelayState=x&', ''))],
    [
      'with two messages',
      async () =>
        byRedirect(
          `${await query(request())}&SAMLRequest=${encodeURIComponent(deflateRawSync(request()).toString('base64'))}`,
        ),
    ],
    ['with an unknown issuer', () => byRedirect(query(request().replace(provider.entityId, 'https://nadie.example/')))],
    ['without an issuer', () => byRedirect(query(request().replace(/<saml:Issuer>.*<\/saml:Issuer>/, '')))],
    ['signed without a Destination', () => byRedirect(query(request().replace(/ Destination="[^"]*"/, '')))],
    [
      'with another Destination at the portal',
      () => byRedirect(query(request({ Destination: `${server.origin}/otra` }))),
    ],
    [
      'issued a day ago',
      () => byRedirect(query(request({ IssueInstant: new Date(Date.now() - 86_400_000).toISOString() }))),
    ],
    [
      'issued a day ahead',
      () => byRedirect(query(request({ IssueInstant: new Date(Date.now() + 86_400_000).toISOString() }))),
    ],
    ['with an invalid IssueInstant', () => byRedirect(query(request({ IssueInstant: 'hoy' })))],
    ['with another version', () => byRedirect(query(request({ Version: '1.1' })))],
    ['with a malformed ID', () => byRedirect(query(request({ ID: "x' or '1'='1" })))],
    [
      'with a consumer URL that is not in the metadata',
      () => byRedirect(query(request({ AssertionConsumerServiceURL: 'https://malo.example/acs' }))),
    ],
    [
      'with a consumer index that is not in the metadata',
      () =>
        byRedirect(
          query(request({ AssertionConsumerServiceIndex: '9' }).replace(/ AssertionConsumerServiceURL="[^"]*"/, '')),
        ),
    ],
    [
      'with another ProtocolBinding',
      () => byRedirect(query(request({ ProtocolBinding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact' }))),
    ],
    ['with a document type', () => byRedirect(query(`<!DOCTYPE x [<!ENTITY e "e">]>${request()}`))],
    [
      'with nested XML entities',
      () => byRedirect(query(`<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>${request({}, '&b;')}`)),
    ],
    ['that is a deflate bomb', () => byRedirect(query(request({}, `<!--${'a'.repeat(5_000_000)}-->`)))],
    ['that is not XML', () => byRedirect(query('hola'))],
    ['that is not base64', () => byRedirect('SAMLRequest=%25%25')],
    ['without a message', () => byRedirect('RelayState=x')],
    ['with another root element', () => byRedirect(query(request().replaceAll('AuthnRequest', 'ArtifactResolve')))],
    ['with two issuers', () => byRedirect(query(request({}, `<saml:Issuer>${provider.entityId}</saml:Issuer>`)))],
    ['by POST without a signature', () => byPost(request(ofPost))],
    [
      'by POST with a null character in the issuer',
      () => byPost(request(ofPost).replace('</saml:Issuer>', '&#0;</saml:Issuer>')),
    ],
    [
      'by POST signed by another service provider',
      () => byPost(signed(request({ Destination: `${server.origin}${samlPaths.ssoByPost}` }), stranger)),
    ],
    [
      'by POST with a changed content',
      async () =>
        byPost(
          (await signed(request({ Destination: `${server.origin}${samlPaths.ssoByPost}` }))).replace(
            `ID="${id}" Version`,
            `ForceAuthn="true" ID="${id}" Version`,
          ),
        ),
    ],
    [
      'by POST with a comment in the issuer',
      async () =>
        byPost(
          (await signed(request({ Destination: `${server.origin}${samlPaths.ssoByPost}` }))).replace(
            provider.entityId,
            `${provider.entityId}<!---->x`,
          ),
        ),
    ],
  ])('is rejected with an error page and not stored: %s', async (_, send) => {
    const before = await kept();
    await expectRefused(send());
    expect(await kept()).toBe(before);
  });

  // The eight signature wrapping attacks (Somorovsky et al., USENIX Security 2012) that apply to requests: the signed
  // element is moved, and a forged one is in its position.
  const evil = (): string => request({ ID: '_evil', ForceAuthn: 'false', IsPassive: 'true', Destination: '' });
  const signatureIn = (xml: string): string => /<ds:Signature.*<\/ds:Signature>/s.exec(xml)?.[0] ?? '';
  const made = () => signed(request({ Destination: `${server.origin}${samlPaths.ssoByPost}` }));
  test.each<[string, (good: string) => string | Promise<string>]>([
    [
      'the signed request inside a new root',
      (good) => evil().replace('</samlp:AuthnRequest>', `${good}</samlp:AuthnRequest>`),
    ],
    [
      'the signature in a new root, the signed request inside',
      (good) =>
        evil()
          .replace('</saml:Issuer>', `</saml:Issuer>${signatureIn(good)}`)
          .replace('</samlp:AuthnRequest>', `${good.replace(signatureIn(good), '')}</samlp:AuthnRequest>`),
    ],
    [
      'the signed request in Extensions',
      (good) =>
        evil().replace(
          '</saml:Issuer>',
          `</saml:Issuer>${signatureIn(good)}<samlp:Extensions>${good.replace(signatureIn(good), '')}</samlp:Extensions>`,
        ),
    ],
    [
      'the signed request in an Object of the signature',
      (good) =>
        evil().replace(
          '</saml:Issuer>',
          `</saml:Issuer>${signatureIn(good).replace('</ds:Signature>', `<ds:Object>${good.replace(signatureIn(good), '')}</ds:Object></ds:Signature>`)}`,
        ),
    ],
    [
      'two elements with the same ID, the forged one first',
      (good) => evil().replace('_evil', id).replace('</samlp:AuthnRequest>', `${good}</samlp:AuthnRequest>`),
    ],
    [
      'two elements with the same ID, the signature in the root',
      (good) =>
        evil()
          .replace('_evil', id)
          .replace('</saml:Issuer>', `</saml:Issuer>${signatureIn(good)}`)
          .replace('</samlp:AuthnRequest>', `${good.replace(signatureIn(good), '')}</samlp:AuthnRequest>`),
    ],
    ['two signatures', (good) => good.replace(signatureIn(good), signatureIn(good) + signatureIn(good))],
    [
      'the signature in Extensions',
      (good) => good.replace(signatureIn(good), `<samlp:Extensions>${signatureIn(good)}</samlp:Extensions>`),
    ],
    ['an empty Reference URI', (good) => good.replace(`URI="#${id}"`, 'URI=""')],
    ['another canonicalization', (good) => good.replaceAll('xml-exc-c14n#', 'xml-exc-c14n#WithComments')],
    [
      'an XPath transform',
      (good) =>
        good.replace(
          '<ds:Transforms>',
          '<ds:Transforms><ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"/>',
        ),
    ],
    ['SHA-1', (good) => good.replace('2001/04/xmldsig-more#rsa-sha256', '2000/09/xmldsig#rsa-sha1')],
    [
      'HMAC with the certificate as its key',
      (good) => good.replace('2001/04/xmldsig-more#rsa-sha256', '2000/09/xmldsig#hmac-sha1'),
    ],
    [
      'another key in KeyInfo',
      () =>
        signXmlElement(
          request({ Destination: `${server.origin}${samlPaths.ssoByPost}` }),
          { id, hasIssuer: true },
          credentialOf(stranger),
        ),
    ],
  ])('is rejected with a wrapped or weak signature, and not stored: %s', async (_, xml) => {
    const before = await kept();
    await expectRefused(byPost(xml(await made())));
    expect(await kept()).toBe(before);
  });

  test('is rejected as a replay, and its id is stored for its lifetime plus the clock skew', async () => {
    const once = await query(request({ ID: '_once' }));
    expect((await byRedirect(once)).status).toBe(303);
    await expectRefused(byRedirect(once));
    const kept = await server.parts.store.db
      .selectFrom('saml_requests')
      .select(['created_at', 'expires_at'])
      .where('message_id', '=', '_once')
      .executeTakeFirstOrThrow();
    // The clock of the service provider may be ahead by the tolerated skew, so the message stays valid longer by this
    // skew.
    expect(kept.expires_at.getTime() - kept.created_at.getTime()).toBe(maxSamlMessageAgeMs + samlClockSkewMs);
  });

  test('is rejected when another browser continues it', async () => {
    const begun = await openBrowser(server.origin).get(await requestUrl(provider));
    await expectRefused((await signedIn()).get(begun.headers.get('location') ?? ''));
  });

  test('[ASVS-11.4.1] is rejected with SHA-1, which no registration allows', async () => {
    const provider = await registerProvider(server, { options: { signatureAlgorithm: 'sha1' } });
    await expectRefused(openBrowser(server.origin).get(await requestUrl(provider)));
    expect(() => validateServiceProviderRegistration({ id: 'sae', name: 'Agenda', sha1: true })).toThrow(
      'additional properties',
    );
  });

  test("is rejected if the service provider's metadata have expired", async () => {
    const [old, fresh] = [
      await registerProvider(server, { validUntil: '2026-01-01T00:00:00Z' }),
      await registerProvider(server, { validUntil: '2126-01-01T00:00:00Z' }),
    ];
    await expectRefused(openBrowser(server.origin).get(await requestUrl(old)));
    expect(await begin(fresh, openBrowser(server.origin))).toContain('/login?process_state=');
  });

  test('is accepted unsigned from a service provider without a key, and the response goes to its own consumer URL', async () => {
    const unsigned = await registerProvider(server, { signs: false });
    const answer = expectForm(await begin(unsigned, await signedIn()));
    expect(answer.action).toBe(unsigned.consumer);
  });
});

/**
 * A verifier that shares no code with the server: libxml2 and OpenSSL, through `xmlsec1`. `npm test` installs it if the
 * package manager has it.
 */
describe.skipIf(spawnSync('xmlsec1', ['--version']).error !== undefined)(
  '[SES-09 FED-01] interoperability with xmlsec1',
  () => {
    let folder = '';
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'xmlsec-'));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    async function put(name: string, content: string): Promise<string> {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    }

    async function run(action: string, xml: string, ...options: readonly string[]): Promise<string> {
      const ids = ['Response', 'Assertion', 'EntityDescriptor', 'AuthnRequest'].flatMap((name) => [
        '--id-attr:ID',
        name,
      ]);
      const file = await put('message.xml', xml);
      const { status, stdout, stderr } = spawnSync('xmlsec1', [action, ...ids, ...options, file], { encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
      return stdout;
    }

    const signatureOf = (parent: string): readonly string[] => [
      '--node-xpath',
      `//*[local-name()='${parent}']/*[local-name()='Signature']`,
    ];

    test('verifies the signatures of metadata, response and assertion, and rejects them after a change', async () => {
      const key = ['--pubkey-cert-pem', await put('ours.pem', server.parts.saml.credentials()[0].certificate)];
      const metadata = await (await fetch(`${server.origin}${samlPaths.metadata}`)).text();
      await run('--verify', metadata, ...key, ...signatureOf('EntityDescriptor'));
      const provider = await registerProvider(server);
      const xml = readResponse(expectForm(await begin(provider, await signedIn())));
      for (const name of ['Response', 'Assertion']) await run('--verify', xml, ...key, ...signatureOf(name));
      const forged = xml.replaceAll('45123784', '38712057');
      for (const name of ['Response', 'Assertion'])
        await expect(run('--verify', forged, ...key, ...signatureOf(name)), name).rejects.toThrow('digest');
    });

    test("decrypts an encrypted assertion with the service provider's key", async () => {
      const provider = await registerProvider(server, { encrypted: true });
      const xml = readResponse(expectForm(await begin(provider, await signedIn())));
      expect(xml).not.toContain('45123784');
      const read = await run('--decrypt', xml, '--privkey-pem', await put('theirs.pem', provider.privateKey));
      expect(read).toContain('uy-ci-45123784');
    });

    test('signs a request that the portal accepts, and that it rejects after a change', async () => {
      const provider = await registerProvider(server);
      const algorithm = (name: string, uri: string) => `<ds:${name} Algorithm="http://www.w3.org/${uri}"/>`;
      const id = `_${randomUUID()}`;
      const signed = await run(
        '--sign',
        `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" ` +
          `IssueInstant="${new Date().toISOString()}" Destination="${server.origin}${samlPaths.ssoByPost}" AssertionConsumerServiceURL="${provider.consumer}">` +
          `<saml:Issuer>${provider.entityId}</saml:Issuer><ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo>` +
          algorithm('CanonicalizationMethod', '2001/10/xml-exc-c14n#') +
          algorithm('SignatureMethod', '2001/04/xmldsig-more#rsa-sha256') +
          `<ds:Reference URI="#${id}"><ds:Transforms>` +
          algorithm('Transform', '2000/09/xmldsig#enveloped-signature') +
          algorithm('Transform', '2001/10/xml-exc-c14n#') +
          `</ds:Transforms>${algorithm('DigestMethod', '2001/04/xmlenc#sha256')}<ds:DigestValue/></ds:Reference></ds:SignedInfo><ds:SignatureValue/></ds:Signature></samlp:AuthnRequest>`,
        '--privkey-pem',
        await put('theirs.pem', provider.privateKey),
      );
      const send = (xml: string) =>
        signedIn().then((browser) =>
          postForm(browser, samlPaths.ssoByPost, { SAMLRequest: Buffer.from(xml).toString('base64') }),
        );
      expect((await send(signed.replace(' Version=', ' IsPassive="false"$&'))).status).toBe(400);
      expect((await send(signed)).status).toBe(303);
    });
  },
);
