import type { Configuration } from 'oidc-provider';
import { signingAlgorithms } from '../../../platform/keys/signing-keys.ts';
import { acrValues } from '../../identity/levels.ts';
import { hasLegacyLeave, isFapi, isLegacy, ownMetadata } from '../clients/client-metadata.ts';
import { scopeClaims, scopeNames } from '../clients/scopes.ts';
import { oidcPaths } from './addresses.ts';
import { assertAcrClaim } from './policy.ts';

const ownToken = (_ctx: unknown, client: { clientId: string }, token: { clientId?: string | undefined }): boolean =>
  token.clientId === client.clientId;

/** Configuration that does not depend on settings: ID Uruguay's dialect, and disabled features. */
export const dialect = {
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
  scopes: [...scopeNames],
  claims: Object.fromEntries(Object.entries(scopeClaims).map(([scope, claims]) => [scope, [...claims]])),
  acrValues: [...acrValues],
  responseTypes: ['code'],
  subjectTypes: ['public', 'pairwise'],
  sectorIdentifierUriValidate: () => false, // operators register clients
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
  enabledJWA: {
    idTokenSigningAlgValues: [...signingAlgorithms],
    clientAuthSigningAlgValues: [...signingAlgorithms],
    requestObjectSigningAlgValues: [...signingAlgorithms],
    dPoPSigningAlgValues: ['PS256', 'ES256'],
  },
  allowOmittingSingleRegisteredRedirectUri: false,
  extraClientMetadata: { properties: [...ownMetadata] },
  discovery: {
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
  },
  pkce: { required: (_ctx, client) => !hasLegacyLeave(client) },
  issueRefreshToken: async (_ctx, client, code) =>
    client.grantTypeAllowed('refresh_token') && (isLegacy(client) || code.scopes.has('offline_access')),
  // Legacy clients keep their first refresh token. FAPI 2.0 forbids rotation (section 5.3.2.1), since tokens are bound to the client's key.
  rotateRefreshToken: ({ oidc }) => !hasLegacyLeave(oidc.client) && !isFapi(oidc.client),
  features: {
    devInteractions: { enabled: false },
    claimsParameter: { enabled: true, assertClaimsParameter: (_ctx, claims) => assertAcrClaim(claims) },
    rpInitiatedLogout: { enabled: true },
    backchannelLogout: { enabled: true },
    fapi: { enabled: true, profile: (_ctx, client) => (isFapi(client) ? '2.0' : undefined) },
    pushedAuthorizationRequests: { enabled: true },
    requestObjects: { enabled: true },
    revocation: { enabled: true, allowedPolicy: ownToken },
    introspection: { enabled: true, allowedPolicy: ownToken },
    resourceIndicators: { enabled: false },
    dPoP: { enabled: true },
  },
} satisfies Configuration;
