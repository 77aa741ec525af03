import { decodeJwt } from 'jose';
import { errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import type { SubjectFor } from './account.ts';
import { findLoginTime } from './session-link.ts';
import { acrRequest, parseAcr, readAcrClaim, requiredNid } from '../../identity/levels.ts';

const { Check, Prompt, base } = interactionPolicy;

/** Reason for an interaction: an agent must check the citizen's identity. Until then the account cannot sign in to applications. */
export const proofingReason = 'proofing';

/** Reason for an interaction: the account is about to be closed. Until the citizen decides to keep it, it cannot sign in to applications. */
export const closingReason = 'closing';

const subjectChecks = ['id_token_hint', 'claims_id_token_sub_value'];

/** Interaction policy. Replaces six login checks of oidc-provider, because our sign-in creates a broker session and no interaction result. */
export function interactionChecks(subjectFor: SubjectFor): interactionPolicy.DefaultPolicy {
  const policy = base();
  const login = policy.get('login');
  for (const reason of ['login_prompt', 'max_age', 'essential_acr', 'essential_acrs', ...subjectChecks])
    login?.checks.remove(reason);
  login?.checks.add(
    new Check('other_subject', 'another citizen is requested', 'login_required', (ctx) =>
      needsOtherCitizen(ctx, subjectFor),
    ),
  );
  login?.checks.add(new Check('stale', 'a new sign-in is required', 'login_required', needsNewSignIn));
  login?.checks.add(
    new Check('acr_too_low', 'a higher level is required', 'unmet_authentication_requirements', needsHigherLevel),
  );
  login?.checks.add(
    new Check(
      closingReason,
      'the account is to be closed',
      'login_required',
      ({ oidc }) => oidc.account?.['closing'] === true,
    ),
  );
  login?.checks.add(
    new Check(
      proofingReason,
      'the identity of the citizen is to be checked',
      'login_required',
      ({ oidc }) => oidc.account?.['proofing'] === true,
    ),
  );
  policy
    .get('consent')
    ?.checks.add(
      new Check(
        'public_client',
        'a client without authentication asks each time',
        'interaction_required',
        asksEachTime,
      ),
    );
  const selectAccount = new Prompt({ name: 'select_account', requestable: true });
  selectAccount.checks.remove('select_account_prompt'); // `stale` of the login prompt checks it
  policy.add(selectAccount);
  return policy;
}

/** Another application could pass for a client that does not authenticate itself. oidc-provider treats native apps alike (RFC 8252, section 8.6). */
function asksEachTime({ oidc }: KoaContextWithOIDC): boolean {
  const { client, result } = oidc;
  return client?.clientAuthMethod === 'none' && client['profile'] !== 'specification' && result?.consent === undefined;
}

/** Whether a request demands a new sign-in. A browser has one session, so selecting another account is signing in again. */
export function demandsSignIn(prompts: ReadonlySet<string>): boolean {
  return prompts.has('login') || prompts.has('select_account');
}

function needsNewSignIn(ctx: KoaContextWithOIDC): boolean {
  const { oidc } = ctx;
  const maxAge = oidc.params?.['max_age'];
  const { known, skewS } = findLoginTime(ctx);
  const isOld = maxAge !== undefined && (!known || oidc.session?.past(Number(maxAge) + skewS) === true);
  if (!demandsSignIn(oidc.prompts) && !isOld) return false;
  return !happenedSince(ctx, 'signedIn', known ? (oidc.session?.loginTs ?? 0) + skewS : 0);
}

/**
 * Compares the citizen's subject for this client with `id_token_hint` and the claim `sub`. oidc-provider compares the hint only before the sign-in. If another citizen signs in
 * than is requested, the application gets an error (OpenID Connect Core, sections 3.1.2.1 and 5.5.1).
 */
function needsOtherCitizen(ctx: KoaContextWithOIDC, subjectFor: SubjectFor): boolean {
  const { oidc } = ctx;
  const account = oidc.session?.accountId;
  const hint = oidc.params?.['id_token_hint'];
  const requested = [
    oidc.claims.id_token?.['sub']?.value,
    typeof hint === 'string' ? decodeJwt(hint).sub : undefined, // validated when the request arrived
  ];
  if (account === undefined || !oidc.client) return false;
  const subject = subjectFor(oidc.client, account);
  if (requested.every((sub) => sub === undefined || sub === subject)) return false;
  if (happenedSince(ctx, 'begun', findLoginTime(ctx).beganTs))
    throw new errors.LoginRequired('another citizen signed in');
  return true;
}

/** If a new sign-in does not reach the required level either, the application gets an error. */
function needsHigherLevel(ctx: KoaContextWithOIDC): boolean {
  const { oidc } = ctx;
  if (oidc.session?.accountId === undefined) return false;
  const required = requiredNid(acrRequest(oidc.params ?? {}));
  if (required !== null && (parseAcr(oidc.session.acr) ?? 0) >= required) return false;
  if (required === null || happenedSince(ctx, 'begun', findLoginTime(ctx).beganTs))
    throw new errors.UnmetAuthenticationRequirements('the level cannot be reached');
  return true;
}

/** Rejects a request for an `acr` claim in a form that OpenID Connect does not define. */
export function assertAcrClaim(claims: { readonly id_token?: { readonly acr?: unknown } | undefined }): void {
  if (readAcrClaim(claims.id_token?.acr) === null)
    throw new errors.InvalidRequest('claims.id_token.acr should be null or an object of essential, value, values');
}

/**
 * Whether the session began, or its citizen signed in (perhaps earlier, at an identity provider), after the request began. `time` is in seconds since
 * the epoch. The interaction stores the account of the result for the next prompt of the same request, such as the consent.
 */
function happenedSince({ oidc }: KoaContextWithOIDC, what: 'signedIn' | 'begun', time: number): boolean {
  const interaction = oidc.entities.Interaction;
  if (!interaction) return false;
  const account = oidc.session?.accountId;
  const before = account !== undefined && interaction.lastSubmission?.[what] === account;
  const since = before || time >= interaction.iat;
  if (since) Object.assign(oidc, { result: { ...oidc.result, [what]: account } }); // only the types make it read-only
  return since;
}
