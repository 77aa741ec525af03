import type { ClientMetadata } from 'oidc-provider';
import { isLenient, isNative, isPublic, type RegisteredClient } from './client-registration.ts';

/** Our additional client metadata, which oidc-provider stores with each client. */
export const ownMetadata = ['profile', 'legacy', 'lenient', 'flat', 'own_issuer', 'frontchannel_logout_uri'] as const;

/** oidc-provider leaves out keys that are `undefined`. */
export function clientMetadata(client: RegisteredClient, now: Date): ClientMetadata {
  const { registration, secret } = client;
  const {
    redirectUris,
    scopes,
    backchannelLogoutUri,
    jwks,
    jwksUri,
    profile = 'specification',
    legacy = false,
  } = registration;
  const isFapi = profile === 'fapi2';
  const isTlsBound = registration.tlsClientCertificateBoundAccessTokens;
  const method = registration.tokenEndpointAuthMethod ?? (isPublic(client) ? 'none' : 'client_secret_basic'); // `client_secret_post` is accepted too
  const alg = registration.signingAlg ?? (isFapi ? 'ES256' : undefined);
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
    jwks: jwks as ClientMetadata['jwks'], // oidc-provider validates the keys
    jwks_uri: jwksUri,
    require_pushed_authorization_requests: isFapi || registration.requirePushedAuthorizationRequests,
    dpop_bound_access_tokens: (isFapi && isTlsBound === undefined) || registration.dpopBoundAccessTokens,
    tls_client_certificate_bound_access_tokens: isTlsBound,
    application_type: isNative(client) ? 'native' : 'web',
    redirect_uris: redirectUris,
    post_logout_redirect_uris: registration.postLogoutRedirectUris ?? [],
    grant_types: ['authorization_code', ...(legacy || scopes.includes('offline_access') ? ['refresh_token'] : [])],
    response_types: ['code'],
    // Native apps receive the response in the redirect URI: a form cannot be posted to a custom scheme.
    response_modes: redirectUris.some((uri) => !/^https?:/i.test(uri)) ? ['query', 'fragment'] : undefined,
    scope: ['openid', ...scopes.filter((scope) => scope !== 'openid')].join(' '),
    client_uri: registration.website,
    tos_uri: registration.terms,
    policy_uri: registration.privacy,
    logo_uri: registration.logo,
    backchannel_logout_uri: backchannelLogoutUri,
    backchannel_logout_session_required: backchannelLogoutUri !== undefined || undefined,
    frontchannel_logout_uri: registration.frontchannelLogoutUri,
    legacy,
    lenient: isLenient(client, now),
    flat: registration.flat ?? false,
    own_issuer: registration.issuer,
  };
}

export function registeredScopes({ scope }: { readonly scope?: unknown }): readonly string[] {
  return typeof scope === 'string' ? scope.split(' ') : [];
}

/** Whether a client may omit PKCE, and use codes and refresh tokens as ID Uruguay allowed. */
export function hasLegacyLeave(client: { readonly [name: string]: unknown } | undefined): boolean {
  return client?.['lenient'] === true;
}

/** Whether a client was written for ID Uruguay. */
export function isLegacy(client: { readonly [name: string]: unknown } | undefined): boolean {
  return client?.['legacy'] === true;
}

export function isFapi(client: { readonly [name: string]: unknown } | undefined): boolean {
  return client?.['profile'] === 'fapi2';
}
