import { sql, type RawBuilder } from 'kysely';
import { toIpRateLimitKey, findIpv6SiteNetwork } from '../../platform/base/ip-addresses.ts';
import type { ChangeOrigin } from '../../platform/base/change-origin.ts';
import { secondsPerHour } from '../../platform/base/fixed-periods.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { hashSecret, generateSecret } from '../../platform/keys/random-secrets.ts';
import { normalizeEmail } from '../../platform/base/normalize-input.ts';

/** Addresses that differ only in `+tag` or dots count as one mailbox. Use it only for counting and comparing, never to find an account or to send mail. */
export function normalizeMailbox(email: string): string {
  const written = normalizeEmail(email);
  const at = written.lastIndexOf('@');
  if (at === -1) return written;
  return written.slice(0, at).replace(tagPattern, '$1').replaceAll('.', '') + written.slice(at);
}

/** SQL equivalent of `normalizeMailbox` for validated addresses, with the expression of the index `contact_messages_mailbox`. */
export function buildNormalizedMailboxSql(column: 'email'): RawBuilder<string> {
  const [local, domain] = [1, 2].map((part) => `split_part(lower(${column}), '@', ${part})`);
  return sql.raw(`(replace(regexp_replace(${local}, '(.)[+].*$', '\\1'), '.', '') || '@' || ${domain})`);
}

/** Does not match a leading plus: otherwise all addresses that begin with a plus would count as one mailbox. */
const tagPattern = /(.)\+.*$/s;

/** Allowance of a mailbox: `burst` mails at once, and another one after each `everyS` seconds. */
interface MailAllowance {
  readonly burst: number;
  readonly everyS: number;
}

/**
 * Mail allowances of a mailbox, by the requester's knowledge or proof. The allowances are independent of each other. A stranger who types the mailbox
 * into forms does not use up its reset links. A stranger who requests reset links does not use up its sign-in codes. Nobody else can use up the
 * allowance of a browser in which the citizen has signed in. `source` is the share of `anyone` that one network or one citizen has, so a single
 * stranger cannot block the owner. `notice` applies to each kind of notice separately, so that causing one kind repeatedly does not silence the
 * others.
 */
export const mailAllowances = {
  anyone: { burst: 20, everyS: 2 * secondsPerHour },
  source: { burst: 6, everyS: 3 * secondsPerHour },
  document: { burst: 10, everyS: 2 * secondsPerHour },
  password: { burst: 10, everyS: secondsPerHour },
  browser: { burst: 10, everyS: secondsPerHour },
  notice: { burst: 5, everyS: 2 * secondsPerHour },
} as const satisfies Readonly<Record<string, MailAllowance>>;

/**
 * Cause of a mail. Only `trusted` mails are not counted.
 * - `anyone`: an anonymous visitor, or a citizen who has not proven that they own the mailbox.
 * - `document`: somebody who entered the document of the account. The mail is sent to its proven address.
 * - `password`: somebody who entered the password of the account.
 * - `browser`: somebody who entered the document or the password in a browser that the citizen has signed in with
 * before. The value is the browser's hash.
 * - `notice`: a change of the account or a sign-in. The value is the kind of the notice.
 * - `trusted`: the owner of the mailbox (in a session or through a mailed link), an agent, or the portal itself.
 */
export type MailCause =
  'anyone' | 'document' | 'password' | 'trusted' | { readonly browser: string } | { readonly notice: string };

/** Returns the cause `browser` with the hash of a known browser. If `browser` is `null`, returns `unknown`. */
export function resolveMailCause(browser: string | null, unknown: 'document' | 'password'): MailCause {
  return browser === null ? unknown : { browser };
}

type MailOrigin = Pick<ChangeOrigin, 'by' | 'address'>;

/**
 * Counts a mail, and returns `false` if an allowance is used up. Replicas share the count. A mail does not count if the transaction that sends it is
 * rolled back.
 */
export async function consumeMailAllowance(
  tx: Tx,
  { email, cause, origin, now }: { email: string; cause: MailCause; origin: MailOrigin; now: Date },
): Promise<boolean> {
  // Without an address, counts under a random mailbox. The work is the same as with an address, and parallel requests do not wait for one shared row.
  const mailbox = email === '' ? generateSecret() : normalizeMailbox(email);
  for (const [name, allowance] of listCounters(cause, origin))
    if (!(await consumeAllowance(tx, hashSecret(`mail ${name} ${mailbox}`), allowance, now))) return false;
  return true;
}

/**
 * Lists the counters of a mail. The counter of its source is first, so that a source whose share is used up does not change the counter of all
 * sources.
 */
function listCounters(cause: MailCause, origin: MailOrigin): readonly (readonly [string, MailAllowance])[] {
  if (cause === 'trusted') return [];
  if (cause === 'anyone') {
    const [kind, source] = identifySource(origin);
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

/**
 * Returns the source of a mail. Signed-in citizens are a separate `kind`, so that anonymous visitors cannot use up a citizen's allowance. An IPv6
 * address counts as its /48 network, because one customer can control all addresses of a /48 network.
 */
function identifySource({ by, address }: MailOrigin): readonly [kind: string, id: string] {
  if (typeof by === 'string') return [by, ''];
  if (by.citizenId !== null) return ['citizen', by.citizenId];
  return ['network', findIpv6SiteNetwork(address) ?? toIpRateLimitKey(address)];
}

async function consumeAllowance(tx: Tx, key: string, { burst, everyS }: MailAllowance, now: Date): Promise<boolean> {
  const at = sql`${now}::timestamptz`;
  const every = sql`${everyS}::int * interval '1 second'`;
  // `blocked_until` is the time at which the allowance is full again. Each mail moves it by one interval, up to `burst` intervals from now.
  const fullAt = sql`greatest(throttle.blocked_until, ${at}) + ${every}`;
  const { rows } = await sql`
    insert into throttle (key, tries, blocked_until, since) values (${key}, 1, ${at} + ${every}, ${at})
    on conflict (key) do update set tries = throttle.tries + 1, blocked_until = ${fullAt}, since = ${at}
    where ${fullAt} <= ${at} + ${burst}::int * ${every}
    returning 1`.execute(tx);
  return rows.length > 0;
}
