import { sql, type RawBuilder } from 'kysely';
import { toIpRateLimitKey, findIpv6SiteNetwork } from '../../platform/base/ip-addresses.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import { OperationError, addRefusalLogFacts } from '../../platform/base/errors.ts';
import { fixedRetentionPeriods } from '../../platform/base/fixed-periods.ts';
import type { AttemptAllowance, AttemptLimit } from '../../platform/modules/attempt-limits.ts';
import { hashSecret } from '../../platform/keys/random-secrets.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';
import { createPreparedQuery } from '../../platform/database/prepared-query.ts';
import { normalizeMailbox } from './mail-allowance.ts';

const maxDelayS = fixedRetentionPeriods.longestDelayMin * 60;

/** Values by kind: an IP address, the id of a document, an e-mail address. Kinds without a limit are ignored. */
type CountedValues<Kind extends string> = Readonly<Partial<Record<Kind, string>>>;

export interface LimitedAttempt {
  readonly limit: AttemptLimit;
  readonly counted: CountedValues<string>;
}

export interface AdmittedInsert {
  /**
   * `admitted` has one row if the attempt is admitted and none otherwise. Pass the same function each time, because each function is prepared as a
   * separate statement.
   */
  readonly insert: (admitted: RawBuilder<unknown>, value: (name: string) => RawBuilder<unknown>) => RawBuilder<unknown>;
  readonly values: Readonly<Record<string, unknown>>;
}

export type AttemptThrottle = ReturnType<typeof createAttemptThrottle>;

/**
 * Creates the throttle of attempts. A delayed attempt throws a 429 with `Retry-After`. Delays double, up to 15 minutes, and never become a permanent
 * lock.
 */
export function createAttemptThrottle(store: DatabaseStore) {
  return {
    /**
     * Counts an attempt before its work starts, so that parallel attempts cannot exceed the limit. While a delay lasts, throws and does not count.
     */
    async admit<Kind extends string>(
      { name, kinds }: AttemptLimit<Kind>,
      counted: CountedValues<NoInfer<Kind>>,
      now: Date,
      change?: AdmittedInsert,
    ): Promise<void> {
      const allowances: Readonly<Record<string, AttemptAllowance>> = kinds;
      const tries = listKeys(name, counted).flatMap(({ kind, key, times }) => {
        const allowance = allowances[kind];
        return allowance
          ? { key, about: `${name} ${kind}`, allowance: { ...allowance, free: allowance.free * times } }
          : [];
      });
      await countAttempts(store, tries, now, change);
    },
    /** Reverts the count of successful attempts in one statement: resets the count of a document, and reduces every other count by one. */
    async forgive(...tries: readonly LimitedAttempt[]): Promise<void> {
      const keys = tries.flatMap(({ limit, counted }) => listKeys(limit.name, counted));
      await removeAttempts(store.db, {
        documents: keys.filter(({ kind }) => kind === 'document').map(({ key }) => key),
        others: keys.filter(({ kind }) => kind !== 'document').map(({ key }) => key),
      });
    },
  };
}

/** Query that reverts attempts. It locks the rows in a fixed order, to prevent deadlocks. */
const removeAttempts = createPreparedQuery<{ documents: readonly string[]; others: readonly string[] }, unknown>(
  (db, value) => ({
    compile: () =>
      sql`with anew as (delete from throttle where key = any(${value('documents')}::text[]))
      update throttle set tries = greatest(0, tries - 1)
      where key in (select key from throttle where key = any(${value('others')}::text[]) order by key for update)`.compile(
        db,
      ),
  }),
);

/** Time that is in the past on every replica. With `now()`, a replica whose clock is slow would reject an attempt that needs no delay. */
const pastTime = sql`'epoch'::timestamptz`;

interface CountedAttempt {
  readonly key: string;
  readonly about: string;
  readonly allowance: AttemptAllowance;
}

/**
 * Counts an attempt and admits it in one statement. Each counter selects from the previous counter, so that a rejection skips the remaining counters
 * and the insert.
 */
async function countAttempts(
  store: DatabaseStore,
  tries: readonly CountedAttempt[],
  now: Date,
  change?: AdmittedInsert,
): Promise<void> {
  if (tries.length === 0 && change === undefined) return;
  const values: Record<string, unknown> = { ...change?.values, now };
  tries.forEach(({ key, allowance: { free, windowS } }, index) => {
    values[`key_${index}`] = key;
    values[`free_${index}`] = free;
    values[`over_${index}`] = addSeconds(now, -windowS);
  });
  const found = await cacheStatement(tries.length, change?.insert)(store.db, values);
  const refused = tries[found.length];
  if (refused !== undefined) throw await createRefusal(store, refused, now);
}

type Value = (name: string) => RawBuilder<unknown>;

const statements = new Map<AdmittedInsert['insert'] | undefined, ReturnType<typeof buildStatement>[]>();

