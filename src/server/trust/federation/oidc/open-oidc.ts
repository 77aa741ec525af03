import Provider, { errors, type Configuration, type ErrorOut, type KoaContextWithOIDC } from 'oidc-provider';
import {
  cacheUntilKeysChange,
  countRsaModulusBits,
  minRsaBits,
  type SigningKeyRing,
  listJwsSigners,
  type SigningKeys,
  type SigningKey,
} from '../../../platform/keys/signing-keys.ts';
import { signJwt } from '../../../platform/keys/jws-signer.ts';
import type { ClientStore } from '../clients/client-store.ts';
import { federationAttemptLimits } from '../clients/pending-request.ts';
import {
  createSubjectIdentifierFunction,
  createAccountFinder,
  readTokenSignInFacts,
  type ComputeSubjectIdentifier,
} from './account-claims.ts';
import { createGrantLoader } from './grant-from-consent.ts';
import { createInteractionRequestStore, createInteractionSettings } from './interactions.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { isObject } from '../../../../engine/core/json.ts';
import type { Clock } from '../../../platform/base/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import type { DatabaseStore } from '../../../platform/database/open-store.ts';
import {
  databaseRetryAfterS,
  DatabaseUnavailableError,
} from '../../../platform/database/database-unavailable-error.ts';
import { createOidcStorageAdapter, createJtiRecorder } from './storage-adapter.ts';
import { canOmitPkce, isLegacyClient } from '../clients/client-registration.ts';
import type { AttemptThrottle } from '../../abuse/attempt-throttle.ts';
import { secondsPerDay, fixedRetentionPeriods } from '../../../platform/base/fixed-periods.ts';
import { addRefusalLogFacts } from '../../../platform/base/errors.ts';
import type { TrustStore } from '../../certificates/trust-store.ts';
import {
  baseOidcProviderConfiguration,
  buildOidcFeatureConfiguration,
  evaluateClientCertificate,
} from './provider-configuration.ts';
import { OidcProviderKey } from './provider-keys.ts';
import { bindPendingRequestsToBrowser, createOidcCookieSettings } from './request-cookies.ts';
import { enableFormPost } from './form-post.ts';
import { challengeNames, getWalletAmr } from '../../identity/challenge-names.ts';
import { createOutboundFetch } from '../../../platform/http/outbound-fetch.ts';
import { linkOidcSessions } from './link-oidc-sessions.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { createErrorPageHelp, renderPlainPage } from '../../../platform/http/plain-page.ts';
import { selectAcceptedLanguage } from '../../../platform/http/request-language.ts';
import { buildPageCsp } from '../../../platform/http/security-headers.ts';
import { getSharedText } from '../../../platform/base/texts.ts';
import { maskDocumentNumbers } from '../../../platform/base/identity-document.ts';
import { decodeJwt } from 'jose';

export type OidcProvider = ReturnType<typeof openOidcProvider>;

export function openOidcProvider(parts: OidcParts & { readonly signing: Pick<SigningKeyRing, 'listCurrentKeys'> }) {
  const { clients, signing, store } = parts;
  const subjectFor = createSubjectIdentifierFunction(parts);
  const current = cacheUntilKeysChange(signing.listCurrentKeys, (keys) => {
    const provider = createProvider({ ...parts, subjectFor }, keys);
    return { provider, handle: provider.callback() };
  });
  current(); // makes an invalid configuration fail at the start of the server
  return {
    /** oidc-provider reads keys only when it is created, so each key rotation creates a new instance, which has no other state in memory. */
    get provider(): Provider {
      return current().provider;
    },
    /** `certificates` is the chain from the TLS handshake, starting with the client's own certificate. */
    async handle(request: IncomingMessage, response: ServerResponse, certificates: readonly Buffer[] = []) {
      await evaluateClientCertificate(request, certificates, parts.clientTrust, parts.clock.now());
      await current().handle(request, response);
    },
    clients,
    signing,
    subjectFor,
    interactions: createInteractionRequestStore(() => current().provider, store),
  };
}

interface OidcParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly store: DatabaseStore;
  readonly vault: Vault;
  readonly clients: ClientStore;
  readonly throttle: AttemptThrottle;
  readonly clientTrust: TrustStore;
  readonly sessionSecret: (request: IncomingMessage) => string | undefined;
}

type ProviderParts = OidcParts & { readonly subjectFor: ComputeSubjectIdentifier };

const lifetimesS = {
  accessToken: 300,
  idToken: fixedRetentionPeriods.idTokenMin * 60,
  code: 60,
  legacyCode: 600,
  interaction: 600,
  refreshToken: fixedRetentionPeriods.grantDays * secondsPerDay,
} as const;

