import { secondFactorNid } from './levels.ts';
import { challengeNames, walletMethod } from './names.ts';

/** The highest level that a session reaches by each method; a code by e-mail never reaches 3. */
const reach: Readonly<Record<string, number>> = {
  [challengeNames.password]: 1,
  [challengeNames.recoveryCode]: 2,
  [challengeNames.backupCode]: 2,
  [challengeNames.totp]: 3,
  [challengeNames.passkey]: 3, // after the password, or alone with its own PIN or fingerprint: two factors either way
  [challengeNames.card]: 3,
  [walletMethod(1)]: 1,
  [walletMethod(2)]: 2,
  [walletMethod(3)]: 3,
};

const byProvider = 'urn:iduruguay:am:idp:ae:';

/** The method of a sign-in through an identity provider that vouches for a level. */
export function providerMethod(nid: number): string {
  return `${byProvider}${nid}`;
}

/** The level that a method vouches for by itself, since what it proves is who somebody is. */
const vouched: Readonly<Record<string, number>> = {
  [challengeNames.card]: 3,
  [walletMethod(1)]: 1,
  [walletMethod(2)]: 2,
  [walletMethod(3)]: 3,
};

/**
 * The level of a session, 0 to 3: that of the registration, but no more than the methods used in this very session reach. A method that proves the identity
 * itself, as the card does, reaches its level whatever the registration was.
 */
export function sessionLevel(registration: number, amr: readonly string[]): number {
  return Math.max(vouchedLevel(amr), Math.min(registration, methodsReach(amr)));
}

/** Wire names of what a sign-in may lack. */
export const shortfalls = {
  both: 'needs_both',
  factor: 'needs_second_factor',
  identity: 'needs_identity_validation',
} as const;

/** Wire name of what a sign-in lacks for the level that an application asks; null when nothing. */
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

/** The level that a provider vouches for in a session; null: it was begun without one. */
export function providerReach(amr: readonly string[]): number | null {
  const levels = amr.map(providerLevel).filter((level) => level !== null);
  return levels.length === 0 ? null : Math.max(...levels);
}

/** Whether a session rests on the word of somebody else: a provider's, or that of a wallet's issuer for one factor. */
export function isVouchedFor(amr: readonly string[]): boolean {
  return providerReach(amr) !== null || amr.includes(walletMethod(1));
}

function methodsReach(amr: readonly string[]): number {
  return Math.max(0, ...amr.map((method) => providerLevel(method) ?? reach[method] ?? 0));
}

/** Second factors that somebody who reads the citizen's mail does not hold with it. */
const independent: readonly string[] = [
  challengeNames.totp,
  challengeNames.passkey,
  challengeNames.backupCode,
  challengeNames.card,
  walletMethod(2),
  walletMethod(3),
];

/** Whether a second factor other than the citizen's mailbox was proven. A provider's word counts from level 2 on. */
export function hasIndependentFactor(amr: readonly string[]): boolean {
  return amr.some((method) => independent.includes(method) || (providerLevel(method) ?? 0) >= secondFactorNid);
}

/** Methods that are two factors by themselves. */
const twoAlone: readonly string[] = [challengeNames.passkey, walletMethod(2), walletMethod(3)];

/** Strength of an authentication, 0 to 3: one factor, two (a passkey alone is two, and so is a wallet from level 2 on), or the card's key; a provider's is what it vouches for. */
export function strengthOf(amr: readonly string[]): number {
  const methods = amr.filter((name) => name.startsWith('urn:iduruguay:am:'));
  if (methods.includes(challengeNames.card)) return 3;
  const own = methods.filter((name) => providerLevel(name) === null);
  if (own.length < methods.length)
    return Math.max(...methods.map((name) => providerLevel(name) ?? 0), own.length > 0 ? strengthOf(own) : 0);
  return methods.length > 1 || methods.some((name) => twoAlone.includes(name)) ? 2 : 1;
}

function providerLevel(method: string): number | null {
  return method.startsWith(byProvider) ? Number(method.slice(byProvider.length)) : null;
}
