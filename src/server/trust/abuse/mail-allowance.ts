import { sql } from 'kysely';
import { countedAddress, siteOfAddress } from '../../platform/base/addresses.ts';
import type { Origin } from '../../platform/base/origin.ts';
import { dayS, hourS } from '../../platform/base/periods.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { hashSecret, randomSecret } from '../../platform/keys/secrets.ts';
import { mailboxOf } from './mailbox.ts';

/** A mailbox gets `burst` mails at once, and one more after each `everyS` seconds. */
interface Allowance {
  readonly burst: number;
  readonly everyS: number;
}

/**
 * Allowances of a mailbox, by what the sender of the request knows or has proven. Each is separate: a stranger who types the mailbox into forms uses up no
 * reset link, one who asks for reset links uses up no sign-in code, and nobody uses up the allowance of a browser that the citizen has signed in with before.
 * `source` is the part of `anyone` that one network or one citizen has, so that one stranger leaves the rest to the owner. `notice` is that of each kind of
 * notice: whoever causes one kind again and again silences no other one.
 */
export const mailAllowances = {
  anyone: { burst: 20, everyS: 2 * hourS },
  source: { burst: 6, everyS: 3 * hourS },
  document: { burst: 10, everyS: 2 * hourS },
  password: { burst: 10, everyS: hourS },
  browser: { burst: 10, everyS: hourS },
  notice: { burst: 5, everyS: 2 * hourS },
} as const satisfies Readonly<Record<string, Allowance>>;

/** The most mails that one allowance lets through within 24 hours. */
export function mostInADay({ burst, everyS }: Allowance): number {
  return burst + Math.floor(dayS / everyS);
}

/**
 * Who causes a mail. `anyone`: an anonymous visitor, or a citizen who has not proven that the mailbox is theirs. `document`: somebody who gave the document of
 * the account, whose proven address the mail goes to. `password`: somebody who gave the
 * password of the account. `browser`: the last two, from a browser that the mailbox's citizen has signed in with before, named by its hash.
 * `notice`: a change of the account or a sign-in, named by its kind. `trusted`: the mailbox's owner in a session or by a mailed link, an agent, or the
 * portal itself. Only trusted mails are not counted.
 */
export type MailCause =
  'anyone' | 'document' | 'password' | 'trusted' | { readonly browser: string } | { readonly notice: string };

/** Cause of a mail to the proven address of a citizen, requested from a browser that may be known. */
export function causeFrom(browser: string | null, unknown: 'document' | 'password'): MailCause {
  return browser === null ? unknown : { browser };
}

/** A mail that is to be counted. */
interface CountedMail {
  readonly email: string;
  readonly cause: MailCause;
  readonly origin: Pick<Origin, 'by' | 'address'>;
  readonly now: Date;
}

/**
 * Takes a mail to an address from the allowances of its mailbox; `false` if one is used up. It counts in the transaction that mails: replicas
 * count together, and a mail that is rolled back is not counted.
 */
export async function takeMail(tx: Tx, { email, cause, origin, now }: CountedMail): Promise<boolean> {
  // A request for an account without an address does the same work, and waits for no other.
  const mailbox = email === '' ? randomSecret() : mailboxOf(email);
  for (const [name, allowance] of countersOf(cause, origin))
    if (!(await take(tx, hashSecret(`mail ${name} ${mailbox}`), allowance, now))) return false;
  return true;
}

/** What a mail is counted under, each with its allowance. The part of a source comes first: beyond it nothing is taken from the whole. */
function countersOf(cause: MailCause, origin: CountedMail['origin']): readonly (readonly [string, Allowance])[] {
  if (cause === 'trusted') return [];
  if (cause === 'anyone') {
    const [kind, source] = sourceOf(origin);
    return [
      [`${kind} ${source}`, mailAllowances.source],
      [`anyone ${kind}`, mailAllowances.anyone],
    ];
  }
  if (typeof cause === 'string') return [[cause, mailAllowances[cause]]];
  return 'browser' in cause
    ? [[`browser ${cause.browser}`, mailAllowances.browser]]
    : [[`notice ${cause.notice}`, mailAllowances.notice]];
}

/** Signed-in citizens have a whole of their own, which nobody uses up without accounts. Of IPv6 a network is its site, since anybody can rent one. */
function sourceOf({ by, address }: CountedMail['origin']): readonly [kind: string, id: string] {
  if (typeof by === 'string') return [by, ''];
  if (by.citizenId !== null) return ['citizen', by.citizenId];
  return ['network', siteOfAddress(address) ?? countedAddress(address)];
}

async function take(tx: Tx, key: string, { burst, everyS }: Allowance, now: Date): Promise<boolean> {
  const at = sql`${now}::timestamptz`;
  const every = sql`${everyS}::int * interval '1 second'`;
  // `blocked_until` is when the allowance is full again: each mail moves it one interval on, at most to `burst` intervals from now.
  const fullAt = sql`greatest(throttle.blocked_until, ${at}) + ${every}`;
  const { rows } = await sql`
    insert into throttle (key, tries, blocked_until, since) values (${key}, 1, ${at} + ${every}, ${at})
    on conflict (key) do update set tries = throttle.tries + 1, blocked_until = ${fullAt}, since = ${at}
    where ${fullAt} <= ${at} + ${burst}::int * ${every}
    returning 1`.execute(tx);
  return rows.length > 0;
}
