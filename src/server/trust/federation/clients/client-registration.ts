import { Ajv } from 'ajv';
import type { FromSchema } from 'json-schema-to-ts';
import { isObject } from '../../../../engine/core/json.ts';
import { isHttpUrl } from '../../../../engine/core/values/http-url.ts';
import { addSeconds } from '../../../platform/base/clock.ts';
import { secondsPerDay } from '../../../platform/base/fixed-periods.ts';
import { trustworthyUrlPattern } from '../../../platform/config/setting-values.ts';
import { signingAlgorithms } from '../../../platform/keys/jws-signer.ts';
import { countRsaModulusBits, minRsaBits } from '../../../platform/keys/signing-keys.ts';
import { supportedScopes } from './scopes.ts';
import type { ClientMetadata } from 'oidc-provider';

export const urlFormats = {
  web: isHttpUrl,
  redirect: (text: string) => isHttpUrl(text) || isPrivateUseUri(text),
};

export const registrationTextSchema = { type: 'string', minLength: 1, maxLength: 300 } as const;
export const webUrlSchema = { type: 'string', format: 'web', maxLength: 2000 } as const;
const redirectUriSchema = { type: 'string', format: 'redirect', pattern: '^[^#]*$', maxLength: 2000 } as const;
/** URL that the broker requests: https, or http on a loopback address, without user name or fragment. */
export const outboundRequestUrlSchema = {
  type: 'string',
  pattern: `${trustworthyUrlPattern}[^\\s\\\\#@]*$`,
  maxLength: 2000,
} as const;
const clientIdPattern = '^[0-9A-Za-z_-]{1,100}$';

export function isClientId(text: string): boolean {
  return new RegExp(clientIdPattern).test(text);
}

export const clientRegistrationSchema = {
  type: 'object',
  required: ['id', 'name', 'redirectUris', 'scopes'],
  properties: {
    id: { type: 'string', pattern: clientIdPattern },
    name: registrationTextSchema,
    /** Redirect URIs, which are compared exactly, except for loopback URIs of native apps (see `isNativeClient`). */
    redirectUris: { type: 'array', minItems: 1, items: redirectUriSchema },
    postLogoutRedirectUris: { type: 'array', items: redirectUriSchema },
    /** Scopes that the client may request. With `offline_access` it gets refresh tokens. */
    scopes: { type: 'array', items: { type: 'string', enum: supportedScopes } },
    website: webUrlSchema,
    terms: webUrlSchema,
    privacy: webUrlSchema,
    logo: webUrlSchema,
    backchannelLogoutUri: outboundRequestUrlSchema,
    frontchannelLogoutUri: webUrlSchema,
    /** `specification`: ID Uruguay's dialect of OpenID Connect. `fapi2`: the FAPI 2.0 Security Profile. */
    profile: { type: 'string', enum: ['specification', 'oidc', 'fapi2'] },
    tokenEndpointAuthMethod: {
      type: 'string',
      enum: ['private_key_jwt', 'self_signed_tls_client_auth', 'tls_client_auth'],
    },
    /** Subject of the client's certificate with `tls_client_auth` (RFC 4514). */
    tlsClientAuthSubjectDn: { ...registrationTextSchema, pattern: '^[A-Za-z0-9.]+=.' },
    jwks: { type: 'object', required: ['keys'], properties: { keys: { type: 'array', minItems: 1 } } },
    jwksUri: outboundRequestUrlSchema,
    /** Whether RSA keys in `jwks` may have from 2,048 to 3,071 bits. */
    rsa2048: { const: true },
    /** Algorithm of ID tokens, assertions and request objects. Default: ES256. With the profile `specification`: RS256 for ID tokens, else any. */
    signingAlg: { type: 'string', enum: signingAlgorithms },
    requirePushedAuthorizationRequests: { const: true },
    requireSignedRequestObject: { const: true },
    dpopBoundAccessTokens: { const: true },
    tlsClientCertificateBoundAccessTokens: { const: true },
    /** Allowed response modes. Defaults to any mode with the profile `specification`, and to `query` with the other profiles. */
    responseModes: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { enum: ['query', 'fragment', 'form_post'] },
    },
    /** Resource servers (RFC 8707) for which the client gets access tokens. */
    resources: { type: 'array', items: outboundRequestUrlSchema },
    /** `public`: the same `sub` at all clients. `pairwise` (default, except with the profile `specification`): a different `sub` for each host. */
    subjectType: { type: 'string', enum: ['public', 'pairwise'] },
    /** Clients whose URI has the same host get the same pairwise `sub`. Not fetched, because an operator registers clients. */
    sectorIdentifierUri: outboundRequestUrlSchema,
    /** Whether the client was written for ID Uruguay. Such a client always gets a refresh token, and the document type as a number. */
    legacy: { type: 'boolean' },
    /** Last date on which a legacy client with authentication may omit PKCE, use a code for 600 seconds, and reuse its refresh token. */
    legacyUntil: { type: 'string', pattern: '^20\\d\\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' },
    flat: { type: 'boolean' },
    /** Value of `iss` in the client's ID tokens, if it differs from the provider's issuer. */
    issuer: webUrlSchema,
  },
  additionalProperties: false,
} as const;