function cacheStatement(count: number, insert: AdmittedInsert['insert'] | undefined) {
  const built = statements.get(insert) ?? [];
  statements.set(insert, built);
  return (built[count] ??= buildStatement(count, insert));
}

function buildStatement(count: number, insert: AdmittedInsert['insert'] | undefined) {
  const names = Array.from({ length: count }, (_, index) => sql.id(`try_${index}`));
  return createPreparedQuery<Readonly<Record<string, unknown>>, unknown>((db, value) => {
    const counts = names.map((name, index) => sql`${name} as (${buildCounter(index, names[index - 1], value)})`);
    const changes = insert
      ? [sql`changed as (${insert(names.at(-1) ?? sql`(select 1) as nobody`, value)} returning 1)`]
      : [];
    const counted = names.map((name) => sql`select 1 from ${name}`);
    return {
      compile: () =>
        sql`with ${sql.join([...counts, ...changes])} ${sql.join([sql`select 1 where false`, ...counted], sql` union all `)}`.compile(
          db,
        ),
    };
  });
}

function buildCounter(index: number, before: RawBuilder<unknown> | undefined, value: Value): RawBuilder<unknown> {
  const now = sql`${value('now')}::timestamptz`;
  const free = sql`${value(`free_${index}`)}::int`;
  const isOver = sql`throttle.since < ${value(`over_${index}`)}::timestamptz`;
  const delayS = sql`least(${sql.lit(maxDelayS)}::float8, power(2, least(throttle.tries + 1 - ${free}, 20)))`;
  return sql`insert into throttle (key, tries, blocked_until, since)
    select ${value(`key_${index}`)}::text, 1, ${pastTime}, ${now} ${before ? sql`from ${before}` : sql``}
    on conflict (key) do update set
      tries = case when ${isOver} then 1 else throttle.tries + 1 end,
      since = case when ${isOver} then ${now} else throttle.since end,
      blocked_until = case when ${isOver} or throttle.tries + 1 < ${free} then ${pastTime} else ${now} + ${delayS} * interval '1 second' end
    where throttle.blocked_until <= ${now}
    returning key`;
}

async function createRefusal(store: DatabaseStore, { key, about }: CountedAttempt, now: Date): Promise<OperationError> {
  const blocked = await store.db
    .selectFrom('throttle')
    .select('blocked_until')
    .where('key', '=', key)
    .executeTakeFirst();
  const waitS = Math.ceil(((blocked?.blocked_until ?? now).getTime() - now.getTime()) / 1000);
  const error = new OperationError(429, 'demasiados_intentos', { retryAfter: Math.max(1, waitS) });
  return addRefusalLogFacts(error, { reason: about });
}

/**
 * Ratio of the attempts of a /48 site to those of one /64 network. The holder of a site thus gets 16 times the attempts
 * of one customer, not 65,536 times. Some carriers give each customer a /64 of one shared site. These customers share
 * the site's attempts, and a successful attempt does not count.
 */
const siteFactor = 16;

/** Returns the counters of a value, each with the factor that multiplies its allowance. Only IP addresses and e-mail addresses are normalized. */
function listCounters(kind: string, value: string): readonly { readonly text: string; readonly times: number }[] {
  const text = kind === 'address' ? toIpRateLimitKey(value) : kind === 'email' ? normalizeMailbox(value) : value;
  const site = kind === 'address' ? findIpv6SiteNetwork(value) : null;
  return [{ text, times: 1 }, ...(site === null ? [] : [{ text: site, times: siteFactor }])];
}

function listKeys(limit: string, counted: CountedValues<string>) {
  return Object.entries<string | undefined>({ ...counted }).flatMap(([kind, value]) =>
    value === undefined || value === '' // otherwise all requests without a document or address would share a counter
      ? []
      : listCounters(kind, value).map(({ text, times }) => ({ kind, key: hashKey(limit, kind, text), times })),
  );
}

interface ThrottledValue {
  readonly kind: string;
  readonly name: string;
  readonly value: string;
}

export async function listAttemptCounters(tx: Tx, limits: readonly AttemptLimit[], values: readonly ThrottledValue[]) {
  const keys = new Map(
    limits.flatMap(({ name: limit, kinds }) =>
      values
        .filter(({ kind }) => kind in kinds)
        .flatMap(({ kind, name, value }) =>
          listCounters(kind, value).map(({ text }) => [hashKey(limit, kind, text), `${limit} ${name}`] as const),
        ),
    ),
  );
  const rows = await tx
    .selectFrom('throttle')
    .select(['key', 'tries', 'blocked_until'])
    .where('key', 'in', [...keys.keys()])
    .where('tries', '>', 0)
    .execute();
  return rows.map(({ key, tries, blocked_until: blockedUntil }) => ({
    about: keys.get(key) ?? '',
    tries,
    blockedUntil,
  }));
}

/** Hashes a key, so that the table contains no document numbers and no addresses. */
function hashKey(purpose: string, kind: string, text: string): string {
  return hashSecret(`${purpose} ${kind} ${text}`);
}
