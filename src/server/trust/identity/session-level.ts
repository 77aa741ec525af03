import { minSecondFactorLevel } from './assurance-levels.ts';
import { challengeNames, getWalletAmr } from './challenge-names.ts';

interface MethodStrength {
  /** Highest session level that a sign-in with this method can reach, 0 to 3. */
  readonly maxLevel: number;
  /** Assurance level of the identity that the method itself proves. */
  readonly assertedLevel?: number;
  /** Whether the method is a second factor that access to the citizen's mailbox does not compromise. */
  readonly independent?: boolean;
  readonly countsAsTwoFactors?: boolean;
}

const methodStrengths: Readonly<Record<string, MethodStrength>> = {
  [challengeNames.password]: { maxLevel: 1 },
  [challengeNames.mailedCode]: { maxLevel: 2 },
  [challengeNames.recoveryCode]: { maxLevel: 2, independent: true },
  [challengeNames.totp]: { maxLevel: 3, independent: true },
  [challengeNames.passkey]: { maxLevel: 3, independent: true, countsAsTwoFactors: true }, // also replaces the password, because the device verifies a PIN or fingerprint
  [challengeNames.card]: { maxLevel: 3, assertedLevel: 3, independent: true },
  [getWalletAmr(1)]: { maxLevel: 1, assertedLevel: 1 },
  [getWalletAmr(2)]: { maxLevel: 2, assertedLevel: 2, independent: true, countsAsTwoFactors: true },
  [getWalletAmr(3)]: { maxLevel: 3, assertedLevel: 3, independent: true, countsAsTwoFactors: true },
};

const providerMethodPrefix = 'urn:iduruguay:am:idp:ae:';

export function formatProviderAmr(nid: number): string {
  return `${providerMethodPrefix}${nid}`;
}

/** A method that proves the identity itself, such as the identity card, determines the level regardless of the registration. */
export function computeSessionLevel(registration: number, amr: readonly string[]): number {
  return Math.max(findVouchedLevel(amr), Math.min(registration, computeMethodsLevel(amr)));
}

export const levelShortfallCodes = {
  both: 'needs_both',
  factor: 'needs_second_factor',
  identity: 'needs_identity_validation',
} as const;

/** Returns what a session lacks for the required level: a second factor, a proof of identity, or both. Returns `null` if it has the level. */
export function findLevelShortfall(required: number, registration: number, amr: readonly string[]): string | null {
  const lacksFactor = computeMethodsLevel(amr) < required;
  const lacksIdentity = Math.max(registration, findVouchedLevel(amr)) < required;
  if (lacksFactor && lacksIdentity) return levelShortfallCodes.both;
  if (lacksFactor) return levelShortfallCodes.factor;
  return lacksIdentity ? levelShortfallCodes.identity : null;
}

function findVouchedLevel(amr: readonly string[]): number {
  return Math.max(0, ...amr.map((method) => methodStrengths[method]?.assertedLevel ?? 0));
}

export function findProviderAssertedLevel(amr: readonly string[]): number | null {
  const levels = amr.map(parseProviderLevel).filter((level) => level !== null);
  return levels.length === 0 ? null : Math.max(...levels);
}

/** Whether the session relies on a third party: an identity provider, or the issuer of a wallet credential that counts as one factor. */
export function reliesOnThirdParty(amr: readonly string[]): boolean {
  return findProviderAssertedLevel(amr) !== null || amr.includes(getWalletAmr(1));
}

function computeMethodsLevel(amr: readonly string[]): number {
  return Math.max(0, ...amr.map((method) => parseProviderLevel(method) ?? methodStrengths[method]?.maxLevel ?? 0));
}

/** Whether a second factor other than the mailbox was proven. A sign-in through a provider counts from level 2. */
export function hasFactorBesidesMailbox(amr: readonly string[]): boolean {
  return amr.some(
    (method) => methodStrengths[method]?.independent || (parseProviderLevel(method) ?? 0) >= minSecondFactorLevel,
  );
}

/**
 * Returns 3 for the identity card, 2 for two factors (a passkey, or a wallet of level 2 or 3, counts as two), otherwise 1. After a sign-in through a
 * provider, returns at least the level that the provider asserts.
 */
export function computeAuthenticationStrength(amr: readonly string[]): number {
  const names = amr.filter((name) => name.startsWith('urn:iduruguay:am:'));
  if (names.includes(challengeNames.card)) return 3;
  const own = names.filter((name) => parseProviderLevel(name) === null);
  if (own.length < names.length)
    return Math.max(
      ...names.map((name) => parseProviderLevel(name) ?? 0),
      own.length > 0 ? computeAuthenticationStrength(own) : 0,
    );
  return names.length > 1 || names.some((name) => methodStrengths[name]?.countsAsTwoFactors) ? 2 : 1;
}

function parseProviderLevel(method: string): number | null {
  return method.startsWith(providerMethodPrefix) ? Number(method.slice(providerMethodPrefix.length)) : null;
}
