import { X509Certificate, generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Provider, { type Configuration, errors, type ResourceServer } from 'oidc-provider';
import { secondsPerHour } from '../../../platform/base/fixed-periods.ts';
import type { Config } from '../../../platform/config/config.ts';
import { signingAlgorithms } from '../../../platform/keys/jws-signer.ts';
import { acrValues } from '../../identity/assurance-levels.ts';
import {
  canOmitPkce,
  isFapiClient,
  isLegacyClient,
  extraClientMetadataNames,
  toClientMetadata,
  describeClientWeakness,
  type ValidateClientMetadata,
  registrationFieldRequirements,
  ClientRegistrationError,
  listRegisteredResources,
  listRegisteredScopes,
  type RegisteredClient,
} from '../clients/client-registration.ts';
import { isAuthenticationCertificate, parseCertificate } from '../../certificates/certificate.ts';
import { buildCertificationPath, type TrustStore } from '../../certificates/trust-store.ts';
import { listResourceScopes, claimsByScope, supportedScopes } from '../clients/scopes.ts';
import { oidcPaths } from './oidc-paths.ts';
import { assertFlatClaimRequests } from './prompt-policy.ts';

type Client = InstanceType<Provider['Client']>;

const isOwnToken = (_ctx: unknown, client: { clientId: string }, token: { clientId?: string | undefined }): boolean =>
  token.clientId === client.clientId;

/** Client certificates by request. `isTrusted`: an authority of MTLS_ROOTS issued the certificate. */
const clientCertificates = new WeakMap<
  IncomingMessage,
  { readonly x509: X509Certificate; readonly isTrusted: boolean }
>();

/** Stores the client's certificate, the first of the TLS handshake, and whether it is trusted, for the client authentication of this request. */
export async function evaluateClientCertificate(
  request: IncomingMessage,
  [leaf, ...chain]: readonly Buffer[],
  trust: TrustStore,
  now: Date,
): Promise<void> {
  if (leaf === undefined) return;
  let isTrusted = false;
  try {
    const certificate = parseCertificate(leaf);
    const path = buildCertificationPath(certificate, chain.map(parseCertificate), trust.roots, now);
    await trust.checkRevocation(path, now);
    isTrusted = isAuthenticationCertificate(certificate);
  } catch {
    // the certificate is not trusted: self-signed, revoked, or from an unknown authority
  }
  clientCertificates.set(request, { x509: new X509Certificate(leaf), isTrusted });
}

/** Compares a subject as in RFC 4514, last attribute first. Node.js escapes the values and writes one attribute per line. */
const hasCertificateSubject = ({ req }: { req: IncomingMessage }, property: string, expected: string): boolean =>
  property === 'tls_client_auth_subject_dn' &&
  clientCertificates.get(req)?.x509.subject.split('\n').reverse().join(',') === expected;

/** Access tokens are JWTs (RFC 9068), because a resource server (RFC 8707) cannot introspect a client's tokens. */
function describeResource(_ctx: unknown, resource: string, client: Client): ResourceServer {
  if (!listRegisteredResources(client).includes(resource))
    throw new errors.InvalidTarget('the resource is not registered for the client');
  return {
    scope: listResourceScopes(listRegisteredScopes(client)).join(' '),
    audience: resource,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: signingAlgorithms.find((alg) => alg === client.idTokenSignedResponseAlg) } },
  };
}

type AssertJwt = NonNullable<Configuration['assertJwtClientAuthClaimsAndHeader']>;

/** Whether `typ` is absent, `JWT` or `own`. A JWT with another type was signed for another purpose (RFC 8725, section 3.11). */
function hasExpectedJwtType({ typ }: Parameters<AssertJwt>[2], own: string): boolean {
  return typ === undefined || (typeof typ === 'string' && ['jwt', own].includes(typ.toLowerCase()));
}

/** Rejects an assertion with several audiences, because each audience could replay the assertion here. */
const assertClientAssertion: AssertJwt = (ctx, { aud }, header) => {
  if (!hasExpectedJwtType(header, 'client-authentication+jwt')) throw new errors.InvalidClientAuth('unexpected typ');
  if (Array.isArray(aud) && aud.length > 1) throw new errors.InvalidClientAuth('aud must be one value');
  if (ctx.oidc.isFapi('2.0') && aud !== ctx.oidc.issuer) throw new errors.InvalidClientAuth('aud must be the issuer');
};

