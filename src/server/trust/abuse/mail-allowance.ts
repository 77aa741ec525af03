import { sql } from 'kysely';
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
 */
export const mailAllowances = {
  anyone: { burst: 10, everyS: 2 * hourS },
  document: { burst: 10, everyS: 2 * hourS },
  password: { burst: 10, everyS: hourS },
  browser: { burst: 10, everyS: hourS },
} as const satisfies Readonly<Record<string, Allowance>>;

/** The most mails that one allowance lets through within 24 hours. */
export function mostInADay({ burst, everyS }: Allowance): number {
  return burst + Math.floor(dayS / everyS);
}

/**
 * Who causes a mail. `anyone`: an anonymous visitor, or a citizen who has not proven that the mailbox is theirs. `document`: somebody who gave the document of
 * the account, whose proven address the mail goes to. `password`: somebody who gave the
 * password of the account. `browser`: the last two, from a browser that the mailbox's citizen has signed in with before, named by its hash.
 * `trusted`: the mailbox's owner in a session or by a mailed link, an agent, or the portal itself. Only trusted mails are not counted, so that
 * nobody can use up the allowance of security notices.
 */
export type MailCause = 'anyone' | 'document' | 'password' | 'trusted' | { readonly browser: string };

/** Cause of a mail to the proven address of a citizen, requested from a browser that may be known. */
export function causeFrom(browser: string | null, unknown: 'document' | 'password'): MailCause {
  return browser === null ? unknown : { browser };
}

/**
 * Takes a mail to an address from the allowance of its mailbox; `false` if that is used up. One statement in the transaction that mails: replicas
 * count together, and a mail that is rolled back is not counted.
 */
export async function takeMail(
  tx: Tx,
  { email, cause, now }: { readonly email: string; readonly cause: MailCause; readonly now: Date },
): Promise<boolean> {
  if (cause === 'trusted') return true;
  const { burst, everyS } = mailAllowances[typeof cause === 'string' ? cause : 'browser'];
  // A request for an account without an address does the same work, and waits for no other.
  const mailbox = email === '' ? randomSecret() : mailboxOf(email);
  const key = hashSecret(`mail ${typeof cause === 'string' ? cause : `browser ${cause.browser}`} ${mailbox}`);
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