/** Authentication methods that section 3 of ID Uruguay's profile does not contain. Legacy applications reject a token with one of them in `amr`. */
const nonLegacyMethods: ReadonlySet<string> = new Set([
  challengeNames.mailedCode,
  challengeNames.passkey,
  ...[1, 2, 3].map(getWalletAmr),
]);

function createProvider(parts: ProviderParts, signing: SigningKeys): Provider {
  const { config, log } = parts;
  const renderError = createErrorRenderer(config.flags.ayuda);
  const provider = new Provider(new URL(config.baseUrl).origin, { ...buildConfiguration(parts, signing), renderError });
  provider.proxy = true; // trusts `x-forwarded-proto`, which the HTTP layer has set to match BASE_URL
  provider.use(createUnavailableMiddleware(renderError));
  bindPendingRequestsToBrowser(provider, { https: config.baseUrl.startsWith('https:'), lifeS: lifetimesS.interaction });
  provider.use(normalizeScope);
  linkOidcSessions(provider, parts);
  provider.ReplayDetection.unique = createJtiRecorder(parts);
  provider.use(createIssuerMiddleware(signing[0]));
  provider.use(removeSignInFacts);
  provider.use(logClientAndAccount);
  enableFormPost(provider);
  provider.on('authorization.error', addErrorFacts);
  provider.on('grant.error', addErrorFacts);
  provider.on('userinfo.error', addErrorFacts);
  provider.on('interaction.ended', ({ ip }: KoaContextWithOIDC) => {
    parts.throttle
      .forgive({ limit: federationAttemptLimits.request, counted: { address: ip } })
      .catch((error: unknown) => log.warn({ err: error }, 'an answered request is still counted'));
  });
  provider.on('authorization.accepted', ({ oidc }: KoaContextWithOIDC) => {
    if (isLegacyClient(oidc.client) && oidc.session?.amr)
      oidc.session.amr = oidc.session.amr.filter((name) => !nonLegacyMethods.has(name));
    // oidc-provider has no front-channel logout, and adds `sid` to ID tokens only for clients with back-channel logout. Requesting the claim adds it
    // for any client (OpenID Connect Core, section 5.5).
    if (oidc.client?.['frontchannel_logout_uri'] !== undefined)
      oidc.claims.id_token = { sid: null, ...oidc.claims.id_token };
  });
  provider.on('server_error', (ctx, error) => {
    log.error({ err: error, reqId: getRequestId(ctx.req) }, 'the OIDC provider failed');
    if (error instanceof DatabaseUnavailableError) respondUnavailable(ctx);
  });
  return provider;
}

/** Replaces oidc-provider's 500 after a database failure with a 503. Does not change a redirect to the application. */
function respondUnavailable(ctx: Omit<KoaContextWithOIDC, 'oidc'>): void {
  if (ctx.status !== 500) return;
  ctx.status = 503;
  ctx.set('retry-after', String(databaseRetryAfterS));
  if (ctx.response.is('json'))
    ctx.body = { error: 'temporarily_unavailable', error_description: 'the service is not available at the moment' };
}

/** Discards a response if the database fails after it was created: its cookies would refer to records that were not stored. */
function createUnavailableMiddleware(renderError: RenderError): Parameters<Provider['use']>[0] {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      ctx.remove('location');
      ctx.remove('set-cookie');
      ctx.status = 500;
      renderError(ctx, { error: 'temporarily_unavailable' }, error);
      respondUnavailable(ctx);
    }
  };
}

function buildConfiguration(parts: ProviderParts, signing: SigningKeys): Configuration {
  const { config, store, vault, subjectFor } = parts;
  const https = config.baseUrl.startsWith('https:');
  return {
    adapter: createOidcStorageAdapter(parts),
    findAccount: createAccountFinder(store),
    loadExistingGrant: createGrantLoader(parts),
    jwks: { keys: listJwsSigners(signing).map((signer) => new OidcProviderKey(signer)) },
    cookies: createOidcCookieSettings(https, vault),
    ...baseOidcProviderConfiguration,
    ...buildOidcFeatureConfiguration(config),
    pairwiseIdentifier: async (_ctx, id, client) => subjectFor(client, id),
    extraTokenClaims: async (ctx, token) =>
      token.kind === 'AccessToken' ? { ...(await readTokenSignInFacts(store, ctx)) } : undefined,
    enableHttpPostMethods: https, // a cross-site form post needs cookies with SameSite=None, which require TLS
    interactions: createInteractionSettings(parts),
    ttl: {
      AccessToken: lifetimesS.accessToken,
      AuthorizationCode: (_ctx, _token, client) => (canOmitPkce(client) ? lifetimesS.legacyCode : lifetimesS.code),
      Grant: lifetimesS.refreshToken,
      IdToken: lifetimesS.idToken,
      Interaction: lifetimesS.interaction,
      RefreshToken: lifetimesS.refreshToken,
      Session: config.sessionLifeS,
    },
    fetch: createProviderFetch(config),
  };
}