export type ClientRegistration = FromSchema<typeof clientRegistrationSchema>;

/** A client and its secret. The secret is `null` if the client authenticates with keys or is public. */
export interface RegisteredClient {
  readonly registration: ClientRegistration;
  readonly secret: string | null;
}

/** Whether a client has no authentication, so that only PKCE protects it. */
function isPublicClient({ registration, secret }: RegisteredClient): boolean {
  return secret === null && registration.tokenEndpointAuthMethod === undefined;
}

const validate = new Ajv({ allErrors: true, formats: urlFormats }).compile<ClientRegistration>(
  clientRegistrationSchema,
);

const webUrlRule = 'must be a whole address with http or https, for example https://app.example/';
const redirectRule =
  'must be a whole address without fragment, for example https://app.example/callback; of a native app uy.example.app:/callback, http://127.0.0.1/callback or https of another host';

const requestedUrlRule = 'must be an https address without user name or fragment; http is for this machine alone';

/** Requirement of each field of a registration, in the words of a message for operators. */
export const registrationFieldRequirements: Readonly<Record<string, string>> = {
  id: 'must be 1 to 100 letters without accents, digits, - and _',
  secret: 'must be at least 16 letters without accents, digits, blanks and signs of ASCII',
  redirectUris: redirectRule,
  postLogoutRedirectUris: redirectRule,
  scopes: `must be of ${supportedScopes.join(', ')}`,
  website: webUrlRule,
  terms: webUrlRule,
  privacy: webUrlRule,
  logo: webUrlRule,
  issuer: webUrlRule,
  frontchannelLogoutUri: webUrlRule,
  backchannelLogoutUri: requestedUrlRule,
  jwksUri: requestedUrlRule,
  sectorIdentifierUri: requestedUrlRule,
  legacyUntil: 'must be a day, for example 2027-12-31',
  profile: 'must be specification, oidc or fapi2',
  signingAlg: `must be of ${signingAlgorithms.join(', ')}`,
};

/** URI schemes that are not private-use, because every machine has a handler for them or the browser itself executes the URL. */
const commonSchemes =
  /^(about|blob|content|data|file|filesystem|ftps?|intent|jar|javascript|ldaps?|mailto|resource|sftp|sms|ssh|tel|urn|vbscript|view-source|wss?):/i;

/**
 * Whether a redirect URI has a private-use scheme (RFC 8252, section 7.1). With a single slash, the scheme must be a reversed domain name, as in
 * `uy.example.app:/callback`.
 */
function isPrivateUseUri(text: string): boolean {
  return (
    /^([a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:\/|[a-z][a-z0-9+.-]*:\/\/)[^\s\\]*$/i.test(text) &&
    !/^https?:/i.test(text) &&
    !commonSchemes.test(text) &&
    URL.canParse(text)
  );
}

/** Whether a client is a native app: uses a private-use scheme, or is public and has only loopback URIs without a port, which match every port. */
function isNativeClient(client: RegisteredClient): boolean {
  const { redirectUris } = client.registration;
  return (
    redirectUris.some(isPrivateUseUri) ||
    (isPublicClient(client) &&
      redirectUris.every((uri) => /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[/?]|$)/.test(uri)))
  );
}

export function requiresMutualTls({ registration }: RegisteredClient): boolean {
  const { tokenEndpointAuthMethod: method, tlsClientCertificateBoundAccessTokens: isBound } = registration;
  return method?.endsWith('tls_client_auth') === true || isBound === true;
}

function hasLegacyExceptions(client: RegisteredClient, now: Date): boolean {
  const { legacyUntil } = client.registration;
  return legacyUntil !== undefined && !isPublicClient(client) && now < addSeconds(new Date(legacyUntil), secondsPerDay);
}

