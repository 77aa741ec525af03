import { spawnSync } from 'node:child_process';
import { createPrivateKey, randomUUID, verify, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { createCMSECDSASignature } from 'pkijs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLocalSigner } from '../../../../src/server/platform/keys/jws-signer.ts';
import { createSamlEndpoints } from '../../../../src/server/trust/federation/broker/saml-endpoints.ts';
import { samlPaths } from '../../../../src/server/trust/federation/saml/saml-constants.ts';
import { generateSamlCredential } from '../../../../src/server/trust/federation/saml/open-saml.ts';
import {
  openServiceProviderStore,
  loadFixedServiceProviders,
} from '../../../../src/server/trust/federation/saml/service-providers.ts';
import {
  readValidServiceProviderMetadata,
  validateServiceProviderRegistration,
  type ServiceProviderRegistration,
} from '../../../../src/server/trust/federation/saml/service-provider-registration.ts';
import { signSamlQuery } from '../../../../src/server/trust/federation/saml/bindings.ts';
import {
  signXmlElement,
  verifyXmlSignature,
  type SamlKeyCredentials,
  type SigningCredential,
} from '../../../../src/server/trust/federation/saml/xml-signature.ts';
import { openBrowser, type Browser } from '../../support/browser.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import { answerConsent } from '../../support/relying-party.ts';
import {
  createProvider,
  expectForm,
  followSaml,
  listStatuses,
  readResponse,
  registerProvider,
  requestSamlSignIn,
  type SubmittedForm,
  type TestProvider,
} from '../../support/service-provider.ts';

type Registered = Awaited<ReturnType<typeof register>>;
type NewOptions = NonNullable<Parameters<typeof createProvider>[2]>;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const uri = 'urn:oasis:names:tc:SAML:2.0:attrname-format:uri';
const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const pairwiseId = 'urn:oasis:names:tc:SAML:attribute:pairwise-id';
const subjectId = 'urn:oasis:names:tc:SAML:attribute:subject-id';

let server: LiveServer;
/** Key that signs the metadata of service providers, as a federation does. */
let federation: SigningCredential;
let stranger: SamlKeyCredentials;
/** Additional keys of a service provider. */
let spare: SamlKeyCredentials;
let browser: Browser;

beforeAll(async () => {
  server = await startLiveServer();
  [federation, stranger, spare] = await Promise.all([
    generateSamlCredential('federacion.example'),
    generateSamlCredential('otra.example'),
    generateSamlCredential('sp.example'),
  ]);
  browser = openBrowser(server.origin);
  await browser.signIn();
});
afterAll(() => server.close());

const later = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** Signs the metadata of node-saml, with an expiry and `changes`. */
function publish(
  metadata: string,
  { by = federation, until = later(14 * dayMs), changes = (xml: string) => xml } = {},
): Promise<string> {
  const bare = metadata.replace(/<\?xml[^>]*\?>\s*/, '').replace(/ ID="[^"]*"/, '');
  const xml = changes(bare.replace('<EntityDescriptor ', `<EntityDescriptor ID="_metadata" validUntil="${until}" `));
  return signXmlElement(xml, { id: '_metadata', hasIssuer: false }, by);
}

const createRequirement = (identifier: string) => (xml: string) =>
  xml.replace(
    /<SPSSODescriptor /,
    `<Extensions><a:EntityAttributes xmlns:a="urn:oasis:names:tc:SAML:metadata:attribute"><s:Attribute xmlns:s="urn:oasis:names:tc:SAML:2.0:assertion" Name="urn:oasis:names:tc:SAML:profiles:subject-id:req" NameFormat="${uri}"><s:AttributeValue>${identifier}</s:AttributeValue></s:Attribute></a:EntityAttributes></Extensions>$&`,
  );

const keyDescriptor = (use: string, { certificate }: { readonly certificate: string }): string =>
  `<KeyDescriptor use="${use}"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificate.replace(/-----[A-Z ]+-----|\s/g, '')}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`;
const withKeys = (keys: string) => (xml: string) => xml.replace(/<KeyDescriptor/, `${keys}$&`);

async function register({
  registration = {},
  publishing = {},
  ...options
}: NewOptions & {
  readonly registration?: Partial<ServiceProviderRegistration>;
  readonly publishing?: Parameters<typeof publish>[1];
} = {}): Promise<TestProvider> {
  const ours = () => server.parts.saml.credentials()[0].certificate;
  const provider = await createProvider(server.origin, ours, { encrypted: true, signs: false, ...options });
  await server.parts.saml.providers.add(
    validateServiceProviderRegistration({
      id: provider.id,
      name: provider.id,
      profile: 'saml2int',
      metadataCertificate: federation.certificate,
      signingAlg: 'RS256', // RSA, because node-saml verifies no ECDSA
      ...registration,
    }),
    await publish(provider.metadata, publishing),
    new Date(),
  );
  return provider;
}

const begin = (provider: Registered, by = browser) => requestSamlSignIn(provider, by, server.origin);

const statusesOf = (outcome: string | SubmittedForm) => listStatuses(readResponse(expectForm(outcome)));

/** Sends a new request. Returns the validated response. */
async function signInAt(provider: Registered) {
  const profile = await provider.read(expectForm(await begin(provider)).fields);
  return { profile, attributes: profile['attributes'] as Readonly<Record<string, string>> };
}

const credentialOf = ({ privateKey, certificate }: TestProvider): SigningCredential => ({
  signer: createLocalSigner(createPrivateKey(privateKey)),
  certificate,
});

function writeRequest(
  provider: TestProvider,
  attributes: Readonly<Record<string, string | null>> = {},
  content = '',
): { readonly id: string; readonly xml: string } {
  const id = `_${randomUUID()}`;
  const all = {
    ID: id,
    Version: '2.0',
    IssueInstant: new Date().toISOString(),
    Destination: `${server.origin}${samlPaths.ssoByRedirect}`,
    ...attributes,
  };
  const written = Object.entries(all).map(([name, value]) => (value === null ? '' : ` ${name}="${value}"`));
  return {
    id,
    xml: `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"${written.join('')}><saml:Issuer>${provider.entityId}</saml:Issuer>${content}</samlp:AuthnRequest>`,
  };
}

const deflated = (xml: string): string => deflateRawSync(Buffer.from(xml)).toString('base64');
const unsignedQuery = (xml: string): string => new URLSearchParams({ SAMLRequest: deflated(xml) }).toString();
const signedQuery = (xml: string, by: SigningCredential): Promise<string> =>
  signSamlQuery({ name: 'SAMLRequest', message: deflated(xml), relayState: null }, by);

/** Returns the status of the response in the redirect binding: 303 for an accepted request, 400 for a rejected one. */
const statusOf = async (query: string): Promise<number> =>
  (await openBrowser(server.origin).get(`${samlPaths.ssoByRedirect}?${query}`)).status;

async function statusOfPost(xml: string): Promise<number> {
  const response = await fetch(`${server.origin}${samlPaths.ssoByPost}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ SAMLRequest: Buffer.from(xml).toString('base64') }),
  });
  return response.status;
}

/** Sends an unsigned request in the signed-in browser. */
const ask = (provider: TestProvider, ...rest: [Readonly<Record<string, string | null>>?, string?]) =>
  followSaml(
    browser,
    `${samlPaths.ssoByRedirect}?${unsignedQuery(writeRequest(provider, ...rest).xml)}`,
    server.origin,
  );

describe('[SEC-07] service provider with profile saml2int', () => {
  test('gets an encrypted response with a transient NameID, a pairwise-id and attributes named by URIs', async () => {
    const [one, other] = [await register(), await register()];
    const answer = expectForm(await begin(one));
    const xml = readResponse(answer);
    expect(xml).toContain('EncryptedAssertion');
    expect(xml).toContain('http://www.w3.org/2009/xmlenc11#aes256-gcm');
    expect(xml).toContain(
      '<DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>\n    </e:EncryptionMethod>',
    );
    expect(xml).not.toMatch(/xmldsig#(rsa-)?sha1|45123784/);
    const profile = await one.read(answer.fields);
    const attributes = profile['attributes'] as Readonly<Record<string, string>>;
    expect(profile).toMatchObject({ nameIDFormat: transient });
    expect(attributes).toMatchObject({
      'urn:oid:2.5.4.42': 'Ana',
      'urn:iduruguay:attribute:NumeroDocumento': '45123784',
      'urn:iduruguay:attribute:nid': '1',
    });
    expect(profile.getAssertionXml?.()).not.toContain('attrname-format:basic');
    expect(attributes[pairwiseId]).toMatch(/^[\da-f]{64}@127\.0\.0\.1$/);
    const [again, elsewhere] = [await signInAt(one), await signInAt(other)];
    expect(again.profile.nameID).not.toBe(profile.nameID);
    expect(again.attributes[pairwiseId]).toBe(attributes[pairwiseId]);
    expect(elsewhere.attributes[pairwiseId]).not.toBe(attributes[pairwiseId]);
  });

  test('gets the identifier that its metadata require', async () => {
    const requires = (identifier: string, registration = {}) =>
      register({ publishing: { changes: createRequirement(identifier) }, registration });
    const identifiersOf = async (provider: TestProvider) =>
      Object.keys((await signInAt(provider)).attributes).filter((name) => name.includes('SAML:attribute'));
    expect(await identifiersOf(await requires('none'))).toEqual([]);
    expect(await identifiersOf(await requires('any'))).toEqual([pairwiseId]);
    expect(await identifiersOf(await requires('pairwise-id'))).toEqual([pairwiseId]);
    const [one, other] = [await requires('subject-id'), await requires('subject-id')];
    const [first, second] = [(await signInAt(one)).attributes, (await signInAt(other)).attributes];
    expect(first[subjectId]).toMatch(/^[\da-f-]{36}@127\.0\.0\.1$/);
    expect(second[subjectId]).toBe(first[subjectId]);
    expect(Object.keys(first)).not.toContain(pairwiseId);
    const narrow = await requires('subject-id', { scopes: ['auth_info'] });
    expect(statusesOf(await begin(narrow))).toEqual(['Responder', 'RequestDenied']);
  });

  test('gets a subject-id only after consent to personal_info', async () => {
    const set =
      '<AttributeConsumingService index="0"><ServiceName xml:lang="es">x</ServiceName><RequestedAttribute Name="urn:iduruguay:attribute:nid"/></AttributeConsumingService></SPSSODescriptor>';
    const changes = (xml: string) => createRequirement('subject-id')(xml).replace('</SPSSODescriptor>', set);
    const provider = await register({ publishing: { changes }, registration: { consent: true } });
    const asked = String(await begin(provider));
    expect(new URL(asked).searchParams.get('scope')).toBe('personal_info auth_info');
    const sent = await answerConsent(browser, asked, server.origin);
    const profile = await provider.read(expectForm(await followSaml(browser, sent, server.origin)).fields);
    const names = Object.keys(profile['attributes'] as object);
    expect(names).toEqual([subjectId, 'urn:iduruguay:attribute:nid']);
  });

  test('may send unsigned requests, unless its metadata have AuthnRequestsSigned or another profile', async () => {
    const free = await register({
      signs: true,
      publishing: { changes: (xml) => xml.replace('Signed="true"', 'Signed="false"') },
    });
    const silent = await register({
      signs: true,
      publishing: { changes: (xml) => xml.replace(' AuthnRequestsSigned="true"', '') },
    });
    const bound = await register({ signs: true });
    const keyless = await register({
      publishing: { changes: (xml) => xml.replace('RequestsSigned="false"', 'RequestsSigned="1"') },
    });
    const dialect = await register({
      signs: true,
      registration: { profile: 'id-uruguay' },
      publishing: { changes: (xml) => xml.replace('Signed="true"', 'Signed="false"') },
    });
    const status = (provider: TestProvider) => statusOf(unsignedQuery(writeRequest(provider).xml));
    expect(await Promise.all([free, silent].map(status))).toEqual([303, 303]);
    expect(await Promise.all([bound, keyless, dialect].map(status))).toEqual([400, 400, 400]);
    const { xml } = writeRequest(free, { Destination: null });
    expect(await statusOf(unsignedQuery(xml)), 'unsigned requests need no Destination').toBe(303);
  });

  test('is rejected if a request has an invalid or incomplete signature, or is replayed', async () => {
    const changes = (xml: string) => xml.replace('Signed="true"', 'Signed="false"');
    const provider = await register({ signs: true, publishing: { changes } });
    const own = credentialOf(provider);
    const { xml } = writeRequest(provider);
    expect(await statusOf(await signedQuery(xml, stranger))).toBe(400);
    expect(await statusOf((await signedQuery(xml, own)).replace(/&Signature=.*/, ''))).toBe(400);
    const post = writeRequest(provider, { Destination: `${server.origin}${samlPaths.ssoByPost}` });
    const signed = await signXmlElement(post.xml, { id: post.id, hasIssuer: true }, own);
    const foreign = await signXmlElement(post.xml, { id: post.id, hasIssuer: true }, stranger);
    expect(await statusOfPost(foreign)).toBe(400);
    expect(await statusOfPost(signed.replace(' Version=', ' ForceAuthn="true" Version='))).toBe(400);
    const evil = post.xml
      .replace(post.id, '_evil')
      .replace('</saml:Issuer>', `$&${/<ds:Signature .*<\/ds:Signature>/.exec(signed)?.[0]}`);
    expect(
      await statusOfPost(evil.replace('</samlp:AuthnRequest>', `${post.xml}$&`)),
      'signed request inside a forged one',
    ).toBe(400);
    expect(await statusOfPost(signed)).toBe(303);
    expect(await statusOfPost(signed), 'replayed request').toBe(400);
  });

  test('gets the response only at a consumer URL of its metadata, selected by index, by URL or by default', async () => {
    const second =
      '<AssertionConsumerService index="7" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://sp.example/second"/>';
    const changes = (xml: string) => xml.replace('</SPSSODescriptor>', `${second}$&`);
    const provider = await register({ publishing: { changes } });
    const actionFor = async (attributes: Record<string, string>) => expectForm(await ask(provider, attributes)).action;
    expect(await actionFor({})).toBe(provider.consumer);
    expect(await actionFor({ AssertionConsumerServiceIndex: '7' })).toBe('https://sp.example/second');
    expect(await actionFor({ AssertionConsumerServiceURL: 'https://sp.example/second' })).toBe(
      'https://sp.example/second',
    );
    const refused: readonly Record<string, string>[] = [
      { AssertionConsumerServiceIndex: '8' },
      { AssertionConsumerServiceURL: 'https://malo.example/acs' },
      { AssertionConsumerServiceURL: `${provider.consumer}/` },
      { AssertionConsumerServiceURL: provider.consumer.toUpperCase() },
    ];
    for (const attributes of refused)
      expect(await statusOf(unsignedQuery(writeRequest(provider, attributes).xml))).toBe(400);
  });

  test('can use RequestedAuthnContext, IsPassive and ForceAuthn', async () => {
    const never = { validateInResponseTo: 'never' } as object; // node-saml did not send the requests below, and would otherwise reject their responses
    const provider = await register({ options: never });
    const context = (comparison: string, name: string) =>
      `<samlp:RequestedAuthnContext Comparison="${comparison}"><saml:AuthnContextClassRef>${name}</saml:AuthnContextClassRef></samlp:RequestedAuthnContext>`;
    const password = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport';
    for (const comparison of ['exact', 'minimum']) {
      const profile = await provider.read(expectForm(await ask(provider, {}, context(comparison, password))).fields);
      expect(profile.getAssertionXml?.()).toContain(`<saml:AuthnContextClassRef>${password}</`);
    }
    const silent = { IsPassive: 'true' };
    expect(statusesOf(await ask(provider, silent, context('exact', 'urn:x:otra')))).toEqual([
      'Responder',
      'NoAuthnContext',
    ]);
    expect(statusesOf(await ask(provider, { ...silent, ForceAuthn: 'true' }))).toEqual(['Responder', 'NoPassive']);
    expect(String(await ask(provider, { ForceAuthn: '1' }))).toContain('forceLogin=True');
  });

  test.each([
    ['AllowCreate="false"', ['Success']],
    [`AllowCreate="true" Format="${transient}"`, ['Success']],
    ['Format="urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified"', ['Success']],
    [`AllowCreate="true" Format="${persistent}"`, ['Requester', 'InvalidNameIDPolicy']],
    ['SPNameQualifier="https://otro.example/"', ['Requester', 'InvalidNameIDPolicy']],
  ])('gets, for the NameIDPolicy %s, the status %s', async (policy, statuses) => {
    const provider = await register();
    expect(statusesOf(await ask(provider, {}, `<samlp:NameIDPolicy ${policy}/>`))).toEqual(statuses);
  });

  test('differs from profile id-uruguay, which has the document as NameID and plain attribute names', async () => {
    const provider = await register({ registration: { profile: 'id-uruguay' } });
    const { profile, attributes } = await signInAt(provider);
    expect(profile.nameID).toBe('uy-ci-45123784');
    expect(Object.keys(attributes)).toContain('NumeroDocumento');
    expect(Object.keys(attributes).join()).not.toContain('urn:');
  });

  test('rejects a response with another audience', async () => {
    const provider = await register({ options: { audience: 'https://otro.example/metadata' } });
    await expect(provider.read(expectForm(await begin(provider)).fields)).rejects.toThrow(/audience/i);
  });
});

describe('[SEC-07] clock skew of three minutes', () => {
  test.each([
    [-2.5, 303],
    [2.5, 303],
    [4, 400],
  ])('is tolerated for a request issued in %s minutes: status %s', async (minutes, status) => {
    const provider = await register();
    const { xml } = writeRequest(provider, { IssueInstant: later(minutes * minuteMs) });
    expect(await statusOf(unsignedQuery(xml))).toBe(status);
  });

  test.each([
    [-2, 303],
    [-4, 400],
  ])('is tolerated for metadata that are valid until in %s minutes: status %s', async (minutes, status) => {
    const provider = await register({ publishing: { until: later(minutes * minuteMs) } });
    expect(await statusOf(unsignedQuery(writeRequest(provider).xml))).toBe(status);
  });
});

describe('[SEC-07] keys of a service provider and the portal', () => {
  test('verify requests with any signing key of the metadata, RSA or ECDSA, by redirect and by POST', async () => {
    const curve = spare.ec;
    const changes = withKeys(keyDescriptor('signing', spare) + keyDescriptor('signing', curve));
    const provider = await register({ signs: true, publishing: { changes } });
    const known = [credentialOf(provider), spare, curve];
    const unknown = [stranger, stranger.ec];
    const byPost = async (by: SigningCredential) => {
      const { id, xml } = writeRequest(provider, { Destination: `${server.origin}${samlPaths.ssoByPost}` });
      return statusOfPost(await signXmlElement(xml, { id, hasIssuer: true }, by));
    };
    const byRedirect = async (by: SigningCredential) => statusOf(await signedQuery(writeRequest(provider).xml, by));
    for (const send of [byPost, byRedirect]) {
      expect(await Promise.all(known.map(send))).toEqual([303, 303, 303]);
      expect(await Promise.all(unknown.map(send))).toEqual([400, 400]);
    }
    const query = await signedQuery(writeRequest(provider).xml, spare);
    expect(await statusOf(query.replace('rsa-sha256', 'ecdsa-sha256')), 'algorithm of another key').toBe(400);
    const { xml } = writeRequest(provider);
    const signed = new URLSearchParams({
      SAMLRequest: deflated(xml),
      SigAlg: 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256',
    }).toString();
    const { buffer: value } = new Uint8Array(await curve.signer.sign(Buffer.from(signed)));
    const der = Buffer.from(createCMSECDSASignature(value)).toString('base64');
    expect(await statusOf(`${signed}&Signature=${encodeURIComponent(der)}`), 'signature encoded in DER').toBe(303);
  });

  test('encrypt with the first of several encryption keys', async () => {
    const changes = (xml: string) =>
      xml.replace(
        '</KeyDescriptor><SingleLogout',
        `</KeyDescriptor>${keyDescriptor('encryption', spare)}<SingleLogout`,
      );
    const provider = await register({ publishing: { changes } });
    expect((await signInAt(provider)).attributes[pairwiseId]).toBeDefined();
  });

  test("[ASVS-11.6.1] sign with ECDSA by default, and the portal's metadata have its certificate", async () => {
    const provider = await register({ registration: { signingAlg: undefined } });
    const { ec, certificate } = server.parts.saml.credentials()[0];
    const xml = readResponse(expectForm(await begin(provider)));
    expect(xml).toContain('xmldsig-more#ecdsa-sha256');
    verifyXmlSignature(xml, [ec.certificate]);
    expect(() => verifyXmlSignature(xml, [certificate])).toThrow('no trusted certificate');
    const metadata = await (await fetch(`${server.origin}${samlPaths.metadata}`)).text();
    expect(metadata).toContain(ec.certificate.replace(/-----[A-Z ]+-----|\s/g, ''));
    expect(new X509Certificate(ec.certificate).publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
    // A second implementation: OpenSSL verifies the signature of a logout redirect.
    const logout = await browser.post('/auth/logout', { redirect_uri: '/ayuda' }, { origin: server.origin });
    expect(logout.status).toBe(200);
    await browser.signIn();
    const query = await signSamlQuery({ name: 'SAMLResponse', message: 'PA==', relayState: null }, ec);
    const [signed = '', value = ''] = query.split('&Signature=');
    const key = { key: new X509Certificate(ec.certificate).publicKey, dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha256', Buffer.from(signed), key, Buffer.from(decodeURIComponent(value), 'base64'))).toBe(true);
  });

  test.skipIf(spawnSync('xmlsec1', ['--version']).error !== undefined)(
    'sign with ECDSA so that xmlsec1 verifies the response',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'xmlsec-'));
      const [file, key] = [join(folder, 'response.xml'), join(folder, 'ec.pem')];
      const provider = await register({ registration: { signingAlg: 'ES256' } });
      const xml = readResponse(expectForm(await begin(provider)));
      await writeFile(key, server.parts.saml.credentials()[0].ec.certificate);
      const run = async (text: string) => {
        await writeFile(file, text);
        const options = ['--id-attr:ID', 'Response', '--pubkey-cert-pem', key, file];
        return spawnSync('xmlsec1', ['--verify', ...options], { encoding: 'utf8' }).status;
      };
      expect(await run(xml)).toBe(0);
      expect(await run(xml.replace('status:Success', 'status:Failure'))).not.toBe(0);
      await rm(folder, { recursive: true });
    },
  );
});

describe('[SEC-07] metadata of a service provider', () => {
  const registration = (changes: object = {}): ServiceProviderRegistration =>
    validateServiceProviderRegistration({
      id: 'x',
      name: 'X',
      profile: 'saml2int',
      metadataCertificate: federation.certificate,
      ...changes,
    });
  let metadata: string;
  let provider: TestProvider;
  beforeAll(async () => {
    provider = await createProvider(server.origin, () => '', { encrypted: true });
    ({ metadata } = provider);
  });
  const read = (xml: string, given = registration(), loopback = true) =>
    readValidServiceProviderMetadata(given, xml, { now: new Date(), loopback });

  test('are accepted with the signature of a registered key', async () => {
    expect(read(await publish(metadata)).entityId).toBe(provider.entityId);
    const both = stranger.certificate + federation.certificate;
    expect(read(await publish(metadata), registration({ metadataCertificate: both })).entityId).toBe(provider.entityId);
  });

  test.each<[string, () => Promise<string>, RegExp]>([
    [
      'without a signature',
      async () => (await publish(metadata)).replace(/<ds:Signature .*<\/ds:Signature>/s, ''),
      /not signed/,
    ],
    ['signed with another key', () => publish(metadata, { by: stranger }), /no trusted certificate/],
    [
      'changed after the signature',
      async () => (await publish(metadata)).replaceAll('/acs', '/otro'),
      /no trusted certificate|covers/,
    ],
    [
      'wrapped around signed metadata',
      async () => {
        const signed = await publish(metadata);
        const signature = /<ds:Signature .*?<\/ds:Signature>/s.exec(signed)?.[0] ?? '';
        const evil = signed.replaceAll('/acs', '/malo').replace('_metadata', '_evil').replace(signature, '');
        return evil.replace(
          /<EntityDescriptor [^>]*>/,
          `$&${signature}<Extensions>${signed.replace(signature, '')}</Extensions>`,
        );
      },
      /whole message|no trusted certificate/,
    ],
    ['if they have expired', () => publish(metadata, { until: later(-4 * minuteMs) }), /out of date/],
    [
      'without validUntil',
      () => publish(metadata, { changes: (xml) => xml.replace(/ validUntil="[^"]*"/, '') }),
      /no validUntil/,
    ],
    [
      'with validUntil only in SPSSODescriptor',
      () =>
        publish(metadata, {
          changes: (xml) =>
            xml.replace(/ validUntil="[^"]*"/, '').replace('<SPSSODescriptor ', `$&validUntil="${later(dayMs)}" `),
        }),
      /no validUntil/,
    ],
    ['if they are valid for over a year', () => publish(metadata, { until: later(400 * dayMs) }), /more than a year/],
    [
      'without a key for encryption',
      () =>
        publish(metadata, {
          changes: (xml) => xml.replace(/<KeyDescriptor use="encryption">.*?<\/KeyDescriptor>/s, ''),
        }),
      /no key for encryption/,
    ],
    [
      'with the key that signs them among the keys of the service provider',
      () => publish(metadata, { changes: withKeys(keyDescriptor('signing', federation)) }),
      /also a key of the service provider/,
    ],
    [
      'with an entityID that is not a URI',
      () => publish(metadata, { changes: (xml) => xml.replace(/entityID="[^"]*"/, 'entityID="sp"') }),
      /not a URI/,
    ],
    [
      'with an entityID that is too long',
      () =>
        publish(metadata, {
          changes: (xml) => xml.replace(/entityID="[^"]*"/, `entityID="https://sp.example/${'x'.repeat(240)}"`),
        }),
      /256 characters/,
    ],
  ])('are rejected %s', async (_, write, reason) => {
    const xml = await write();
    expect(() => read(xml)).toThrow(reason);
  });

  test('[ASVS-11.2.3] need an exception for RSA keys of 2,048 bits', async () => {
    const xml = await publish(metadata);
    expect(() => read(xml, registration(), false)).toThrow('has 2048 bits: it needs 3072');
    expect(read(xml, registration({ rsa2048: true }), false).entityId).toBe(provider.entityId);
    const base64 = spare.certificate.replace(/-----[A-Z ]+-----|\s/g, '');
    const large = await publish(metadata.replace(/(X509Certificate>)[^<]+/g, `$1${base64}`));
    expect(read(large, registration(), false).entityId).toBe(provider.entityId);
  });

  test.each([
    [{ metadataCertificate: undefined }, 'requires metadata from a URL'],
    [{ metadataUrl: 'http://sp.example/metadata' }, 'metadataUrl'],
  ])('are rejected at the registration with %s', (changes, reason) => {
    expect(() => registration(changes)).toThrow(reason);
  });
});

describe('[SEC-07] refresh of metadata', () => {
  let source: Server;
  let reply: { status: number; body: string };
  let url: string;
  beforeAll(async () => {
    source = createServer((_, response) => response.writeHead(reply.status).end(reply.body));
    await new Promise<void>((done) => source.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(source.address() as AddressInfo).port}/metadata`;
  });
  afterAll(() => source.close());

  const warnings: unknown[] = [];
  const refreshAt = (ms: number, providers = server.parts.saml.providers) =>
    providers.refresh({
      clock: { now: () => new Date(Date.now() + ms) },
      log: { warn: (facts: object) => void warnings.push(facts) },
      allowsPrivateTargets: true,
    });
  const rowOf = ({ id }: TestProvider) =>
    server.parts.store.db
      .selectFrom('saml_providers')
      .select(['refresh_at', 'refresh_error', 'metadata'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

  test('fetches metadata from their URL when they are due, and uses their new keys', async () => {
    const hourly = (xml: string) => xml.replace('<EntityDescriptor ', '$&cacheDuration="PT1H" ');
    const provider = await register({
      signs: true,
      registration: { metadataUrl: url },
      publishing: { changes: hourly },
    });
    const rolled = provider.metadata.replace(
      /<KeyDescriptor use="signing">.*?<\/KeyDescriptor>/s,
      keyDescriptor('signing', spare),
    );
    reply = { status: 200, body: await publish(rolled) };
    const statuses = async () => [
      await statusOf(await signedQuery(writeRequest(provider).xml, credentialOf(provider))),
      await statusOf(await signedQuery(writeRequest(provider).xml, spare)),
    ];
    await refreshAt(50 * minuteMs);
    expect(await statuses(), 'not due yet').toEqual([303, 400]);
    await refreshAt(61 * minuteMs);
    expect(await statuses()).toEqual([400, 303]);
    const { refresh_at: at } = await rowOf(provider);
    expect(
      Math.round(((at?.getTime() ?? 0) - Date.now()) / minuteMs),
      'minutes until the next refresh without a cacheDuration',
    ).toBe(61 + 24 * 60);
    await server.parts.saml.providers.remove(provider.id);
  });

  test('retains valid metadata after a failure, and records and logs the reason', async () => {
    const provider = await register({ registration: { metadataUrl: url }, publishing: { until: later(2 * dayMs) } });
    const other = provider.metadata.replaceAll(provider.entityId, 'https://otro.example/metadata');
    const failures: readonly [string, typeof reply][] = [
      ['answers 500', { status: 500, body: '' }],
      ['malformed', { status: 200, body: '<' }],
      ['not signed', { status: 200, body: provider.metadata }],
      ['no trusted certificate', { status: 200, body: await publish(provider.metadata, { by: stranger }) }],
      ['out of date', { status: 200, body: await publish(provider.metadata, { until: later(dayMs) }) }],
      ['another entity', { status: 200, body: await publish(other) }],
      [
        'older than those in use',
        { status: 200, body: await publish(provider.metadata, { until: later(1.9 * dayMs) }) },
      ],
      ['longer than', { status: 200, body: 'x'.repeat(300_000) }],
    ];
    const { metadata } = await rowOf(provider);
    for (const [index, [reason, failing]] of failures.entries()) {
      reply = failing;
      warnings.length = 0;
      await refreshAt(dayMs + (10 + index * 20) * minuteMs);
      expect(await rowOf(provider)).toMatchObject({ metadata, refresh_error: expect.stringContaining(reason) });
      expect(warnings).toEqual([expect.objectContaining({ client: provider.id })]);
    }
    expect(await statusOf(unsignedQuery(writeRequest(provider).xml))).toBe(303);
    reply = { status: 200, body: await publish(provider.metadata) };
    await refreshAt(dayMs + 200 * minuteMs);
    expect(await rowOf(provider)).toMatchObject({ refresh_error: null });
    await server.parts.saml.providers.remove(provider.id);
  });

  test('reads changed metadata from their file, and logs a rejected file once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'saml-file-'));
    const at = (name: string): string => join(folder, name);
    const provider = await createProvider(server.origin, () => '', { encrypted: true });
    await writeFile(at('federation.pem'), federation.certificate);
    await writeFile(at('sp.xml'), await publish(provider.metadata));
    const entry = {
      id: 'fijo',
      name: 'F',
      profile: 'saml2int',
      metadata: 'sp.xml',
      metadataCertificate: 'federation.pem',
    };
    await writeFile(at('list.json'), JSON.stringify([entry]));
    const providers = openServiceProviderStore(
      server.parts.store,
      await loadFixedServiceProviders({ samlFile: at('list.json'), loopback: true }, new Date()),
      true,
    );
    const consumers = async () =>
      (await providers.byId('fijo'))?.metadata.assertionConsumers.map(({ location }) => location);
    await writeFile(at('sp.xml'), await publish(provider.metadata.replace('/acs', '/nuevo')));
    await refreshAt(0, providers);
    expect(await consumers()).toEqual([provider.consumer.replace('/acs', '/nuevo')]);
    for (const refused of [{ by: stranger }, { until: later(dayMs) }]) {
      warnings.length = 0;
      await writeFile(at('sp.xml'), await publish(provider.metadata, refused));
      await refreshAt(0, providers);
      await refreshAt(0, providers);
      expect(await consumers()).toEqual([provider.consumer.replace('/acs', '/nuevo')]);
      expect(warnings).toHaveLength(1);
    }
    await writeFile(at('list.json'), JSON.stringify([{ ...entry, metadataUrl: 'https://sp.example/m' }]));
    await expect(loadFixedServiceProviders({ samlFile: at('list.json'), loopback: true }, new Date())).rejects.toThrow(
      'metadataUrl',
    );
    await rm(folder, { recursive: true });
  });
});