/** Creates the `fetch` of oidc-provider. Outside loopback, it removes RSA keys with less than 128 bits of security from the JWK sets of clients. */
function createProviderFetch({ backchannelPrivate, loopback }: Config): ReturnType<typeof createOutboundFetch> {
  const fetchOutbound = createOutboundFetch({ limitMs: 2_000, allowsPrivateTargets: backchannelPrivate });
  if (loopback) return fetchOutbound;
  return async (url, init) => {
    const response = await fetchOutbound(url, init);
    const set: unknown = await response
      .clone()
      .json()
      .catch(() => null);
    if (!isObject(set) || !Array.isArray(set['keys'])) return response;
    const keys = set['keys'].filter(
      (key: unknown) =>
        !isObject(key) || typeof key['n'] !== 'string' || countRsaModulusBits({ n: key['n'] }) >= minRsaBits,
    );
    return Response.json({ keys }, { status: response.status });
  };
}

/** Some applications send extra spaces in `scope`, which oidc-provider rejects. */
const normalizeScope: Parameters<Provider['use']>[0] = async (ctx, next) => {
  const { scope } = ctx.query;
  if (typeof scope === 'string')
    ctx.query = {
      ...ctx.query,
      scope: scope
        .split(' ')
        .filter((name) => name !== '')
        .join(' '),
    };
  await next();
};

const logClientAndAccount: Parameters<Provider['use']>[0] = async (ctx, next) => {
  await next();
  const { route, client, entities } = ctx.oidc ?? {};
  if (client)
    addRefusalLogFacts(ctx.req, { step: route, client: client.clientId, account: entities?.Account?.accountId });
};

/** Removes the facts about the sign-in from introspection responses, because applications may read them only through their scopes. */
const removeSignInFacts: Parameters<Provider['use']>[0] = async (ctx, next) => {
  await next();
  if (ctx.oidc?.route === 'introspection' && isObject(ctx.body))
    for (const name of ['nid', 'ae', 'idp']) delete ctx.body[name];
};

type RenderError = (ctx: Omit<KoaContextWithOIDC, 'oidc'>, out: ErrorOut, error: unknown) => void;

function getRequestId(request: IncomingMessage & { readonly id?: unknown }): string {
  return typeof request.id === 'string' ? request.id : randomUUID();
}

/** Creates the renderer of the error page, which shows the id of the request, so that the error can be found in the log. */
const createErrorRenderer =
  (hasHelp: boolean): RenderError =>
  (ctx, out, error) => {
    addErrorFacts(ctx, error instanceof errors.OIDCProviderError ? error : out);
    const id = getRequestId(ctx.req);
    const isOurs = ctx.status >= 500 || out.error === 'temporarily_unavailable';
    const language = selectAcceptedLanguage(ctx.get('accept-language'));
    const nonce = randomBytes(18).toString('base64');
    ctx.set('content-security-policy', buildPageCsp({ nonce, hosts: [] }));
    ctx.type = 'html';
    ctx.body = renderPlainPage({
      language,
      nonce,
      title: getSharedText('pedido_invalido', language),
      text: getSharedText(isOurs ? 'pedido_fallido_ayuda' : 'pedido_invalido_ayuda', language, { id }),
      ...createErrorPageHelp(language, hasHelp),
    });
  };

/** `error_detail` is oidc-provider's explanation, such as an unknown client. */
function addErrorFacts(
  { req, oidc }: Omit<KoaContextWithOIDC, 'oidc'> & Partial<Pick<KoaContextWithOIDC, 'oidc'>>,
  { error, error_description, error_detail }: ErrorOut & Partial<errors.OIDCProviderError>,
): void {
  const named = oidc?.client?.clientId ?? oidc?.params?.['client_id'];
  const reason = [...new Set([error_description, error_detail])].filter((text) => text !== undefined).join(': ');
  addRefusalLogFacts(req, {
    code: error,
    ...(oidc && { step: oidc.route }),
    ...(typeof named === 'string' && { client: maskDocumentNumbers(named).slice(0, 100) }),
    reason: maskDocumentNumbers(reason).slice(0, 300),
  });
}

/** Some applications written for ID Uruguay compare `iss` with a URL below the issuer. Only the token endpoint returns ID tokens. */
function createIssuerMiddleware(key: SigningKey): Parameters<Provider['use']>[0] {
  return async (ctx, next) => {
    await next();
    const issuer = ctx.oidc?.client?.['own_issuer'];
    if (typeof issuer !== 'string' || !isObject(ctx.body) || typeof ctx.body.id_token !== 'string') return;
    const claims = { ...decodeJwt(ctx.body.id_token), iss: issuer };
    ctx.body.id_token = await signJwt(key.signers.RS256, { typ: 'JWT', kid: key.kid }, claims);
  };
}
