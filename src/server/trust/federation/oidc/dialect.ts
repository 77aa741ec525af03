import type { Configuration } from 'oidc-provider';
import { acrValues } from '../../identity/levels.ts';
import { hasLegacyLeave, isLegacy, ownMetadata } from '../clients/client-metadata.ts';
import { scopeClaims, scopeNames } from '../clients/scopes.ts';
import { oidcPaths } from './addresses.ts';
import { assertAcrClaim } from './policy.ts';

/** Configuration that does not depend on settings: ID Uruguay's dialect, and disabled features. */
export const dialect = {
  routes: {
    authorization: oidcPaths.authorize,
    token: oidcPaths.token,
    userinfo: oidcPaths.userinfo,
    jwks: oidcPaths.jwks,
    end_session: oidcPaths.logout,
  },
  scopes: [...scopeNames],
  claims: Object.fromEntries(Object.entries(scopeClaims).map(([scope, claims]) => [scope, [...claims]])),
  acrValues: [...acrValues],
  responseTypes: ['code'],
  subjectTypes: ['public'],
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
  enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
  allowOmittingSingleRegisteredRedirectUri: false,
  extraClientMetadata: { properties: [...ownMetadata] },
  discovery: { frontchannel_logout_supported: true, frontchannel_logout_session_supported: true },
  pkce: { required: (_ctx, client) => !hasLegacyLeave(client) },
  issueRefreshToken: async (_ctx, client, code) =>
    client.grantTypeAllowed('refresh_token') && (isLegacy(client) || code.scopes.has('offline_access')),
  rotateRefreshToken: ({ oidc }) => !hasLegacyLeave(oidc.client), // legacy clients keep their first refresh token
  features: {
    devInteractions: { enabled: false },
    claimsParameter: { enabled: true, assertClaimsParameter: (_ctx, claims) => assertAcrClaim(claims) },
    rpInitiatedLogout: { enabled: true },
    backchannelLogout: { enabled: true },
    pushedAuthorizationRequests: { enabled: false },
    resourceIndicators: { enabled: false },
    dPoP: { enabled: false },
  },
} satisfies Configuration;