test('[ASVS-11.2.3] service provider with a key of 2,048 bits from an older version is unknown outside loopback', async () => {
  const { id, entityId } = await registerProvider(server);
  const { store } = server.parts;
  const outside = openServiceProviderStore(store, [], false);
  const find = async () => [await outside.byEntity(entityId), await outside.findCurrent(id, new Date())];
  expect(await find()).toEqual([null, null]);
  expect((await outside.list()).map(({ registration }) => registration.id)).toContain(id);
  expect(await openServiceProviderStore(store, [], true).byEntity(entityId)).not.toBeNull();
  const registration = JSON.stringify({ id, name: 'S', rsa2048: true });
  await store.db.updateTable('saml_providers').set({ registration }).where('id', '=', id).execute();
  expect(await find()).toEqual([expect.objectContaining({}), expect.objectContaining({})]);
});

test('[SEC-07] service provider with expired metadata gets neither a response nor a logout request', async () => {
  const provider = await registerProvider(server, { logout: 'redirect' });
  const own = openBrowser(server.origin);
  await own.signIn();
  const request = () => provider.saml.getAuthorizeUrlAsync('', undefined, {});
  await provider.read(expectForm(await followSaml(own, await request(), server.origin)).fields);
  const waiting = (await own.get(await request())).headers.get('location') ?? '';
  const metadata = provider.metadata.replace('<SPSSODescriptor ', '$&validUntil="2026-01-01T00:00:00Z" ');
  await server.parts.store.db.updateTable('saml_providers').set({ metadata }).where('id', '=', provider.id).execute();
  const response = await own.get(waiting);
  expect(response.status).toBe(400);
  expect(await response.text()).not.toContain('SAMLResponse');
  const { location } = await (await own.post('/auth/logout', { redirect_uri: '/' })).json();
  const { search } = new URL(location, server.origin);
  expect(await followSaml(own, `${samlPaths.logoutNext}${search}`, server.origin)).toBe(`${server.origin}/`);
});

