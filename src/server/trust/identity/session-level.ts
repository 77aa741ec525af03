import { secondFactorNid } from './levels.ts';
import { challengeNames, walletMethod } from './names.ts';

/** Highest session level that each method allows. A code by e-mail never allows 3. */
const reach: Readonly<Record<string, number>> = {
  [challengeNames.password]: 1,
  [challengeNames.recoveryCode]: 2,
  [challengeNames.backupCode]: 2,
  [challengeNames.totp]: 3,
  [challengeNames.passkey]: 3, // two factors, both after the password and in its place with the PIN or fingerprint of the device
  [challengeNames.card]: 3,
  [walletMethod(1)]: 1,
  [walletMethod(2)]: 2,
  [walletMethod(3)]: 3,
};

const byProvider = 'urn:iduruguay:am:idp:ae:';

/** Returns the `amr` value of a sign-in through an identity provider that vouches for level `nid`. */
export function providerMethod(nid: number): string {
  return `${byProvider}${nid}`;
}

/** Levels of the methods that prove the identity itself. */
const vouched: Readonly<Record<string, number>> = {
  [challengeNames.card]: 3,
  [walletMethod(1)]: 1,
  [walletMethod(2)]: 2,
  [walletMethod(3)]: 3,
};

/**
 * Returns the level of a session, 0 to 3: the registration level, limited by what this session's methods allow. A method that proves the identity
 * itself, such as the identity card, gives its level regardless of the registration.
 */
export function sessionLevel(registration: number, amr: readonly string[]): number {
  return Math.max(vouchedLevel(amr), Math.min(registration, methodsReach(amr)));
}

export const shortfalls = {
  both: 'needs_both',
  factor: 'needs_second_factor',
  identity: 'needs_identity_validation',
} as const;

/** Returns the wire name of what a sign-in lacks for the level that an application requires. Returns `null` if it lacks nothing. */
export function shortfall(required: number, registration: number, amr: readonly string[]): string | null {
  const lacksFactor = methodsReach(amr) < required;
  const lacksIdentity = Math.max(registration, vouchedLevel(amr)) < required;
  if (lacksFactor && lacksIdentity) return shortfalls.both;
  if (lacksFactor) return shortfalls.factor;
  return lacksIdentity ? shortfalls.identity : null;
}

function vouchedLevel(amr: readonly string[]): number {
  return Math.max(0, ...amr.map((method) => vouched[method] ?? 0));
}

/** Returns the highest level that a provider vouches for. Returns `null` if the session did not start at a provider. */
export function providerReach(amr: readonly string[]): number | null {
  const levels = amr.map(providerLevel).filter((level) => level !== null);
  return levels.length === 0 ? null : Math.max(...levels);
}

/** Whether the session relies on a third party: an identity provider, or the issuer of a wallet credential that counts as one factor. */
export function reliesOnThirdParty(amr: readonly string[]): boolean {
  return providerReach(amr) !== null || amr.includes(walletMethod(1));
}

function methodsReach(amr: readonly string[]): number {
  return Math.max(0, ...amr.map((method) => providerLevel(method) ?? reach[method] ?? 0));
}

/** Second factors that access to the citizen's mailbox does not compromise. */
const independent: readonly string[] = [
  challengeNames.totp,
  challengeNames.passkey,
  challengeNames.backupCode,
  challengeNames.card,
  walletMethod(2),
  walletMethod(3),
];

/** Whether a second factor other than the mailbox was proven. A provider counts from level 2. */
export function hasFactorBesidesMailbox(amr: readonly string[]): boolean {
  return amr.some((method) => independent.includes(method) || (providerLevel(method) ?? 0) >= secondFactorNid);
}

/** Methods that are two factors in one. */
const twoAlone: readonly string[] = [challengeNames.passkey, walletMethod(2), walletMethod(3)];

/**
 * Returns the strength of an authentication, 0 to 3. One factor is 1. Two factors are 2, and so is a passkey or a wallet from level 2. The
 * identity card is 3. A sign-in through a provider has at least the level that the provider vouches for.
 */
export function rateStrength(amr: readonly string[]): number {
  const methods = amr.filter((name) => name.startsWith('urn:iduruguay:am:'));
  if (methods.includes(challengeNames.card)) return 3;
  const own = methods.filter((name) => providerLevel(name) === null);
  if (own.length < methods.length)
    return Math.max(...methods.map((name) => providerLevel(name) ?? 0), own.length > 0 ? rateStrength(own) : 0);
  return methods.length > 1 || methods.some((name) => twoAlone.includes(name)) ? 2 : 1;
}

function providerLevel(method: string): number | null {
  return method.startsWith(byProvider) ? Number(method.slice(byProvider.length)) : null;
}
