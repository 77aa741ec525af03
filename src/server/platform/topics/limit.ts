/** `free` tries within `windowS` seconds of the first one come without delay. */
export interface Allowance {
  readonly free: number;
  readonly windowS: number;
}

/**
 * How many tries of one purpose come without delay, by what is counted: an address, a document, an e-mail. A document is counted as typed, so that it
 * costs the same whether an account has it or not; an address stands for many citizens behind one router.
 */
export interface Limit<Kind extends string = string> {
  readonly name: string;
  readonly kinds: Readonly<Record<Kind, Allowance>>;
}

type LimitsOf<Own> = { readonly [Name in keyof Own]: Limit<keyof Own[Name] & string> };

/** The limits of a module, each with its name. */
export function nameLimits<const Own extends Readonly<Record<string, Readonly<Record<string, Allowance>>>>>(
  own: Own,
): LimitsOf<Own> {
  return Object.fromEntries(Object.entries(own).map(([name, kinds]) => [name, { name, kinds }])) as LimitsOf<Own>; // the same keys
}
