import { cleanCode } from '../../../engine/core/cleaning/clean-text.ts';
import { generateSecret, generateURI, verifySync } from 'otplib';

/** Seconds of one step, and of how far an app's clock may be off on either side. */
const stepS = 30;

/** A new secret of 160 bits in base32, as authenticator apps read it. */
export function newTotpSecret(): string {
  return generateSecret();
}

/** The otpauth:// address of the QR code; `label` tells the account apart within the issuer. */
export function totpUri(options: { secret: string; issuer: string; label: string }): string {
  return generateURI(options);
}

/** What the secret of a second factor is sealed for in the vault. */
export function totpPurpose(factorId: string): string {
  return `totp ${factorId}`;
}

/** How far an app's clock may be off for the log to say so, in seconds. */
const explainedSkewS = 15 * 60;

/** The RFC 6238 step that a code of six digits belongs to, of now or its two neighbours; null for a wrong code. */
export function totpStep(secret: string, typed: string, now: Date): number | null {
  return stepWithin(secret, typed, now, stepS);
}

/** By how many seconds the clock of the app that made a wrong code is ahead. Returns `null` if no clock near ours explains the code. */
export function totpSkewS(secret: string, typed: string, now: Date): number | null {
  const step = stepWithin(secret, typed, now, explainedSkewS);
  return step === null ? null : (step - Math.floor(now.getTime() / 1000 / stepS)) * stepS;
}

function stepWithin(secret: string, typed: string, now: Date, epochTolerance: number): number | null {
  const code = cleanCode(typed);
  if (!/^\d{6}$/.test(code)) return null;
  const result = verifySync({
    strategy: 'totp',
    secret,
    token: code,
    epoch: Math.floor(now.getTime() / 1000),
    epochTolerance,
    period: stepS,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}