/** Throws for a request object that is valid for too long, or is also a client assertion (RFC 9101, section 10.8). */
const assertRequestObject: AssertJwt = (ctx, { sub, exp, nbf, iat }, header, { clientId }) => {
  const begins = nbf ?? (ctx.oidc.isFapi('2.0') ? undefined : iat);
  if (!hasExpectedJwtType(header, 'oauth-authz-req+jwt') || sub === clientId)
    throw new errors.InvalidRequestObject('the JWT is of another purpose');
  if (typeof exp !== 'number' || typeof begins !== 'number' || exp <= begins || exp > begins + secondsPerHour)
    // FAPI 2.0 Message Signing, section 5.3.1
    throw new errors.InvalidRequestObject('exp must be at most an hour after nbf or iat');
};

/** Settings of oidc-provider that do not depend on the configuration: ID Uruguay's dialect, and disabled features. */
export const baseOidcProviderConfiguration = {
  routes: {
    authorization: oidcPaths.authorize,
    token: oidcPaths.token,
    pushed_authorization_request: oidcPaths.par,
    revocation: oidcPaths.revoke,
    introspection: oidcPaths.introspect,
    userinfo: oidcPaths.userinfo,
    jwks: oidcPaths.jwks,
    end_session: oidcPaths.logout,
  },
  scopes: [...supportedScopes],
  claims: Object.fromEntries(Object.entries(claimsByScope).map(([scope, claims]) => [scope, [...claims]])),
  acrValues: [...acrValues],
  responseTypes: ['code'],
  subjectTypes: ['public', 'pairwise'],
  sectorIdentifierUriValidate: () => false, // not fetched, because only operators register clients
  clientAuthMethods: [
    'client_secret_basic',
    'client_secret_post',
    'private_key_jwt',
    'self_signed_tls_client_auth',
    'tls_client_auth',
    'none',
  ],
  enabledJWA: {
    idTokenSigningAlgValues: [...signingAlgorithms],
    clientAuthSigningAlgValues: [...signingAlgorithms],
    requestObjectSigningAlgValues: [...signingAlgorithms],
    dPoPSigningAlgValues: ['ES256'], // a client makes these keys itself, so an RSA key could have any size
  },
  allowOmittingSingleRegisteredRedirectUri: false,
  extraClientMetadata: { properties: [...extraClientMetadataNames] },
  discovery: {
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
  },
  pkce: { required: (_ctx, client) => !canOmitPkce(client) },
  assertJwtClientAuthClaimsAndHeader: assertClientAssertion,
  issueRefreshToken: async (_ctx, client, code) =>
    client.grantTypeAllowed('refresh_token') && (isLegacyClient(client) || code.scopes.has('offline_access')),
  // Legacy clients reuse their first refresh token. For FAPI clients, rotation is forbidden (FAPI 2.0 Security Profile,
  // section 5.3.2.1), because tokens are bound to the client's key.
  rotateRefreshToken: ({ oidc }) => !canOmitPkce(oidc.client) && !isFapiClient(oidc.client),
  features: {
    devInteractions: { enabled: false },
    claimsParameter: { enabled: true, assertClaimsParameter: (_ctx, claims) => assertFlatClaimRequests(claims) },
    rpInitiatedLogout: { enabled: true },
    backchannelLogout: { enabled: true },
    fapi: { enabled: true, profile: (_ctx, client) => (isFapiClient(client) ? '2.0' : undefined) },
    pushedAuthorizationRequests: { enabled: true },
    requestObjects: { enabled: true, assertJwtClaimsAndHeader: assertRequestObject },
    revocation: { enabled: true, allowedPolicy: isOwnToken },
    introspection: { enabled: true, allowedPolicy: isOwnToken },
    externalSigningSupport: { enabled: true, ack: 'experimental-01' },
    resourceIndicators: { enabled: true, getResourceServerInfo: describeResource, defaultResource: () => undefined },
    dPoP: { enabled: true },
    mTLS: {
      enabled: true,
      certificateBoundAccessTokens: true,
      selfSignedTlsClientAuth: true,
      tlsClientAuth: true,
      getCertificate: ({ req }: { req: IncomingMessage }) => clientCertificates.get(req)?.x509,
      certificateAuthorized: ({ req }: { req: IncomingMessage }) => clientCertificates.get(req)?.isTrusted === true,
      certificateSubjectMatches: hasCertificateSubject,
    },
  },
} satisfies Configuration;

