import { challengeNames } from './names.ts';

/** The highest level that a session reaches by each method; a code by e-mail never reaches 3. */
const reach: Readonly<Record<string, number>> = {
  [challengeNames.password]: 1,
  [challengeNames.recoveryCode]: 2,
  [challengeNames.totp]: 3,
  [challengeNames.passkey]: 3, // after the password, or alone with its own PIN or fingerprint: two factors either way
};

/** The level of a session, 0 to 3: that of the registration, but no more than the methods used in this very session reach. */
export function sessionLevel(registration: number, amr: readonly string[]): number {
  return Math.min(registration, methodsReach(amr));
}

/** Wire name of what a sign-in lacks for the level that an application asks; null when nothing. */
export function shortfall(required: number, registration: number, amr: readonly string[]): string | null {
  const lacksFactor = methodsReach(amr) < required;
  const lacksIdentity = registration < required;
  if (lacksFactor && lacksIdentity) return 'needs_both';
  if (lacksFactor) return 'needs_second_factor';
  return lacksIdentity ? 'needs_identity_validation' : null;
}

function methodsReach(amr: readonly string[]): number {
  return Math.max(0, ...amr.map((method) => reach[method] ?? 0));
}

/** Strength of an authentication, 1 to 3: one factor, two (a passkey alone is two), or the card's key. */
export function strengthOf(amr: readonly string[]): number {
  const methods = amr.filter((name) => name.startsWith('urn:iduruguay:am:'));
  if (methods.includes('urn:iduruguay:am:ci')) return 3;
  return methods.length > 1 || methods.includes(challengeNames.passkey) ? 2 : 1;
}
