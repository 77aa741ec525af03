import * as client from 'openid-client';
import type { Clock } from '../../../platform/base/clock.ts';
import { createOutboundFetch } from '../../../platform/http/outbound-fetch.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { IdentityProvider } from '../../../platform/config/identity-providers.ts';
import {
  buildIdentityProviderUrl,
  UpstreamFailedError,
  UpstreamRefusedError,
  type UpstreamAdapter,
} from './upstream-adapter.ts';

const responseTimeoutMs = 5_000;

const discoveryLifeMs = 60 * 60_000;

/** Error codes of openid-client for malformed responses of the provider itself. The browser cannot have caused them. */
const malformedResponseCodes: ReadonlySet<string> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_PARSE_ERROR',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
]);

/**
 * Creates the adapter of an OpenID Connect provider. It uses the authorization code flow with PKCE and nonce, and verifies the signature of the ID
 * token and the `iss` parameter of the response.
 */
export function createUpstreamOidcAdapter(
  { identificador, oidc }: IdentityProvider,
  { config, clock }: { readonly config: Config; readonly clock: Clock },
): UpstreamAdapter {
  const { issuer = '', clientId = '', scope = 'openid profile', acrValues } = oidc ?? {};
  const secret = config.providerSecrets.get(identificador); // `undefined` for a public client
  const callback = buildIdentityProviderUrl('callback', config.baseUrl, identificador); // each provider has its own callback
  let found: { readonly config: Promise<client.Configuration>; readonly at: number } | null = null;

  const discover = async (): Promise<client.Configuration> => {
    const insecure = issuer.startsWith('http:');
    const discovered = await client.discovery(
      new URL(issuer),
      clientId,
      undefined,
      secret === undefined ? client.None() : client.ClientSecretBasic(secret),
      {
        execute: insecure ? [client.allowInsecureRequests] : [],
        timeout: responseTimeoutMs / 1000,
        [client.customFetch]: createOutboundFetch({
          limitMs: responseTimeoutMs,
          allowsPrivateTargets: config.backchannelPrivate,
          maxBytes: () => 256 * 1024,
        }),
      },
    );
    client.enableNonRepudiationChecks(discovered); // enables the verification of the ID token's signature
    return discovered;
  };
  const getConfiguration = async (): Promise<client.Configuration> => {
    const now = clock.now().getTime();
    if (found === null || now - found.at > discoveryLifeMs) found = { config: discover(), at: now };
    const asked = found;
    try {
      return await asked.config;
    } catch (cause) {
      if (found === asked) found = null; // forgets the failed discovery, so that the next call retries it
      throw createFailedError('its configuration cannot be read', cause);
    }
  };

  return {
    async beginSignIn(state, maxAgeS) {
      const config = await getConfiguration();
      const verifier = client.randomPKCECodeVerifier();
      const nonce = client.randomNonce();
      const location = client.buildAuthorizationUrl(config, {
        redirect_uri: callback,
        scope,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(acrValues !== undefined && { acr_values: acrValues }),
        ...(maxAgeS !== null && { max_age: String(maxAgeS) }),
        ...(maxAgeS === 0 && { prompt: 'login' }),
      });
      return { location: location.href, kept: { verifier, nonce } };
    },
    async finishSignIn(answer, { verifier = '', nonce = '' }, state) {
      if (answer.binding !== 'query') throw new UpstreamRefusedError('the response is not a redirect');
      const config = await getConfiguration();
      const url = new URL(callback);
      url.search = answer.url.search;
      try {
        const tokens = await client.authorizationCodeGrant(config, url, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new UpstreamRefusedError('the response has no ID Token');
        const info =
          config.serverMetadata().userinfo_endpoint === undefined
            ? {}
            : await client.fetchUserInfo(config, tokens.access_token, claims.sub);
        return {
          issuer: claims.iss,
          subject: claims.sub,
          context: typeof claims['acr'] === 'string' ? claims['acr'] : null,
          signedInAt: typeof claims.auth_time === 'number' ? new Date(claims.auth_time * 1000) : null,
          claims: { ...info, ...claims },
        };
      } catch (cause) {
        throw toUpstreamError(cause);
      }
    },
  };
}

/** Maps an error of openid-client: faults of the provider to `UpstreamFailedError`, and responses that may be an attack to `UpstreamRefusedError`. */
function toUpstreamError(cause: unknown): Error {
  if (cause instanceof UpstreamRefusedError) return cause;
  if (cause instanceof client.AuthorizationResponseError)
    return new UpstreamFailedError(`the provider answers ${cause.error}`, {
      description: `${cause.error_description ?? ''}`,
      cause,
    });
  if (cause instanceof client.ResponseBodyError && cause.status < 500)
    return new UpstreamRefusedError(`the provider refuses the code: ${cause.error}`, { cause });
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (cause instanceof client.ClientError && code.startsWith('OAUTH_') && !malformedResponseCodes.has(code))
    return new UpstreamRefusedError(`the response is not trusted: ${describeError(cause)}`, { cause });
  return createFailedError('the provider does not answer as it should', cause);
}

function createFailedError(what: string, cause: unknown): UpstreamFailedError {
  return new UpstreamFailedError(`${what}: ${describeError(cause)}`, { cause });
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
