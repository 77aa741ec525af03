import type { IncomingMessage } from 'node:http';
import type Provider from 'oidc-provider';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { library } from './library.ts';
import type { Logger } from 'pino';
import { href } from '../../../../contract/href.ts';
import type { Clock } from '../../../platform/base/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Keys } from '../../../platform/keys/load-keys.ts';
import type { SigningKeys } from '../../../platform/keys/signing-keys.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { databaseRetryS, DatabaseUnavailable } from '../../../platform/database/unavailable.ts';
import { accountFinder, tokenFacts } from './account.ts';
import { oidcAdapter } from './adapter.ts';
import { pages, proofingPage, serverPages } from '../../../../contract/pages.ts';
import { hasLegacyLeave, isLegacy, registeredScopes } from '../clients/client-metadata.ts';
import type { Throttle } from '../../abuse/throttle.ts';
import { dayS, periods } from '../../../platform/base/periods.ts';
import { OperationError } from '../../../platform/base/errors.ts';
import type { Clients } from '../clients/clients.ts';
import { dialect } from './dialect.ts';
import { errorRenderer, requestNumber, type RenderError } from './error-page.ts';
import { explainErrors } from './explain-errors.ts';
import { postForms } from './form-post.ts';
import { grantLoader } from './grants.ts';
import { challengeNames, walletMethod } from '../../identity/names.ts';
import { outwardFetch } from '../clients/outward-fetch.ts';
import { signForOwnIssuers } from './own-issuer.ts';
import { closingReason, interactionChecks, proofingReason } from './policy.ts';
import { requestedScopes } from '../clients/scopes.ts';
import { linkSessions } from './session-link.ts';
import { limits } from '../clients/limits.ts';

/** What the provider is made of. */
export interface OidcParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly store: Store;
  readonly vault: Vault;
  readonly keys: Pick<Keys, 'encryption'>;
  readonly clients: Clients;
  readonly throttle: Throttle;
  /** The secret of the broker's cookie in a request. */
  readonly sessionSecret: (request: IncomingMessage) => string | undefined;
}

/** Lives in seconds. */
const life = {
  accessToken: 300,
  idToken: periods.idTokenMin * 60,
  code: 60,
  legacyCode: 600,
  interaction: 600,
  refreshToken: periods.grantDays * dayS,
} as const;

const fetchLimitMs = 2000;

/** Methods that applications written for ID Uruguay do not know (section 3 of its profile): they refuse a token that names one. */
const unknownToLegacy: ReadonlySet<string> = new Set([
  challengeNames.recoveryCode,
  challengeNames.passkey,
  ...[1, 2, 3].map(walletMethod),
]);

/** The OIDC provider: ID Uruguay's paths and profile over our clients, sessions and store, with keys of which the first signs. */
export function createProvider(parts: OidcParts, signing: SigningKeys): Provider {
  const { config, log } = parts;
  const renderError = errorRenderer(log);
  const provider = new library.default(new URL(config.baseUrl).origin, {
    ...configuration(parts, signing),
    renderError,
  });
  provider.proxy = true; // the mount says by x-forwarded-proto what BASE_URL says
  provider.use(answerUnavailable(renderError));
  provider.use(tidyScope);
  linkSessions(provider, parts);
  signForOwnIssuers(provider, signing[0]);
  nameSessions(provider);
  postForms(provider);
  explainErrors(provider);
  provider.on('interaction.ended', ({ ip }: KoaContextWithOIDC) => {
    parts.throttle
      .forgive({ limit: limits.request, counted: { address: ip } })
      .catch((error: unknown) => log.warn({ err: error }, 'an answered request is still counted'));
  });
  provider.on('authorization.accepted', ({ oidc }: KoaContextWithOIDC) => {
    if (isLegacy(oidc.client) && oidc.session?.amr)
      oidc.session.amr = oidc.session.amr.filter((name) => !unknownToLegacy.has(name));
  });
  provider.on('server_error', (ctx, error) => {
    log.error({ err: error, reqId: requestNumber(ctx.req) }, 'the OIDC provider failed');
    if (error instanceof DatabaseUnavailable) sayUnavailable(ctx);
  });
  return provider;
}

/** The provider has made its answer of a failure, for which it knows one status and one code; a redirect back to the application stays. */
function sayUnavailable(ctx: Omit<KoaContextWithOIDC, 'oidc'>): void {
  if (ctx.status !== 500) return;
  ctx.status = 503;
  ctx.set('retry-after', String(databaseRetryS));
  if (ctx.response.is('json'))
    ctx.body = { error: 'temporarily_unavailable', error_description: 'the service is not available at the moment' };
}

