import { createPrivateKey } from 'node:crypto';
import { SAML, type Profile, type SamlConfig } from '@node-saml/node-saml';
import { samlPaths } from '../../../src/server/trust/federation/saml/saml-constants.ts';
import type { ServiceProviderRegistration } from '../../../src/server/trust/federation/saml/service-provider-registration.ts';
import type { Browser } from './browser.ts';
import { issueCertificate, generateKeys, encodePem, encodePrivateKey } from './certificates.ts';
import type { LiveServer } from './live-server.ts';

/** A service provider of node-saml that is registered at the server. */
export interface TestProvider {
  readonly id: string;
  readonly saml: SAML;
  readonly entityId: string;
  readonly consumer: string;
  readonly privateKey: string;
  readonly certificate: string;
  readonly metadata: string;
  /** Validates a response to its assertion consumer service. */
  read(fields: Readonly<Record<string, string>>): Promise<Profile>;
}

/** A form that a page of the server submits to the service provider. */
export interface SubmittedForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

interface ProviderOptions {
  readonly options?: Partial<SamlConfig>;
  readonly encrypted?: boolean;
  readonly signs?: boolean;
  /** Declared binding for logout requests. node-saml accepts both, and declares POST by default. */
  readonly logout?: 'post' | 'redirect';
  /** Expiry of the metadata. */
  readonly validUntil?: string;
}

/** Registers a new service provider. */
export async function registerProvider(
  server: LiveServer,
  { registration = {}, ...options }: ProviderOptions & { registration?: Partial<ServiceProviderRegistration> } = {},
): Promise<TestProvider> {
  const provider = await createProvider(server.origin, () => server.parts.saml.credentials()[0].certificate, options);
  const { id, metadata } = provider;
  await server.parts.saml.providers.add(
    { id, name: `Servicio ${id}`, scopes: ['personal_info', 'document', 'auth_info'], ...registration },
    metadata,
    new Date(),
  );
  return provider;
}

let serial = 0;
/** Key pairs that are assigned in rotation, so that consecutive providers have different ones. */
const pool: Promise<CryptoKeyPair>[] = [];
const poolSize = 3;

/**
 * Creates a service provider for the portal at `origin`. `ours` returns the certificate of the portal. It is called
 * only to validate a response.
 */
export async function createProvider(
  origin: string,
  ours: () => string,
  { options = {}, encrypted = false, signs = true, logout = 'post', validUntil }: ProviderOptions = {},
): Promise<TestProvider> {
  serial += 1;
  const entityId = `https://sp${serial}.example/metadata`;
  const consumer = `https://sp${serial}.example/acs`;
  const keys = await (pool[serial % poolSize] ??= generateKeys('rsa2048'));
  const issued = await issueCertificate(new Date(), { keys, subject: `CN=sp${serial}` });
  const certificate = encodePem(issued);
  const privateKey = createPrivateKey(await encodePrivateKey(issued))
    .export({ type: 'pkcs8', format: 'pem' })
    .toString();
  const saml = new SAML({
    entryPoint: `${origin}${samlPaths.ssoByRedirect}`,
    logoutUrl: `${origin}${samlPaths.sloByRedirect}`,
    issuer: entityId,
    callbackUrl: consumer,
    logoutCallbackUrl: `https://sp${serial}.example/slo`,
    idpCert: (done: (error: Error | null, certificate: string) => void) => done(null, ours()),
    idpIssuer: `${origin}${samlPaths.metadata}`,
    audience: entityId,
    ...(signs && { privateKey }),
    ...(encrypted && { decryptionPvk: privateKey }),
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    wantAuthnResponseSigned: true,
    wantAssertionsSigned: true,
    validateInResponseTo: 'always' as SamlConfig['validateInResponseTo'] & string, // the package exports its enum only as a type
    acceptedClockSkewMs: 0,
    ...options,
  } as SamlConfig);
  const metadata = saml
    .generateServiceProviderMetadata(encrypted ? certificate : null, signs ? certificate : null)
    .replace(/(<SingleLogoutService Binding="[^"]*HTTP-)POST/, logout === 'redirect' ? '$1Redirect' : '$1POST')
    .replace('<SPSSODescriptor ', validUntil === undefined ? '$&' : `$& validUntil="${validUntil}" `);
  return {
    id: `sp${serial}`,
    saml,
    entityId,
    consumer,
    privateKey,
    certificate,
    metadata,
    async read(fields) {
      const { profile } = await saml.validatePostResponseAsync({ ...fields });
      if (!profile) throw new Error('the response holds nobody');
      return profile;
    },
  };
}

/** Follows redirects to the final URL, or to the form that a page submits. */
export async function followSaml(browser: Browser, address: string, origin: string): Promise<string | SubmittedForm> {
  let next = new URL(address, origin).href;
  for (let hops = 0; hops < 10; hops++) {
    const url = new URL(next);
    const own = url.origin === origin && (url.pathname.startsWith('/v1.1/') || url.pathname === samlPaths.send);
    if (!own) return next;
    const response = await browser.get(next);
    const location = response.headers.get('location');
    if (location === null) return readForm(await response.text());
    next = new URL(location, origin).href;
  }
  throw new Error(`too many redirects at ${next}`);
}

/** Sends a sign-in request of the service provider. Returns the final URL or form. */
export async function requestSamlSignIn(
  { saml }: TestProvider,
  browser: Browser,
  origin: string,
  relayState = '',
): Promise<string | SubmittedForm> {
  return followSaml(browser, await saml.getAuthorizeUrlAsync(relayState, undefined, {}), origin);
}

/** Signs a signed-in browser in at the service provider. Returns the validated assertion. */
export async function obtainAssertion(provider: TestProvider, browser: Browser, origin: string): Promise<Profile> {
  return provider.read(expectForm(await requestSamlSignIn(provider, browser, origin)).fields);
}

export function expectForm(outcome: string | SubmittedForm): SubmittedForm {
  if (typeof outcome === 'string') throw new Error(`nothing was handed over: ${outcome}`);
  return outcome;
}

/** Returns the XML of the response in a form. */
export function readResponse({ fields }: SubmittedForm): string {
  return Buffer.from(fields['SAMLResponse'] ?? '', 'base64').toString();
}

/** Returns the status codes of a response, the outermost first. */
export function listStatuses(response: string): readonly string[] {
  return [...response.matchAll(/StatusCode Value="[^"]*:(\w+)"/g)].map(([, name = '']) => name);
}

/** Reads the form of a page that submits itself. Returns the text of the page if it has no form. */
export function readForm(html: string): string | SubmittedForm {
  const action = /<form method="post" action="([^"]*)"/.exec(html)?.[1];
  if (action === undefined) return html;
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
    ([, name = '', value = '']): [string, string] => [plain(name), plain(value)],
  );
  return { action: plain(action), fields: Object.fromEntries(fields) };
}

function plain(html: string): string {
  return html.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
