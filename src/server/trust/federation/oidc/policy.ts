import type { interactionPolicy, KoaContextWithOIDC } from 'oidc-provider';
import { library } from './library.ts';
import { loginTimeOf } from './session-link.ts';
import { nidOf, readAcrClaim, requiredNid } from '../../identity/levels.ts';

const { Check, base } = library.interactionPolicy;

/** Why a request waits for an agent who checks the citizen's identity: meanwhile the account signs in to no application. */
export const proofingReason = 'proofing';

/** Why a citizen is asked first whether to keep an account that is to be closed: meanwhile it signs in to no application. */
export const closingReason = 'closing';

/**
 * When a request needs the citizen: the provider's own prompts, with four of the login checks in our words, since our
 * sign-in leaves a broker session and no result of an interaction.
 */
export function interactionChecks(): interactionPolicy.DefaultPolicy {
  const policy = base();
  const login = policy.get('login');
  for (const reason of ['login_prompt', 'max_age', 'essential_acr', 'essential_acrs']) login?.checks.remove(reason);
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
  return policy;
}

function needsNewSignIn(ctx: KoaContextWithOIDC): boolean {
  const { oidc } = ctx;
  const maxAge = oidc.params?.['max_age'];
  const { known, skewS } = loginTimeOf(ctx);
  const isOld = maxAge !== undefined && (!known || oidc.session?.past(Number(maxAge) + skewS) === true);
  if (!oidc.prompts.has('login') && !isOld) return false;
  return !happenedSince(ctx, 'signedIn', known ? (oidc.session?.loginTs ?? 0) + skewS : 0);
}

/** A level that a new sign-in did not reach either is told to the application, never passed over. */
function needsHigherLevel(ctx: KoaContextWithOIDC): boolean {
  const { oidc } = ctx;
  if (oidc.session?.accountId === undefined) return false;
  const required = requiredNid(readAcrClaim(oidc.claims.id_token?.['acr']) ?? {});
  if (required !== null && (nidOf(oidc.session.acr) ?? 0) >= required) return false;
  if (required === null || happenedSince(ctx, 'begun', loginTimeOf(ctx).beganTs))
    throw new library.errors.UnmetAuthenticationRequirements('the level cannot be reached');
  return true;
}

/** Refuses a request for a level that is written in no way that OpenID Connect knows. */
export function assertAcrClaim(claims: { readonly id_token?: { readonly acr?: unknown } | undefined }): void {
  if (readAcrClaim(claims.id_token?.acr) === null)
    throw new library.errors.InvalidRequest(
      'claims.id_token.acr should be null or an object of essential, value, values',
    );
}

/**
 * Whether something of the session, at `time` in seconds of the epoch, happened after the request began: that it began, or that its citizen
 * signed in, which may have been before that at an identity provider. It is remembered in the result, which the next prompt of the same request
 * (the consent) carries on.
 */
function happenedSince({ oidc }: KoaContextWithOIDC, what: 'signedIn' | 'begun', time: number): boolean {
  const interaction = oidc.entities.Interaction;
  if (!interaction) return false;
  const before = interaction.lastSubmission?.[what] === true;
  const since = before || time >= interaction.iat;
  if (since) Object.assign(oidc, { result: { ...oidc.result, [what]: true } }); // read-only in the types alone
  return since;
}