/** What fails after the provider has made its answer, as keeping its session does, takes that back: it would name what is not kept. */
function answerUnavailable(renderError: RenderError): Parameters<Provider['use']>[0] {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      ctx.remove('location');
      ctx.remove('set-cookie');
      ctx.status = 500;
      renderError(ctx, { error: 'temporarily_unavailable' }, error);
      sayUnavailable(ctx);
    }
  };
}

function configuration(parts: OidcParts, signing: SigningKeys): Configuration {
  const { config, store, keys } = parts;
  const https = config.baseUrl.startsWith('https:');
  return {
    adapter: oidcAdapter(parts),
    findAccount: accountFinder(store),
    loadExistingGrant: grantLoader(store.db),
    jwks: { keys: signing.map(({ kid, privateJwk }) => ({ ...privateJwk, kid, alg: 'RS256', use: 'sig' })) },
    cookies: cookies(https, keys.encryption.derived['oidc-cookies']),
    ...dialect,
    extraTokenClaims: async (ctx, token) =>
      token.kind === 'AccessToken' ? { ...(await tokenFacts(store, ctx)) } : undefined,
    enableHttpPostMethods: https, // a form of another site needs cookies of SameSite=None, which need TLS
    interactions: {
      policy: interactionChecks(),
      async url(ctx, interaction) {
        await admitRequest(parts, ctx, interaction);
        return promptAddress(interaction, registeredScopes(ctx.oidc.client ?? {}));
      },
    },
    ttl: {
      AccessToken: life.accessToken,
      AuthorizationCode: (_ctx, _token, client) => (hasLegacyLeave(client) ? life.legacyCode : life.code),
      Grant: life.refreshToken,
      IdToken: life.idToken,
      Interaction: life.interaction,
      RefreshToken: life.refreshToken,
      Session: config.sessionLifeS,
    },
    fetch: outwardFetch({ limitMs: fetchLimitMs, privateToo: config.backchannelPrivate }),
  };
}

/** ID Tokens name the session (`sid`) to whoever is told of its end, in a frame as well. */
function nameSessions({ Client }: Provider): void {
  const { includeSid } = Client.prototype;
  Client.prototype.includeSid = function includesSid() {
    return includeSid.call(this) || this['frontchannel_logout_uri'] !== undefined;
  };
}

/** Some applications send a blank around the scopes or two between them, which the provider refuses. */
const tidyScope: Parameters<Provider['use']>[0] = async (ctx, next) => {
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

/** Requests that wait for their citizen are counted: one too many is not kept, and its application hears that it may ask later. */
async function admitRequest(
  { throttle, clock }: OidcParts,
  ctx: KoaContextWithOIDC,
  interaction: InstanceType<Provider['Interaction']>,
): Promise<void> {
  try {
    await throttle.admit(limits.request, { address: ctx.ip }, clock.now());
  } catch (error) {
    await interaction.destroy();
    if (!(error instanceof OperationError)) throw error;
    throw new library.errors.TemporarilyUnavailable('too many requests wait for their citizen');
  }
}

/** The page that a prompt needs; `process_state` comes last, where clients without a browser look for it. */
function promptAddress(
  { uid, prompt, params, returnTo }: InstanceType<Provider['Interaction']>,
  registered: readonly string[],
): string {
  if (prompt.reasons.includes(proofingReason)) return proofingPage;
  if (prompt.reasons.every((reason) => reason === closingReason))
    return href(serverPages.keepAccount, { next: new URL(returnTo).pathname });
  if (prompt.name !== 'consent') return href(pages.login, { process_state: uid });
  const scope = requestedScopes(params['scope'], params['claims'], registered).join(' ');
  return href(serverPages.consent, { client_id: String(params['client_id']), scope, next: uid });
}

function cookies(https: boolean, key: Buffer): Configuration['cookies'] {
  const name = (prefix: string, kind: string): string => (https ? `__${prefix}-portal-${kind}` : `portal-${kind}`);
  const common = { httpOnly: true, signed: true, secure: https } as const;
  return {
    keys: [key.toString('base64url')],
    names: {
      session: name('Host', 'oidc'),
      interaction: name('Secure', 'interaction'),
      resume: name('Secure', 'resume'),
    },
    long: { ...common, path: '/', sameSite: https ? 'none' : 'lax' },
    short: { ...common, sameSite: 'lax' },
  };
}