export function describeLegacyExceptions({ id, legacyUntil }: ClientRegistration, now: Date): string | null {
  if (legacyUntil === undefined) return null;
  return now < addSeconds(new Date(legacyUntil), secondsPerDay)
    ? `${id} may omit PKCE, use codes for ten minutes and refresh tokens again until ${legacyUntil}.`
    : `${id} was legacy until ${legacyUntil}: it needs PKCE now. Register it again without legacy.`;
}

export class ClientRegistrationError extends Error {
  override readonly name = 'RegistrationError';
}

/** Throws a `ClientRegistrationError` if oidc-provider would reject the metadata, which it validates only when the client is first used. */
export type ValidateClientMetadata = (client: RegisteredClient) => Promise<void>;

export function validateClientRegistration(value: unknown): ClientRegistration {
  if (validate(value)) {
    const conflicts = findRegistrationConflicts(value);
    if (conflicts.length > 0) throw new ClientRegistrationError(conflicts.join('; '));
    return value;
  }
  const problems = (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${instancePath.slice(1) || 'the client'} ${registrationFieldRequirements[instancePath.split('/')[1] ?? ''] ?? message ?? 'is invalid'}${'additionalProperty' in params ? `: ${String(params['additionalProperty'])}` : ''}`,
  );
  throw new ClientRegistrationError([...new Set(problems)].join('; '));
}

function findRegistrationConflicts(registration: ClientRegistration): readonly string[] {
  const { profile = 'specification', tokenEndpointAuthMethod, redirectUris, signingAlg } = registration;
  const { legacy = false, legacyUntil } = registration;
  const dialect = (['legacy', 'flat', 'issuer'] as const).filter((key) => registration[key] !== undefined);
  const isFapi = profile === 'fapi2';
  const isCertified = tokenEndpointAuthMethod === 'tls_client_auth';
  const lacksKeys = registration.jwks === undefined && registration.jwksUri === undefined;
  const isOpen = !redirectUris.every((uri) => new RegExp(trustworthyUrlPattern).test(uri));
  const rules: readonly (readonly [boolean, string])[] = [
    [profile !== 'specification' && dialect.length > 0, `${dialect.join(', ')} need the profile specification`],
    [
      legacy !== (legacyUntil !== undefined),
      'legacy needs legacyUntil, the last day of its leave, and only legacy has one',
    ],
    [isFapi && tokenEndpointAuthMethod === undefined, 'tokenEndpointAuthMethod is required in the profile fapi2'],
    [
      tokenEndpointAuthMethod !== undefined && !isCertified && lacksKeys,
      'tokenEndpointAuthMethod needs jwks or jwksUri',
    ],
    [
      isCertified !== (registration.tlsClientAuthSubjectDn !== undefined),
      'tls_client_auth needs tlsClientAuthSubjectDn, and only it has one',
    ],
    [
      registration.responseModes?.includes('form_post') === true && redirectUris.some(isPrivateUseUri),
      'responseModes cannot have form_post with the scheme of an app',
    ],
    [registration.requireSignedRequestObject === true && lacksKeys, 'requireSignedRequestObject needs jwks or jwksUri'],
    [registration.issuer !== undefined && (signingAlg ?? 'RS256') !== 'RS256', 'issuer needs signingAlg RS256'],
    [usesForbiddenRs256(registration), rs256Rule],
    [
      registration.rsa2048 === true && (isFapi || registration.jwks === undefined),
      'rsa2048 needs jwks, and a profile other than fapi2',
    ],
    [isFapi && isOpen, 'redirectUris must be https in the profile fapi2'],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, rule]) => rule);
}

/**
 * Returns why the broker refuses a client outside loopback: a short RSA key, or RS256 with a profile that forbids it. Returns `null` if it accepts
 * the client.
 */
export function describeClientWeakness(registration: ClientRegistration): string | null {
  const { id, jwks, rsa2048 } = registration;
  if (usesForbiddenRs256(registration)) return `${id}: ${rs256Rule}`;
  const sizes = (jwks?.keys ?? []).flatMap((key) =>
    isObject(key) && typeof key['n'] === 'string' ? [countRsaModulusBits({ n: key['n'] })] : [],
  );
  const least = Math.min(...sizes);
  if (least >= (rsa2048 === true ? 2_048 : minRsaBits)) return null;
  return `jwks of ${id} has an RSA key of ${least} bits: it needs ${minRsaBits}, or an EC key. rsa2048 (--rsa2048) allows 2048 bits, except in the profile fapi2`;
}

const rs256Rule = 'signingAlg RS256 needs the profile specification: use ES256 or PS256';

function usesForbiddenRs256({ profile = 'specification', signingAlg }: ClientRegistration): boolean {
  return profile !== 'specification' && signingAlg === 'RS256';
}

export const extraClientMetadataNames = [
  'profile',
  'legacy',
  'lenient',
  'flat',
  'own_issuer',
  'frontchannel_logout_uri',
  'resources',
] as const;

/** Converts a registration to oidc-provider's client metadata. oidc-provider omits keys that are `undefined`. */
export function toClientMetadata(client: RegisteredClient, now: Date): ClientMetadata {
  const { registration, secret } = client;
  const { redirectUris, scopes, backchannelLogoutUri, jwks, jwksUri } = registration;
  const { profile = 'specification', legacy = false } = registration;
  const isFapi = profile === 'fapi2';
  const isTlsBound = registration.tlsClientCertificateBoundAccessTokens;
  const method = registration.tokenEndpointAuthMethod ?? (isPublicClient(client) ? 'none' : 'client_secret_basic'); // with `client_secret_basic`, `client_secret_post` is accepted too
  const responseModes = redirectUris.some(isPrivateUseUri) ? (['query', 'fragment'] as const) : undefined; // no `form_post`: a form cannot be posted to a custom scheme
  const alg = registration.signingAlg ?? (profile === 'specification' ? undefined : 'ES256');
  return {
    profile,
    client_id: registration.id,
    client_name: registration.name,
    client_secret: secret ?? undefined,
    token_endpoint_auth_method: method,
    token_endpoint_auth_signing_alg: method === 'private_key_jwt' ? alg : undefined,
    id_token_signed_response_alg: alg ?? 'RS256',
    request_object_signing_alg: jwks === undefined && jwksUri === undefined ? undefined : alg,
    require_signed_request_object: registration.requireSignedRequestObject,
    subject_type: registration.subjectType ?? (profile === 'specification' ? 'public' : 'pairwise'),
    sector_identifier_uri: registration.sectorIdentifierUri,
    tls_client_auth_subject_dn: registration.tlsClientAuthSubjectDn,
    jwks: jwks as ClientMetadata['jwks'], // the cast is safe: oidc-provider validates the keys
    jwks_uri: jwksUri,
    require_pushed_authorization_requests: isFapi || registration.requirePushedAuthorizationRequests,
    dpop_bound_access_tokens: (isFapi && isTlsBound === undefined) || registration.dpopBoundAccessTokens,
    tls_client_certificate_bound_access_tokens: isTlsBound,
    application_type: isNativeClient(client) ? 'native' : 'web',
    redirect_uris: redirectUris,
    post_logout_redirect_uris: registration.postLogoutRedirectUris ?? [],
    grant_types: ['authorization_code', ...(legacy || scopes.includes('offline_access') ? ['refresh_token'] : [])],
    response_types: ['code'],
    response_modes: registration.responseModes ?? (profile === 'specification' ? responseModes : ['query']),
    scope: ['openid', ...scopes.filter((scope) => scope !== 'openid')].join(' '),
    client_uri: registration.website,
    tos_uri: registration.terms,
    policy_uri: registration.privacy,
    logo_uri: registration.logo,
    backchannel_logout_uri: backchannelLogoutUri,
    backchannel_logout_session_required: backchannelLogoutUri !== undefined || undefined,
    frontchannel_logout_uri: registration.frontchannelLogoutUri,
    legacy,
    lenient: hasLegacyExceptions(client, now),
    flat: registration.flat ?? false,
    own_issuer: registration.issuer,
    resources: registration.resources ?? [],
  };
}

export function listRegisteredResources(client: { readonly [name: string]: unknown }): readonly string[] {
  const { resources } = client;
  return Array.isArray(resources) ? resources.filter((resource) => typeof resource === 'string') : [];
}

export function listRegisteredScopes({ scope }: { readonly scope?: unknown }): readonly string[] {
  return typeof scope === 'string' ? scope.split(' ') : [];
}

/** Whether a client may omit PKCE, use codes for ten minutes and reuse refresh tokens. */
export function canOmitPkce(client: { readonly [name: string]: unknown } | undefined): boolean {
  return client?.['lenient'] === true;
}

export function isLegacyClient(client: { readonly [name: string]: unknown } | undefined): boolean {
  return client?.['legacy'] === true;
}

export function isFapiClient(client: { readonly [name: string]: unknown } | undefined): boolean {
  return client?.['profile'] === 'fapi2';
}