describe('[SEC-07] metadata of the portal', () => {
  test('contain the elements that saml2int requires, and are valid for 28 days', async () => {
    const xml = await (await fetch(`${server.origin}${samlPaths.metadata}`)).text();
    const { certificate } = server.parts.saml.credentials()[0];
    const root = verifyXmlSignature(xml, [certificate]);
    const days = (Date.parse(root.getAttribute('validUntil') ?? '') - Date.now()) / dayMs;
    expect(days).toBeGreaterThan(27);
    expect(days).toBeLessThanOrEqual(28);
    expect(root.getAttribute('cacheDuration')).toBe('PT1H');
    const one = (name: string) => root.getElementsByTagNameNS('*', name)[0];
    expect(one('IDPSSODescriptor')?.getAttribute('errorURL')).toBe(`${server.origin}/error?errorCode=SAML_ERROR`);
    expect(one('IDPSSODescriptor')?.hasAttribute('WantAuthnRequestsSigned'), 'signed requests are optional').toBe(
      false,
    );
    expect(one('Scope')?.textContent).toBe('127.0.0.1');
    expect(one('DisplayName')?.textContent).toMatch(/./);
    expect(one('Logo')?.textContent).toMatch(/^data:image\/png;base64,iVBOR/);
    expect(one('ContactPerson')?.getAttribute('contactType')).toBe('technical');
    expect(one('EmailAddress')?.textContent).toMatch(/^mailto:.+@/);
    expect(root.getElementsByTagNameNS('*', 'KeyDescriptor')).toHaveLength(2);
    expect(xml).toContain(`Name="${pairwiseId}" NameFormat="${uri}"`);
  });

  test('are signed again each day', async () => {
    let now = new Date('2026-11-28T10:00:00Z');
    const pages = createSamlEndpoints({ ...server.parts, clock: { now: () => now } });
    const first = await pages.metadata();
    expect(first).toContain('validUntil="2026-12-26T10:00:00Z"');
    now = new Date('2026-11-28T20:00:00Z');
    expect(await pages.metadata()).toBe(first);
    now = new Date('2026-11-29T00:00:00Z');
    expect(await pages.metadata()).toContain('validUntil="2026-12-27T00:00:00Z"');
  });
});
