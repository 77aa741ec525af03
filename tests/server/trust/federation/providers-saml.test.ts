import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  selectReleasedSamlAttributes,
  generateSamlMessageId,
} from '../../../../src/server/trust/federation/saml/saml-response.ts';
import { generateSamlCredential } from '../../../../src/server/trust/federation/saml/open-saml.ts';
import { signXmlElement, type SigningCredential } from '../../../../src/server/trust/federation/saml/xml-signature.ts';
import { openBrowser, type Browser } from '../../support/browser.ts';
import { unknownCitizen } from '../../support/citizen-data.ts';
import { createBrazilEntry, writeProvidersFile } from '../../support/test-issuer.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import { createSamlProvider, type TestSamlProvider } from '../../support/saml-identity-provider.ts';

let server: LiveServer;
let provider: TestSamlProvider;
let stranger: SigningCredential;
let browser: Browser;

type Sent = Awaited<ReturnType<TestSamlProvider['respond']>>;

beforeAll(async () => {
  provider = await createSamlProvider('https://idp.example/metadata');
  stranger = await generateSamlCredential('otro.example');
  const metadata = join(tmpdir(), `idp-${process.pid}.xml`);
  writeFileSync(metadata, provider.metadata);
  const ofParaguay = join(tmpdir(), `idp-py-${process.pid}.xml`);
  writeFileSync(ofParaguay, (await createSamlProvider('https://py.example/metadata')).metadata);
  const entry = (identificador: string, metadata: string) => ({
    ...createBrazilEntry(''),
    oidc: undefined,
    identificador,
    saml: { metadata },
    claims: { number: { var: 'document' }, firstName: { var: 'given_name' }, firstSurname: { var: 'family_name' } },
    levels: { substantial: 2 },
  });
  server = await startLiveServer({
    NODE_ENV: 'test',
    IDPS_FILE: writeProvidersFile([entry('cl', metadata), entry('py', ofParaguay)]),
  });
});
afterAll(() => server.close());
beforeEach(() => {
  browser = openBrowser(server.origin);
});

async function startProviderSignIn(by = browser): Promise<string> {
  return (await by.get('/auth/idp-login?idp=cl')).headers.get('location') ?? '';
}

/** Posts a response to the assertion consumer service. */
async function postResponse({ xml, action, relayState }: Sent, by = browser, headers: object = {}): Promise<Response> {
  const cookie = [...by.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
  return fetch(action, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie, ...headers },
    body: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: relayState }),
  });
}

const assertionIn = (xml: string): string => /<saml:Assertion .*<\/saml:Assertion>/.exec(xml)?.[0] ?? '';
/** Removes the signature of the response, and preserves that of the assertion. */
const stripResponseSignature = (xml: string): string =>
  xml.replace(/(<\/saml:Issuer>)<ds:Signature .*?<\/ds:Signature>(<samlp:Status>)/, '$1$2');

