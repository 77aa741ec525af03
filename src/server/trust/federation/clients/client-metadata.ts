import type { ClientMetadata } from 'oidc-provider';
import { scopeNames } from './scopes.ts';
import { isNative, type RegisteredClient } from './client-registration.ts';

/** Our additional client metadata, which oidc-provider stores with each client. */
export const ownMetadata = ['legacy', 'flat', 'own_issuer', 'frontchannel_logout_uri'] as const;

export function clientMetadata(client: RegisteredClient): ClientMetadata {
  const { registration, secret } = client;
  const { id, name, redirectUris, postLogoutRedirectUris, scopes, website, terms, privacy, logo, issuer } =
    registration;
  const { backchannelLogoutUri, frontchannelLogoutUri, legacy = false, flat = false } = registration;
  return {
    client_id: id,
    client_name: name,
    ...(secret !== null && { client_secret: secret }),
    token_endpoint_auth_method: secret === null ? 'none' : 'client_secret_basic', // client_secret_post works as well
    application_type: isNative(client) ? 'native' : 'web',
    redirect_uris: redirectUris,
    post_logout_redirect_uris: postLogoutRedirectUris ?? [],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    // Native apps receive the response in the redirect URI: a form cannot be posted to a custom scheme.
    ...(redirectUris.some((uri) => !/^https?:/i.test(uri)) && { response_modes: ['query', 'fragment'] }),
    scope: (scopes ? ['openid', ...scopes.filter((scope) => scope !== 'openid')] : scopeNames).join(' '),
    ...(website !== undefined && { client_uri: website }),
    ...(terms !== undefined && { tos_uri: terms }),
    ...(privacy !== undefined && { policy_uri: privacy }),
    ...(logo !== undefined && { logo_uri: logo }),
    ...(backchannelLogoutUri !== undefined && {
      backchannel_logout_uri: backchannelLogoutUri,
      backchannel_logout_session_required: true,
    }),
    ...(frontchannelLogoutUri !== undefined && { frontchannel_logout_uri: frontchannelLogoutUri }),
    legacy,
    flat,
    ...(issuer !== undefined && { own_issuer: issuer }),
  };
}

export function registeredScopes({ scope }: { readonly scope?: unknown }): readonly string[] {
  return typeof scope === 'string' ? scope.split(' ') : [];
}

/** Whether a client may omit PKCE, and use codes and refresh tokens as ID Uruguay allowed: a legacy client that authenticates itself. */
export function hasLegacyLeave(client: { readonly [name: string]: unknown } | undefined): boolean {
  return isLegacy(client) && client?.['clientAuthMethod'] !== 'none';
}

/** Whether a client was written for ID Uruguay. */
export function isLegacy(client: { readonly [name: string]: unknown } | undefined): boolean {
  return client?.['legacy'] === true;
}
