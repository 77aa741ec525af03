import { cleanCode } from '../../../engine/core/cleaning/clean-text.ts';
import { generateSecret, generateURI, verifySync } from 'otplib';

/** Length of a time step in seconds. */
const stepS = 30;

/** Creates a base32 secret of 160 bits. */
export function newTotpSecret(): string {
  return generateSecret();
}

/** Returns the `otpauth://` URI of the QR code. `label` identifies the account among those of the issuer. */
export function totpUri(options: { secret: string; issuer: string; label: string }): string {
  return generateURI(options);
}

export function totpPurpose(factorId: string): string {
  return `totp ${factorId}`;
}

/** Largest clock drift of an app, in seconds, that the log reports. */
const explainedSkewS = 15 * 60;

/**
 * Returns the RFC 6238 time step of a six-digit code: the current one or the previous one. Returns `null` if the code is wrong. The previous step leaves
 * time to type. The next one is refused, because phones keep their clocks and each further step extends the life of a code by half (ASVS 6.5.5).
 */
export function totpStep(secret: string, typed: string, now: Date): number | null {
  return stepWithin(secret, typed, now, [stepS, 0]);
}

/** Returns by how many seconds the app that made a wrong code is ahead. Returns `null` if no drift up to 15 minutes explains the code. */
export function totpSkewS(secret: string, typed: string, now: Date): number | null {
  const step = stepWithin(secret, typed, now, [explainedSkewS, explainedSkewS]);
  return step === null ? null : (step - Math.floor(now.getTime() / 1000 / stepS)) * stepS;
}

function stepWithin(
  secret: string,
  typed: string,
  now: Date,
  epochTolerance: [past: number, future: number],
): number | null {
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
