import { X509Certificate, generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Provider, { type Configuration, errors } from 'oidc-provider';
import type { Config } from '../../../platform/config/config.ts';
import { signingAlgorithms } from '../../../platform/keys/signing-keys.ts';
import { acrValues } from '../../identity/levels.ts';
import {
  hasLegacyLeave,
  isFapi,
  isLegacy,
  ownMetadata,
  clientMetadata,
  describeRequirement,
  RegistrationError,
  type RegisteredClient,
} from '../clients/client-registration.ts';
import { scopeClaims, scopeNames } from '../clients/scopes.ts';
import { oidcPaths } from './addresses.ts';
import { assertAcrClaim } from './interactions.ts';

const ownToken = (_ctx: unknown, client: { clientId: string }, token: { clientId?: string | undefined }): boolean =>
  token.clientId === client.clientId;

const certificates = new WeakMap<IncomingMessage, X509Certificate>();

/** Records the client certificate of a request that arrived at the origin with mutual TLS. */
export function recordCertificate(request: IncomingMessage, der: Buffer): void {
  certificates.set(request, new X509Certificate(der));
}

function findCertificate({ req }: { req: IncomingMessage }): X509Certificate | undefined {
  return certificates.get(req);
}

/** Configuration of oidc-provider that does not depend on settings: ID Uruguay's dialect, and disabled features. */
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
  sectorIdentifierUriValidate: () => false, // not fetched: only operators register clients
  clientAuthMethods: [
    'client_secret_basic',
    'client_secret_post',
    'private_key_jwt',
    'self_signed_tls_client_auth',
    'none',
  ],
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
  // Legacy clients keep their first refresh token. FAPI 2.0 forbids rotation (section 5.3.2.1), because tokens are bound to the client's key.
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
    mTLS: {
      enabled: true,
      certificateBoundAccessTokens: true,
      selfSignedTlsClientAuth: true,
      getCertificate: findCertificate,
    },
  },
} satisfies Configuration;

/**
 * Returns the configuration of endpoints at the origin that requests client certificates (RFC 8705, section 5). Without this origin, mutual TLS is
 * off.
 */
export function mutualTls({ card }: Pick<Config, 'card'>): Partial<Configuration> {
  const { clientAuthMethods, discovery, features } = dialect;
  if (card === null) {
    const methods = clientAuthMethods.filter((method) => method !== 'self_signed_tls_client_auth');
    return { clientAuthMethods: methods, features: { ...features, mTLS: { enabled: false } } };
  }
  const at = (path: string): string => new URL(path, card.url).href;
  const aliases = {
    token_endpoint: at(oidcPaths.token),
    pushed_authorization_request_endpoint: at(oidcPaths.par),
    revocation_endpoint: at(oidcPaths.revoke),
    introspection_endpoint: at(oidcPaths.introspect),
    userinfo_endpoint: at(oidcPaths.userinfo),
  };
  return { discovery: { ...discovery, mtls_endpoint_aliases: aliases } };
}

const fields: Readonly<Record<string, string>> = {
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
  jwks: 'jwks',
  jwks_uri: 'jwksUri',
};

let bare: Provider | undefined;

/** Creates a provider that only validates client metadata. Its key signs nothing. It is an EC key, because those are fast to generate. */
function schemaProvider(): Provider {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return new Provider('http://localhost', {
    ...dialect,
    adapter: () => {
      throw new Error('the provider of the client schema stores nothing');
    },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    enabledJWA: { ...dialect.enabledJWA, idTokenSigningAlgValues: ['ES256'] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
  });
}

export async function checkClient(client: RegisteredClient): Promise<void> {
  bare ??= schemaProvider();
  try {
    await bare.Client.validate({ ...clientMetadata(client, new Date(0)), id_token_signed_response_alg: 'ES256' });
  } catch (cause) {
    if (!(cause instanceof errors.InvalidClientMetadata)) throw cause;
    const text = cause.error_description ?? cause.message;
    const [name = '', field = ''] =
      Object.entries(fields).find(([theirs]) => new RegExp(`\\b${theirs}\\b`).test(text)) ?? [];
    throw new RegistrationError([text.replace(name, field), describeRequirement(field)].filter(Boolean).join(': it '), {
      cause,
    });
  }
}
