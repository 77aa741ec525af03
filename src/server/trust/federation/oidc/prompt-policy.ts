import { decodeJwt } from 'jose';
import { errors, interactionPolicy, type ClaimsParameter, type KoaContextWithOIDC } from 'oidc-provider';
import { isObject } from '../../../../engine/core/json.ts';
import {
  readAcrRequest,
  parseAcr,
  parseAcrRequest,
  findRequiredSessionLevel,
} from '../../identity/assurance-levels.ts';
import type { ComputeSubjectIdentifier } from './account-claims.ts';
import { findLoginTime } from './link-oidc-sessions.ts';

const { Check, Prompt, base } = interactionPolicy;

/** Reason for an interaction: an agent must check the citizen's identity before the account can sign in to applications. */
export const proofingPromptReason = 'proofing';

/** Reason for an interaction: the account is about to be closed. The account cannot sign in to applications until the citizen cancels the closure. */
export const closingPromptReason = 'closing';

const errorDescriptions: Readonly<Record<string, string>> = {
  other_subject: 'another citizen is requested',
  stale: 'a new sign-in is required',
  acr_too_low: 'a higher level is required',
  [closingPromptReason]: 'the account is to be closed',
  [proofingPromptReason]: 'the identity of the citizen is to be checked',
  public_client: 'a client without authentication asks each time',
};

/** Replaces six login checks of oidc-provider, because the sign-in creates a broker session instead of an interaction result. */
export function createPromptPolicy(subjectFor: ComputeSubjectIdentifier): interactionPolicy.DefaultPolicy {
  const policy = base();
  const add = (
    prompt: string,
    reason: string,
    error: string,
    isDue: (ctx: KoaContextWithOIDC) => boolean | Promise<boolean>,
  ): void => policy.get(prompt)?.checks.add(new Check(reason, errorDescriptions[reason] ?? '', error, isDue));
  const replaced = [
    'login_prompt',
    'max_age',
    'essential_acr',
    'essential_acrs',
    'id_token_hint',
    'claims_id_token_sub_value',
  ];
  for (const reason of replaced) policy.get('login')?.checks.remove(reason);
  add('login', 'other_subject', 'login_required', (ctx) => needsOtherCitizen(ctx, subjectFor));
  add('login', 'stale', 'login_required', needsNewSignIn);
  add('login', 'acr_too_low', 'unmet_authentication_requirements', needsHigherLevel);
  add('login', closingPromptReason, 'login_required', ({ oidc }) => oidc.account?.['closing'] === true);
  add('login', proofingPromptReason, 'login_required', ({ oidc }) => oidc.account?.['proofing'] === true);
  add('consent', 'public_client', 'interaction_required', requiresConsentEachTime);
  const selectAccount = new Prompt({ name: 'select_account', requestable: true });
  selectAccount.checks.remove('select_account_prompt'); // the reason `stale` of the login prompt covers this check
  policy.add(selectAccount);
  return policy;
}

/**
 * Whether the citizen must consent to each request, because another application could impersonate a public client. oidc-provider does the same for
 * native apps (RFC 8252, section 8.6).
 */
function requiresConsentEachTime({ oidc }: KoaContextWithOIDC): boolean {
  const { client, result } = oidc;
  return client?.clientAuthMethod === 'none' && client['profile'] !== 'specification' && result?.consent === undefined;
}

/** Whether a request demands a new sign-in. A browser has only one session, so selecting another account requires a new sign-in too. */
export function requiresNewSignIn(prompts: ReadonlySet<string>): boolean {
  return prompts.has('login') || prompts.has('select_account');
}

function needsNewSignIn(ctx: KoaContextWithOIDC): boolean {
  const { oidc } = ctx;
  const maxAge = oidc.params?.['max_age'];
  const { isSignInTimeKnown, skewS } = findLoginTime(ctx);
  const isOld = maxAge !== undefined && (!isSignInTimeKnown || oidc.session?.past(Number(maxAge) + skewS) === true);
  if (!requiresNewSignIn(oidc.prompts) && !isOld) return false;
  return !hasHappenedSince(ctx, 'signedIn', isSignInTimeKnown ? (oidc.session?.loginTs ?? 0) + skewS : 0);
}

/**
 * Compares the citizen's subject for this client with `id_token_hint` and the claim `sub`, because oidc-provider compares the hint only before the
 * sign-in. If another citizen signed in, the application gets an error (OpenID Connect Core, sections 3.1.2.1 and 5.5.1).
 */
async function needsOtherCitizen(ctx: KoaContextWithOIDC, subjectFor: ComputeSubjectIdentifier): Promise<boolean> {
  const { oidc } = ctx;
  const account = oidc.session?.accountId;
  const hint = oidc.params?.['id_token_hint'];
  const requested = [
    oidc.claims.id_token?.['sub']?.value,
    typeof hint === 'string' ? decodeJwt(hint).sub : undefined, // the hint was validated when the request was received
  ];
  if (account === undefined || !oidc.client) return false;
  if (requested.every((sub) => sub === undefined)) return false;
  const subject = await subjectFor(oidc.client, account);
  if (requested.every((sub) => sub === undefined || sub === subject)) return false;
  if (hasHappenedSince(ctx, 'begun', findLoginTime(ctx).beganTs))
    throw new errors.LoginRequired('another citizen signed in');
  return true;
}

/** Whether the session is below the required level. If the session is still below it after a new sign-in, the application gets an error. */
function needsHigherLevel(ctx: KoaContextWithOIDC): boolean {
  const { oidc } = ctx;
  if (oidc.session?.accountId === undefined) return false;
  const required = findRequiredSessionLevel(readAcrRequest(oidc.params ?? {}));
  if (required !== null && (parseAcr(oidc.session.acr) ?? 0) >= required) return false;
  if (required === null || hasHappenedSince(ctx, 'begun', findLoginTime(ctx).beganTs))
    throw new errors.UnmetAuthenticationRequirements('the level cannot be reached');
  return true;
}

/**
 * Whether `time`, in seconds since the epoch, is after the start of the request. It is the start of the session (`begun`) or the time of the sign-in
 * (`signedIn`), which is earlier if an identity provider reports it. Stores a positive result for the account in the interaction, because later
 * prompts of the request, such as the consent, check again.
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

/** Throws for nested claim requests, because oidc-provider merges requests recursively and could exhaust the stack (OIDC Core, section 5.5.1). */
export function assertFlatClaimRequests({ id_token = {}, userinfo = {} }: ClaimsParameter): void {
  for (const request of [...Object.values(id_token), ...Object.values(userinfo)] as unknown[])
    if (
      request !== null &&
      !(
        isObject(request) &&
        Object.values(request)
          .flat()
          .every((value) => typeof value !== 'object' || value === null)
      )
    )
      throw new errors.InvalidRequest('members of claims should be null or objects without nested values');
  if (parseAcrRequest('acr' in id_token ? id_token.acr : undefined) === null)
    throw new errors.InvalidRequest('claims.id_token.acr should be null or an object of essential, value, values');
}
