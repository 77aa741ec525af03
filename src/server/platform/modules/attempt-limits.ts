import { secondsPerDay, secondsPerHour } from '../base/fixed-periods.ts';

/** Number of attempts without delay, within `windowS` seconds of the first. */
export interface AttemptAllowance {
  readonly free: number;
  readonly windowS: number;
}

export function allowAttemptsPerHour(free: number): AttemptAllowance {
  return { free, windowS: secondsPerHour };
}

export function allowAttemptsPerDay(free: number): AttemptAllowance {
  return { free, windowS: secondsPerDay };
}

/**
 * Allowances by the kind of the counted value: an IP address, a document, an e-mail address. A document is counted as typed, so that the limit does not
 * reveal whether it has an account. Limits per IP address are higher, because many citizens behind one router may share an address.
 */
export interface AttemptLimit<Kind extends string = string> {
  readonly name: string;
  readonly kinds: Readonly<Record<Kind, AttemptAllowance>>;
}

type LimitsOf<Own> = { readonly [Name in keyof Own]: AttemptLimit<keyof Own[Name] & string> };

export function defineAttemptLimits<
  const Own extends Readonly<Record<string, Readonly<Record<string, AttemptAllowance>>>>,
>(own: Own): LimitsOf<Own> {
  return Object.fromEntries(Object.entries(own).map(([name, kinds]) => [name, { name, kinds }])) as LimitsOf<Own>; // the cast is needed because `Object.fromEntries` loses the key type
}