describe('[SES-11 FED-03] sign-in with a SAML identity provider', () => {
  test('sends a signed request, and signs the citizen in after the response', async () => {
    const location = await startProviderSignIn();
    expect(location).toMatch(/^https:\/\/idp\.example\/sso\?SAMLRequest=.*&RelayState=.*&SigAlg=.*&Signature=/);
    const answer = await postResponse(await provider.respond(location));
    expect(decodeURIComponent(answer.headers.get('location') ?? '')).toBe('/ingreso-proveedor?next=/seguridad-idp');
    expect(answer.headers.getSetCookie().join()).toContain('portal-session=');
  });

  test("reposts a cross-site response from the portal's own page, with escaped values, and does not consume it", async () => {
    const sent = await provider.respond(await startProviderSignIn());
    const first = await postResponse(sent, openBrowser(server.origin), { 'sec-fetch-site': 'cross-site' });
    const page = await first.text();
    expect([first.status, first.headers.getSetCookie()]).toEqual([200, []]);
    expect(page).toContain(`action="${server.origin}/idp/cl/acs"`);
    expect(page).toContain(`value="${Buffer.from(sent.xml).toString('base64')}"`);
    expect(page).toContain(`value="${sent.relayState}"`);
    const forged = { ...sent, relayState: '"><script>' };
    expect(await (await postResponse(forged, browser, { 'sec-fetch-site': 'cross-site' })).text()).not.toContain(
      '"><script>',
    );
    expect(
      (await postResponse(sent, browser, { 'sec-fetch-site': 'same-origin' })).status,
      'the response was not used up',
    ).toBe(303);
  });

  test.each<[string, (sent: Sent) => string | Promise<string>]>([
    ['in which only the assertion is signed', ({ xml }) => stripResponseSignature(xml)],
  ])('accepts a response %s', async (_, change) => {
    const sent = await provider.respond(await startProviderSignIn());
    expect((await postResponse({ ...sent, xml: await change(sent) })).status).toBe(303);
  });

  test('reads a NameID with an XML comment completely', async () => {
    const sent = await provider.respond(await startProviderSignIn(), {
      statement: { nameId: { value: 'p-1.otra', format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' } },
    });
    expect((await postResponse({ ...sent, xml: sent.xml.replace('p-1.otra', 'p-1<!-- -->.otra') })).status).toBe(303);
    const subjects = await server.parts.store.db.selectFrom('provider_identities').select('subject').execute();
    expect(subjects.map(({ subject }) => subject)).toContain('p-1.otra');
  });

  test.each([
    ['expired two minutes ago', -7, 303],
    ['expired four minutes ago', -9, 400],
    ['is valid in two minutes', 5, 303],
    ['is valid in four minutes', 7, 400],
  ])('[SEC-07] tolerates a clock skew of three minutes: an assertion that %s', async (_, minutes, status) => {
    const now = new Date(Date.now() + minutes * 60_000); // valid from three minutes before until five minutes after `now`
    const sent = await provider.respond(await startProviderSignIn(), {
      frame: { now },
      statement: { signedInAt: new Date() },
    });
    const xml = sent.xml.replace(/^(<samlp:Response [^>]*IssueInstant=")[^"]*/, `$1${new Date().toISOString()}`);
    const changed = xml.replace(/<ds:Signature .*?<\/ds:Signature>(?=<samlp:Status>)/, '');
    expect((await postResponse({ ...sent, xml: changed })).status).toBe(status);
  });

  test("decrypts an assertion that was encrypted with the certificate of the portal's metadata", async () => {
    const metadata = await (await fetch(`${server.origin}/idp/cl/metadata`)).text();
    expect(metadata).toContain(`entityID="${server.origin}/idp/cl/metadata"`);
    const base64 = /use="encryption".*?<ds:X509Certificate>([^<]*)</.exec(metadata)?.[1] ?? '';
    const encryption = `-----BEGIN CERTIFICATE-----\n${base64.replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`;
    expect(
      (await postResponse(await provider.respond(await startProviderSignIn(), { frame: { encryption } }))).status,
    ).toBe(303);
  });
});

test('[IDP-01] selectAttributes includes the attribute idp with the scope auth_info only', () => {
  const told = { citizen: unknownCitizen, nid: 2, idp: 'br' };
  const idpOf = (idp: string | null, scope: string) =>
    selectReleasedSamlAttributes({ ...told, idp }, { names: ['idp'], scopes: [scope] });
  expect(idpOf('br', 'auth_info')).toEqual([['idp', 'br']]);
  expect(idpOf(null, 'auth_info')).toEqual([]);
  expect(idpOf('br', 'personal_info')).toEqual([]);
});

describe('[FED-03] rejected SAML response', () => {
  const evil = (xml: string): string =>
    assertionIn(xml)
      .replace('p-1', 'victima')
      .replace(/ ID="[^"]*"/, ` ID="${generateSamlMessageId()}"`);
  const unsigned = (assertion: string): string => assertion.replace(/<ds:Signature .*<\/ds:Signature>/, '');
  const inside = (xml: string, more: string): string => xml.replace('</samlp:Response>', `${more}</samlp:Response>`);
  const idOf = (xml: string): string => / ID="([^"]*)"/.exec(assertionIn(xml))?.[1] ?? '';
  const signatureIn = (assertion: string): string => /<ds:Signature .*<\/ds:Signature>/.exec(assertion)?.[0] ?? '';
  /**
   * The eight signature wrapping attacks (Somorovsky et al., 2012), with the signed assertion around or inside a forged
   * one.
   */
  const wrapped: Readonly<Record<string, (xml: string) => string>> = {
    'XSW1, with the signed response inside its own signature': (xml) =>
      xml
        .replace('p-1', 'victima')
        .replace(/ ID="[^"]*"/, ` ID="${generateSamlMessageId()}"`)
        .replace('</ds:Signature>', `<ds:Object>${xml}</ds:Object></ds:Signature>`),
    'XSW2, with the signed response beside its signature': (xml) =>
      inside(xml.replace('p-1', 'victima').replace(/ ID="[^"]*"/, ` ID="${generateSamlMessageId()}"`), xml),
    'XSW3, with a forged assertion before the signed one': (xml) =>
      stripResponseSignature(xml).replace('<saml:Assertion ', `${unsigned(evil(xml))}<saml:Assertion `),
    'XSW4, with the signed assertion inside a forged one': (xml) =>
      stripResponseSignature(xml).replace(
        assertionIn(xml),
        unsigned(evil(xml)).replace('</saml:Assertion>', `${assertionIn(xml)}</saml:Assertion>`),
      ),
    'XSW5, with the signature in a forged assertion and the signed one at the end': (xml) =>
      inside(stripResponseSignature(xml).replace(assertionIn(xml), evil(xml)), unsigned(assertionIn(xml))),
    'XSW6, with the signed assertion inside the signature of a forged one': (xml) =>
      stripResponseSignature(xml).replace(
        assertionIn(xml),
        evil(xml).replace('</ds:Signature>', `${unsigned(assertionIn(xml))}</ds:Signature>`),
      ),
    'XSW7, with a forged assertion in an extension': (xml) =>
      stripResponseSignature(xml)
        .replace(
          '<samlp:Status>',
          `<samlp:Extensions>${evil(xml).replace(/ ID="[^"]*"/, ` ID="${idOf(xml)}"`)}</samlp:Extensions><samlp:Status>`,
        )
        .replace(assertionIn(xml), evil(xml)),
    'XSW8, with the signed assertion in an Object of the forged signature': (xml) =>
      stripResponseSignature(xml).replace(
        assertionIn(xml),
        evil(xml).replace(
          signatureIn(evil(xml)),
          signatureIn(evil(xml)).replace(
            '</ds:Signature>',
            `<ds:Object>${unsigned(assertionIn(xml))}</ds:Object></ds:Signature>`,
          ),
        ),
      ),
  };
  type Change = (sent: Sent, location: string) => Partial<Sent> | Promise<Partial<Sent>>;
  const withXml =
    (change: (xml: string) => string): Change =>
    (sent) => ({ xml: change(sent.xml) });
  const again =
    (changes: Parameters<TestSamlProvider['respond']>[1]): Change =>
    (_, location) =>
      provider.respond(location, changes);
  const resigned =
    (change: (xml: string) => string): Change =>
    async ({ xml }) => {
      const changed = change(xml.replace(/<ds:Signature .*?<\/ds:Signature>/g, ''));
      const id = / ID="([^"]*)"/.exec(changed)?.[1] ?? '';
      return { xml: await signXmlElement(changed, { id, hasIssuer: true }, provider.credential) };
    };

  const past = new Date(Date.now() - 15 * 60_000);

  test.each<[string, Change]>([
    ...Object.entries(wrapped).map(([name, change]): [string, Change] => [name, withXml(change)]),
    [
      'without a signature',
      withXml((xml) => stripResponseSignature(xml).replace(assertionIn(xml), unsigned(assertionIn(xml)))),
    ],
    ['signed with an unknown key', (_, location) => provider.respond(location, { frame: { credential: stranger } })],
    [
      'signed correctly around an assertion signed with an unknown key',
      async (_, location) => {
        const xml = stripResponseSignature((await provider.respond(location, { frame: { credential: stranger } })).xml);
        const id = / ID="([^"]*)"/.exec(xml)?.[1] ?? '';
        return { xml: await signXmlElement(xml, { id, hasIssuer: true }, provider.credential) };
      },
    ],
    ['whose session at the provider has ended', again({ statement: { sessionEndsAt: past } })],
    ...['<saml:Condition xmlns:x="urn:x"/>', '<x:Nunca xmlns:x="urn:x"/>'].map((condition): [string, Change] => [
      `with the unknown condition ${condition}`,
      resigned((xml) => xml.replace('</saml:Conditions>', `${condition}</saml:Conditions>`)),
    ]),
    ['with a NameID split by an element', resigned((xml) => xml.replace('>p-1<', '><x:a xmlns:x="urn:x">p-</x:a>1<'))],
    [
      'with an attribute split by an element',
      resigned((xml) => xml.replace('>45123784<', '><x:a xmlns:x="urn:x">4</x:a>5123784<')),
    ],
    ['with a changed attribute', withXml((xml) => xml.replace('45123784', '46781232'))],
    [
      'with two assertions, both signed',
      resigned((xml) => inside(xml, assertionIn(xml).replace(/ ID="[^"]*"/, ` ID="${generateSamlMessageId()}"`))),
    ],
    ['without an assertion', resigned((xml) => xml.replace(assertionIn(xml), ''))],
    ['for another audience', again({ frame: { audience: 'https://otro.example/metadata' } })],
    ['for another consumer URL', again({ frame: { consumer: 'https://otro.example/acs' } })],
    ['in answer to another request', again({ frame: { inResponseTo: generateSamlMessageId() } })],
    ['without InResponseTo', resigned((xml) => xml.replaceAll(/ InResponseTo="[^"]*"/g, ''))],
    ['from another issuer', again({ frame: { issuer: 'https://otro.example/idp' } })],
    ['that has expired', again({ frame: { now: past } })],
    ['without NotOnOrAfter', resigned((xml) => xml.replaceAll(/ NotOnOrAfter="[^"]*"/g, ''))],
    ['that is valid tomorrow', again({ frame: { now: new Date(Date.now() + 86_400_000) } })],
    ['without conditions', resigned((xml) => xml.replace(/<saml:Conditions .*<\/saml:Conditions>/, ''))],
    ['with holder-of-key confirmation', resigned((xml) => xml.replace('cm:bearer', 'cm:holder-of-key'))],
    [
      'with an email address as NameID',
      again({
        statement: {
          nameId: {
            value: 'ana.pereira@example.com',
            format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
          },
        },
      }),
    ],
    [
      'with a transient NameID',
      again({ statement: { nameId: { value: 'x', format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' } } }),
    ],
    [
      'signed with SHA-1',
      withXml((xml) =>
        xml.replaceAll(
          'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
          'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
        ),
      ),
    ],
    [
      'signed with HMAC',
      withXml((xml) =>
        xml.replaceAll(
          'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
          'http://www.w3.org/2000/09/xmldsig#hmac-sha1',
        ),
      ),
    ],
    ['with XML entities', withXml((xml) => `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${xml}`)],
    ['that is too long', withXml((xml) => inside(xml, `<!--${'a'.repeat(190_000)}-->`))],
    ['that is not XML', withXml(() => 'hola')],
    ['without a Destination', resigned((xml) => xml.replace(/(<samlp:Response [^>]*) Destination="[^"]*"/, '$1'))],
    ['with an unknown RelayState', () => ({ relayState: 'otra' })],
    ['with a URL as RelayState', () => ({ relayState: 'https://malo.example/' })],
    ['at the consumer URL of another provider', ({ action }) => ({ action: action.replace('/cl/', '/py/') })],
  ])('gets an error page with a request number and changes nothing: %s', async (_, change) => {
    const location = await startProviderSignIn();
    const sent = await provider.respond(location);
    const before = await people();
    const answer = await postResponse({ ...sent, ...(await change(sent, location)) });
    const text = await answer.text();
    expect(answer.status, `${answer.headers.get('location')}`).toBe(400);
    expect(text).toContain('No pudimos identificarte');
    expect(text).toContain(answer.headers.get('x-request-id') ?? 'an id');
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await people()).toEqual(before);
  });

  test('gets an error page if it is sent twice or from another browser', async () => {
    const sent = await provider.respond(await startProviderSignIn());
    expect((await postResponse(sent, openBrowser(server.origin))).status, 'without the cookie').toBe(400);
    expect((await postResponse(sent)).status).toBe(303);
    expect((await postResponse(sent)).status).toBe(400);
  });

  const people = () =>
    server.parts.store.db.selectFrom('provider_identities').select(['subject', 'citizen_id']).execute();
});
