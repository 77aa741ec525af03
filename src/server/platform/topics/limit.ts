import { dayS, hourS } from '../base/periods.ts';

/** Number of attempts without delay (`free`), within `windowS` seconds of the first. */
export interface Allowance {
  readonly free: number;
  readonly windowS: number;
}

export function allowPerHour(free: number): Allowance {
  return { free, windowS: hourS };
}

export function allowPerDay(free: number): Allowance {
  return { free, windowS: dayS };
}

/**
 * Limit of attempts for one purpose, by the kind of the counted value: an IP address, a document, an e-mail address. A document is counted as typed,
 * so that the limit does not reveal whether it has an account. Limits per IP address are higher, because many citizens behind one router may share an
 * address.
 */
export interface Limit<Kind extends string = string> {
  readonly name: string;
  readonly kinds: Readonly<Record<Kind, Allowance>>;
}

type LimitsOf<Own> = { readonly [Name in keyof Own]: Limit<keyof Own[Name] & string> };

export function nameLimits<const Own extends Readonly<Record<string, Readonly<Record<string, Allowance>>>>>(
  own: Own,
): LimitsOf<Own> {
  return Object.fromEntries(Object.entries(own).map(([name, kinds]) => [name, { name, kinds }])) as LimitsOf<Own>; // the cast is needed because `Object.fromEntries` loses the key type
}
