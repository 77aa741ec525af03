import type { Insertable } from 'kysely';
import { checkDigit } from '../../plugins/document-number/check-digit.ts';
import { after } from '../../src/server/platform/base/clock.ts';
import { dayS, hourS } from '../../src/server/platform/base/periods.ts';
import type { Database } from '../../src/server/platform/database/schema.ts';
import type { Vault } from '../../src/server/platform/keys/vault.ts';
import type { CopyRow } from './copy-rows.ts';
import { Draw } from './draw.ts';

/** What the rows of a country are made of. */
export interface Country {
  readonly citizens: number;
  readonly seed: number;
  /** The moment at which the country stands. */
  readonly now: Date;
  /** One digest for every account: a hash of one's own costs 20 ms. */
  readonly passwordHash: string;
  readonly vault: Pick<Vault, 'seal'>;
}

/** Applications that citizens have given consents to. */
export const applications = 10;

/** Sessions and calls of a citizen. */
export const [sessionsEach, callsEach] = [5, 0.05];

/** The rows of a table: how many, and each by its number from 0. */
export interface Filled {
  readonly table: keyof Database;
  readonly count: number;
  readonly row: (index: number) => CopyRow;
}

/** A citizen by its number: four of five have the country's own card, one of fifty is a record of a foreign provider. */
export function citizenOf({ seed }: Pick<Country, 'seed'>, index: number) {
  const isForeign = index % 50 === 49;
  const isNational = !isForeign && index % 5 !== 0;
  return {
    id: new Draw(seed, 'citizen').uuid(index),
    document: isNational
      ? { country: 'uy', type: 'ci', number: nationalNumber(index) }
      : { country: isForeign ? 'br' : 'ar', type: 'psp', number: `P${index}` },
    email: `c${index}@example.com`,
    isForeign,
  };
}

/** Of a Uruguayan identity card: seven digits and one that checks them. */
export function nationalNumber(index: number): string {
  const digits = String(1_000_000 + index);
  return `${digits}${checkDigit(digits)}`;
}

/** Names of everybody, and where they are. */
export const everybody = { first_name: 'Ana', second_name: '', first_surname: 'Pereira', second_surname: 'Sosa' };
export const addressOf = (index: number): string => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;

/** Part of a count, but a thousand where there are as many: rows that one look at the table would show are no large table. */
export function part(count: number, of: number): number {
  return Math.min(count, Math.max(1_000, Math.round(count * of)));
}

/** What all tables are filled with. */
export type Fillers = ReturnType<typeof fillersOf>;

/** The means by which rows of a country are made. */
export function fillersOf(country: Country) {
  const { citizens, seed, now } = country;
  const draw = (kind: string): Draw => new Draw(seed, kind);
  const ago = (seconds: number): Date => after(now, -Math.round(seconds));
  return {
    ...country,
    draw,
    ago,
    citizen: (index: number) => citizenOf(country, index % citizens),
    table<Name extends keyof Database>(
      table: Name,
      count: number,
      row: (index: number, own: Draw) => Insertable<Database[Name]>,
    ): Filled {
      const own = draw(table);
      return { table, count, row: (index) => row(index, own) as CopyRow }; // dates are objects, and nothing else is
    },
    /** A time within so many seconds. */
    within: (own: Draw, index: number, seconds: number): Date => ago(own.share(index) * seconds),
    /** A time of a row that goes `kept` seconds after it; one of a thousand is due. */
    aged: (own: Draw, index: number, kept: number): Date =>
      ago(index % 1000 === 0 ? kept + hourS / 2 : own.share(index) * kept),
    /** The end of a row that goes with it; one of a thousand has come. */
    ending: (own: Draw, index: number, life: number): Date =>
      after(now, index % 1000 === 0 ? -60 : 60 + Math.round(own.share(index) * life)),
  };
}

/** Seconds of a year. */
export const yearS = 365 * dayS;
