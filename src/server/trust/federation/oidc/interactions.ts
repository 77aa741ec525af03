import { decodeJwt } from 'jose';
import type Provider from 'oidc-provider';
import {
  errors,
  interactionPolicy,
  type ClaimsParameter,
  type Configuration,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { href } from '../../../../contract/href.ts';
import { pages, proofingPage, redirectOnlyPages } from '../../../../contract/pages.ts';
import type { Clock } from '../../../platform/base/clock.ts';
import { isObject } from '../../../../engine/core/json.ts';
import { OperationError } from '../../../platform/base/errors.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import type { Throttle } from '../../abuse/throttle.ts';
import { readAcrRequest, parseAcr, parseAcrRequest, findRequiredNid } from '../../identity/levels.ts';
import { isLegacyClient, listRegisteredScopes } from '../clients/client-registration.ts';
import { requestLimits, type Interactions, type PendingRequest } from '../clients/pending-request.ts';
import { listClaims, selectRequestedScopes } from '../clients/scopes.ts';
import type { ComputeSubject } from './account.ts';
import { findLoginTime } from './session-link.ts';

const { Check, Prompt, base } = interactionPolicy;

/** Reason for an interaction: an agent must check the citizen's identity before the account can sign in to applications. */
const proofingReason = 'proofing';

/** Reason for an interaction: the account is about to be closed. It cannot sign in to applications until the citizen cancels the closure. */
const closingReason = 'closing';

const subjectChecks = ['id_token_hint', 'claims_id_token_sub_value'];

/** Error descriptions that oidc-provider returns to the application, by reason of the portal. */
const descriptions: Readonly<Record<string, string>> = {
  other_subject: 'another citizen is requested',
  stale: 'a new sign-in is required',
  acr_too_low: 'a higher level is required',
  [closingReason]: 'the account is to be closed',
  [proofingReason]: 'the identity of the citizen is to be checked',
  public_client: 'a client without authentication asks each time',
};

type Interaction = InstanceType<Provider['Interaction']>;

interface InteractionParts {
  readonly clock: Clock;
  readonly throttle: Throttle;
  readonly subjectFor: ComputeSubject;
}

/** Returns the settings of interactions: when one is required, and the page to which the browser is redirected. */
export function createInteractionSettings(parts: InteractionParts): NonNullable<Configuration['interactions']> {
  return {
    policy: createPolicy(parts.subjectFor),
    async url(ctx, interaction) {
      await admitRequest(parts, ctx, interaction);
      if (interaction.prompt.name === 'login') await allowOtherSession(interaction);
      return buildPromptUrl(interaction, listRegisteredScopes(ctx.oidc.client ?? {}));
    },
  };
}

/**
 * Creates the interaction policy. Replaces six login checks of oidc-provider, because the portal's sign-in creates a
 * broker session instead of an interaction result.
 */
function createPolicy(subjectFor: ComputeSubject): interactionPolicy.DefaultPolicy {
  const policy = base();
  const add = (
    prompt: string,
    reason: string,
    error: string,
    isDue: (ctx: KoaContextWithOIDC) => boolean | Promise<boolean>,
  ): void => policy.get(prompt)?.checks.add(new Check(reason, descriptions[reason] ?? '', error, isDue));
  for (const reason of ['login_prompt', 'max_age', 'essential_acr', 'essential_acrs', ...subjectChecks])
    policy.get('login')?.checks.remove(reason);
  add('login', 'other_subject', 'login_required', (ctx) => needsOtherCitizen(ctx, subjectFor));
  add('login', 'stale', 'login_required', needsNewSignIn);
  add('login', 'acr_too_low', 'unmet_authentication_requirements', needsHigherLevel);
  add('login', closingReason, 'login_required', ({ oidc }) => oidc.account?.['closing'] === true);
  add('login', proofingReason, 'login_required', ({ oidc }) => oidc.account?.['proofing'] === true);
  add('consent', 'public_client', 'interaction_required', requiresConsentEachTime);
  const selectAccount = new Prompt({ name: 'select_account', requestable: true });
  selectAccount.checks.remove('select_account_prompt'); // the reason `stale` of the login prompt covers this check
  policy.add(selectAccount);
  return policy;
}

/**
 * Whether to ask for consent at each request, because another application could impersonate a client without
 * authentication. oidc-provider does the same for native apps (RFC 8252, section 8.6).
 */
function requiresConsentEachTime({ oidc }: KoaContextWithOIDC): boolean {
  const { client, result } = oidc;
  return client?.clientAuthMethod === 'none' && client['profile'] !== 'specification' && result?.consent === undefined;
}

/** Whether a request demands a new sign-in. A browser has only one session, so selecting another account requires a new sign-in too. */
function requiresSignIn(prompts: ReadonlySet<string>): boolean {
  return prompts.has('login') || prompts.has('select_account');
}

function needsNewSignIn(ctx: KoaContextWithOIDC): boolean {
  const { oidc } = ctx;
  const maxAge = oidc.params?.['max_age'];
  const { known, skewS } = findLoginTime(ctx);
  const isOld = maxAge !== undefined && (!known || oidc.session?.past(Number(maxAge) + skewS) === true);
  if (!requiresSignIn(oidc.prompts) && !isOld) return false;
  return !hasHappenedSince(ctx, 'signedIn', known ? (oidc.session?.loginTs ?? 0) + skewS : 0);
}

/**
 * Whether the signed-in citizen differs from the requested one. Compares the citizen's subject for this client with
 * `id_token_hint` and the claim `sub`, because oidc-provider compares the hint only before the sign-in. If they differ,
 * the application gets an error (OpenID Connect Core, sections 3.1.2.1 and 5.5.1).
 */
async function needsOtherCitizen(ctx: KoaContextWithOIDC, subjectFor: ComputeSubject): Promise<boolean> {
  const { oidc } = ctx;
  const account = oidc.session?.accountId;
  const hint = oidc.params?.['id_token_hint'];
  const requested = [
    oidc.claims.id_token?.['sub']?.value,
    typeof hint === 'string' ? decodeJwt(hint).sub : undefined, // validated when the request was received
  ];
  if (account === undefined || !oidc.client) return false;
  if (requested.every((sub) => sub === undefined)) return false;
  const subject = await subjectFor(oidc.client, account);
  if (requested.every((sub) => sub === undefined || sub === subject)) return false;
  if (hasHappenedSince(ctx, 'begun', findLoginTime(ctx).beganTs))
    throw new errors.LoginRequired('another citizen signed in');
  return true;
}

/** Whether the session is below the required level. If it still is after a new sign-in, the application gets an error. */
function needsHigherLevel(ctx: KoaContextWithOIDC): boolean {
  const { oidc } = ctx;
  if (oidc.session?.accountId === undefined) return false;
  const required = findRequiredNid(readAcrRequest(oidc.params ?? {}));
  if (required !== null && (parseAcr(oidc.session.acr) ?? 0) >= required) return false;
  if (required === null || hasHappenedSince(ctx, 'begun', findLoginTime(ctx).beganTs))
    throw new errors.UnmetAuthenticationRequirements('the level cannot be reached');
  return true;
}

/**
 * Throws for claim requests in a form that OpenID Connect does not define (Core, section 5.5.1). oidc-provider merges
 * them recursively, so deep ones would exhaust the stack.
 */
export function assertClaims({ id_token = {}, userinfo = {} }: ClaimsParameter): void {
  for (const request of [...Object.values(id_token), ...Object.values(userinfo)] as unknown[])
    if (request !== null && !(isObject(request) && Object.values(request).flat().every(isScalar)))
      throw new errors.InvalidRequest('members of claims should be null or objects without nested values');
  if (parseAcrRequest('acr' in id_token ? id_token.acr : undefined) === null)
    throw new errors.InvalidRequest('claims.id_token.acr should be null or an object of essential, value, values');
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/**
 * Whether the session began (`begun`) or its citizen signed in (`signedIn`) after the request began. With an identity provider, the sign-in may be
 * older than the session. `time` is in seconds since the epoch. Stores the account in the interaction, because the next prompt of the same
 * request, such as the consent, checks again.
 */
function hasHappenedSince({ oidc }: KoaContextWithOIDC, what: 'signedIn' | 'begun', time: number): boolean {
  const interaction = oidc.entities.Interaction;
  if (!interaction) return false;
  const account = oidc.session?.accountId;
  const before = account !== undefined && interaction.lastSubmission?.[what] === account;
  const since = before || time >= interaction.iat;
  if (since) Object.assign(oidc, { result: { ...oidc.result, [what]: account } }); // the property is read-only only in the types
  return since;
}

/** Limits the number of pending requests. Above the limit, discards the interaction, and the application gets `temporarily_unavailable`. */
async function admitRequest(
  { throttle, clock }: InteractionParts,
  ctx: KoaContextWithOIDC,
  interaction: Interaction,
): Promise<void> {
  try {
    await throttle.admit(requestLimits.request, { address: ctx.ip }, clock.now());
  } catch (error) {
    await interaction.destroy();
    if (!(error instanceof OperationError)) throw error;
    throw new errors.TemporarilyUnavailable('too many requests wait for their citizen');
  }
}

/**
 * Lets a citizen sign in for a request that another citizen's session started. oidc-provider otherwise resumes an interaction only with the
 * session that it began with.
 */
async function allowOtherSession(interaction: Interaction): Promise<void> {
  if (interaction.session === undefined) return;
  delete interaction.session;
  await interaction.persist();
}

/** Returns the URL of the page for a prompt. `process_state` is the last parameter, where clients without a browser expect it. */
function buildPromptUrl({ uid, prompt, params, returnTo }: Interaction, registered: readonly string[]): string {
  if (prompt.reasons.includes(proofingReason)) return proofingPage;
  if (prompt.reasons.every((reason) => reason === closingReason))
    return href(redirectOnlyPages.keepAccount, { next: new URL(returnTo).pathname });
  if (prompt.name !== 'consent') return href(pages.login, { process_state: uid });
  const scope = selectRequestedScopes(params['scope'], params['claims'], registered).join(' ');
  return href(redirectOnlyPages.consent, { client_id: String(params['client_id']), scope, next: uid });
}

/** Returns the maximum age of the sign-in in seconds. Returns `null` if any age is accepted. oidc-provider has validated the parameters. */
function resolveMaxAge({ prompt, max_age: maxAge }: Interaction['params']): number | null {
  if (typeof prompt === 'string' && requiresSignIn(new Set(prompt.split(' ')))) return 0;
  return maxAge === undefined ? null : Number(maxAge);
}

/**
 * Returns the requested scopes that a consent page lists. These are the scopes that were missing when the request was
 * received: with the current consent, the citizen could allow a scope that was withdrawn after the page had been
 * displayed without it. `openid` is always among them, because the entire consent may have been withdrawn.
 */
function promptedScopes(
  { prompt: { reasons, details } }: Interaction,
  requested: readonly string[],
): readonly string[] {
  if (reasons.some((reason) => !reason.endsWith('_missing'))) return requested;
  const { missingOIDCScope = [], missingOIDCClaims = [], missingResourceScopes = {} } = details as MissingDetails;
  const scopes = new Set(['openid', ...missingOIDCScope, ...Object.values(missingResourceScopes).flat()]);
  const claims = new Set(missingOIDCClaims);
  return requested.filter((name) => scopes.has(name) || listClaims([name]).some((claim) => claims.has(claim)));
}

/** Details of oidc-provider's checks whose reasons end with `_missing`. */
interface MissingDetails {
  readonly missingOIDCScope?: readonly string[];
  readonly missingOIDCClaims?: readonly string[];
  readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Creates the functions that read and complete interactions of oidc-provider, which binds each one to the browser that
 * started it.
 */
export function createInteractions(current: () => Provider, store: Store): Interactions {
  const load = (uid: string): Promise<Interaction | undefined> => current().Interaction.find(uid);
  const describe = async (interaction: Interaction): Promise<PendingRequest | null> => {
    const client = await current().Client.find(String(interaction.params['client_id']));
    return client === undefined
      ? null
      : {
          clientId: client.clientId,
          clientName: client.clientName ?? client.clientId,
          requiredNid: findRequiredNid(readAcrRequest(interaction.params)) ?? 0,
          maxAgeS: resolveMaxAge(interaction.params),
          next: new URL(interaction.returnTo).pathname,
          legacy: isLegacyClient(client),
        };
  };
  return {
    async find(processState) {
      const interaction = await load(processState);
      return interaction ? describe(interaction) : null;
    },
    async findConsent(processState, sessionId) {
      const interaction = await load(processState);
      if (interaction?.prompt.name !== 'consent' || interaction.session === undefined) return null;
      const asked = await store.db
        .selectFrom('broker_sessions')
        .select('id')
        .where('id', '=', sessionId)
        .where('oidc_uid', '=', interaction.session.uid)
        .executeTakeFirst();
      const request = asked && (await describe(interaction));
      const client = request && (await current().Client.find(request.clientId));
      if (!client) return null;
      const { scope, claims } = interaction.params;
      const requested = selectRequestedScopes(scope, claims, listRegisteredScopes(client));
      return { ...request, scopes: promptedScopes(interaction, requested) };
    },
    async allow(processState) {
      const interaction = await load(processState);
      if (!interaction) return;
      interaction.result = { ...interaction.lastSubmission, consent: {} };
      await interaction.persist();
    },
    async refuse(processState) {
      const interaction = await load(processState);
      if (!interaction) return null;
      interaction.result = { error: 'access_denied', error_description: 'the citizen refused' };
      await interaction.persist();
      return describe(interaction);
    },
  };
}