/** Without an origin whose TLS requests a certificate (RFC 8705, section 5), mutual TLS is off. With CLIENTS_STRICT, discovery lists only `fapi2`. */
export function buildOidcFeatureConfiguration({
  card,
  mtls,
  strictClients,
}: Pick<Config, 'card' | 'mtls' | 'strictClients'>): Partial<Configuration> {
  const { discovery, features, enabledJWA } = baseOidcProviderConfiguration;
  const hasCertificates = (method: string) => card !== null && (method !== 'tls_client_auth' || mtls.roots !== null);
  const clientAuthMethods = baseOidcProviderConfiguration.clientAuthMethods.filter((method) =>
    method.endsWith('tls_client_auth') ? hasCertificates(method) : !strictClients || method === 'private_key_jwt',
  );
  const algs = signingAlgorithms.filter((alg) => alg !== 'RS256');
  const strict = strictClients && {
    enabledJWA: { ...enabledJWA, clientAuthSigningAlgValues: algs, requestObjectSigningAlgValues: algs },
  };
  const offered = {
    ...features,
    pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: strictClients },
  };
  if (card === null) return { clientAuthMethods, features: { ...offered, mTLS: { enabled: false } }, ...strict };
  const at = (path: string): string => new URL(path, card.url).href;
  const aliases = {
    token_endpoint: at(oidcPaths.token),
    pushed_authorization_request_endpoint: at(oidcPaths.par),
    revocation_endpoint: at(oidcPaths.revoke),
    introspection_endpoint: at(oidcPaths.introspect),
    userinfo_endpoint: at(oidcPaths.userinfo),
  };
  return {
    clientAuthMethods,
    features: offered,
    discovery: { ...discovery, mtls_endpoint_aliases: aliases },
    ...strict,
  };
}

const registrationFieldNames: Readonly<Record<string, string>> = {
  client_id: 'id',
  client_name: 'name',
  client_secret: 'secret',
  redirect_uris: 'redirectUris',
  post_logout_redirect_uris: 'postLogoutRedirectUris',
  scope: 'scopes',
  client_uri: 'website',
  tos_uri: 'terms',
  policy_uri: 'privacy',
  logo_uri: 'logo',
  backchannel_logout_uri: 'backchannelLogoutUri',
  tls_client_auth_subject_dn: 'tlsClientAuthSubjectDn',
  jwks: 'jwks',
  jwks_uri: 'jwksUri',
};

let validatingProvider: Provider | undefined;

/** Returns a provider that only validates client metadata. Its key signs nothing, and is an EC key, because EC keys are fast to generate. */
function getValidatingProvider(): Provider {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return new Provider('http://localhost', {
    ...baseOidcProviderConfiguration,
    adapter: () => {
      throw new Error('the provider of the client schema stores nothing');
    },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    enabledJWA: { ...baseOidcProviderConfiguration.enabledJWA, idTokenSigningAlgValues: ['ES256'] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
  });
}

export function createClientValidator({ loopback }: Pick<Config, 'loopback'>): ValidateClientMetadata {
  return async (client) => {
    await validateClientMetadata(client);
    const weakness = loopback ? null : describeClientWeakness(client.registration);
    if (weakness !== null) throw new ClientRegistrationError(weakness);
  };
}

export async function validateClientMetadata(client: RegisteredClient): Promise<void> {
  validatingProvider ??= getValidatingProvider();
  try {
    await validatingProvider.Client.validate({
      ...toClientMetadata(client, new Date(0)),
      id_token_signed_response_alg: 'ES256',
    });
  } catch (cause) {
    if (!(cause instanceof errors.InvalidClientMetadata)) throw cause;
    const text = cause.error_description ?? cause.message;
    const [name = '', field = ''] =
      Object.entries(registrationFieldNames).find(([theirs]) => new RegExp(`\\b${theirs}\\b`).test(text)) ?? [];
    const problem = [text.replace(name, field), registrationFieldRequirements[field]].filter(Boolean).join(': it ');
    throw new ClientRegistrationError(problem, { cause });
  }
}
