import { sql, type RawBuilder } from 'kysely';
import { countedAddress } from '../../platform/base/addresses.ts';
import { after } from '../../platform/base/clock.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { periods } from '../../platform/base/periods.ts';
import type { Allowance, Limit } from '../../platform/topics/limit.ts';
import { hashSecret } from '../../platform/keys/secrets.ts';
import type { Store } from '../../platform/database/open-store.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { mailboxOf } from './mailbox.ts';

const longestDelayS = periods.longestDelayMin * 60;

/** What one try is counted under, by kind: an IP address, a document's id and an e-mail address, as far as the limit counts them. */
type Counted<Kind extends string> = Readonly<Partial<Record<Kind, string>>>;

/** A try of one purpose, and what it was counted under. */
export interface Try {
  readonly limit: Limit;
  readonly counted: Counted<string>;
}

/** Counts tries in the database; a refusal is a 429 that says when to come back. */
export interface Throttle {
  /**
   * Counts a try beforehand, so that parallel ones cannot slip through; throws while the delay lasts, without counting. `change`: one that is made in the
   * same statement where the try is admitted, as an insert of what it selects from `admitted`, which has one row then and none else.
   */
  admit<Kind extends string>(
    limit: Limit<Kind>,
    counted: Counted<NoInfer<Kind>>,
    now: Date,
    change?: (admitted: RawBuilder<unknown>) => RawBuilder<unknown>,
  ): Promise<void>;
  /** Takes tries back that turned out well, in one statement: the document starts anew, the address has one try less. */
  forgive(...tries: readonly Try[]): Promise<void>;
}

/** Throttling by purpose, document and address: delays that double up to 15 minutes, never a lock. */
export function createThrottle(store: Store): Throttle {
  return {
    async admit({ name, kinds }, counted, now, change) {
      const allowances: Readonly<Record<string, Allowance>> = kinds;
      const tries = Object.entries<string | undefined>({ ...counted }).flatMap(([kind, value]) => {
        const allowance = allowances[kind];
        // nobody is counted together with all who name no document or address either
        return allowance && value !== undefined && value !== '' ? [{ key: keyOf(name, kind, value), allowance }] : [];
      });
      await countTries(store, tries, now, change);
    },
    async forgive(...tries) {
      const keysOf = (isMeant: (kind: string) => boolean) =>
        tries.flatMap(({ limit, counted }) =>
          Object.entries<string | undefined>({ ...counted }).flatMap(([kind, value]) =>
            value !== undefined && isMeant(kind) ? [keyOf(limit.name, kind, value)] : [],
          ),
        );
      await takeBack(store.db, {
        documents: keysOf((kind) => kind === 'document'),
        others: keysOf((kind) => kind !== 'document'),
      });
    },
  };
}

/** Rows are locked in one order, so that nobody waits for somebody who waits for them. */
const takeBack = prepared<{ documents: readonly string[]; others: readonly string[] }, unknown>((db, value) => ({
  compile: () =>
    sql`with anew as (delete from throttle where key = any(${value('documents')}::text[]))
      update throttle set tries = greatest(0, tries - 1)
      where key in (select key from throttle where key = any(${value('others')}::text[]) order by key for update)`.compile(
      db,
    ),
}));

/** A time that no clock is behind: whoever asks at once with another, or of a replica whose clock is late, does not wait for that one. */
const never = new Date(0);

interface CountedTry {
  readonly key: string;
  readonly allowance: Allowance;
}

/**
 * One statement counts and decides, so that no two requests see the same number. Each count is made of the one before it: what comes behind a refusal is not
 * counted, and nothing is changed.
 */
async function countTries(
  store: Store,
  tries: readonly CountedTry[],
  now: Date,
  change?: (admitted: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<void> {
  const names = tries.map((_, index) => sql.id(`try_${index}`));
  const counts = tries.map(({ key, allowance }, index) => {
    const before = names[index - 1];
    return sql`${names[index] ?? sql``} as (${counting(key, now)} ${before ? sql`from ${before}` : sql``} ${onceMore(allowance, now)} returning key)`;
  });
  const last = names.at(-1);
  const admitted = last ?? sql`(select 1) as nobody`;
  const changes = change === undefined ? [] : [sql`changed as (${change(admitted)} returning 1)`];
  if (counts.length + changes.length === 0) return;
  const found = await sql<{ key: string }>`with ${sql.join([...counts, ...changes])}
    ${sql.join(
      names.map((name) => sql`select key from ${name}`),
      sql` union all `,
    )}`.execute(store.db);
  const refused = tries[found.rows.length];
  if (refused !== undefined) throw await refusal(store, refused.key, now);
}

function counting(key: string, now: Date): RawBuilder<unknown> {
  return sql`insert into throttle (key, tries, blocked_until, since) select ${key}::text, 1, ${never}::timestamptz, ${now}::timestamptz`;
}

function onceMore({ free, windowS }: Allowance, now: Date): RawBuilder<unknown> {
  const over = sql`throttle.since < ${after(now, -windowS)}::timestamptz`;
  const delayS = sql`least(${longestDelayS}::float8, power(2, least(throttle.tries + 1 - ${free}::int, 20)))`;
  return sql`on conflict (key) do update set
    tries = case when ${over} then 1 else throttle.tries + 1 end,
    since = case when ${over} then ${now}::timestamptz else throttle.since end,
    blocked_until = case when ${over} or throttle.tries + 1 < ${free}::int then ${never}::timestamptz
      else ${now}::timestamptz + ${delayS} * interval '1 second' end
    where throttle.blocked_until <= ${now}::timestamptz`;
}

async function refusal(store: Store, key: string, now: Date): Promise<OperationError> {
  const blocked = await store.db
    .selectFrom('throttle')
    .select('blocked_until')
    .where('key', '=', key)
    .executeTakeFirst();
  const waitS = Math.ceil(((blocked?.blocked_until ?? now).getTime() - now.getTime()) / 1000);
  return new OperationError(429, 'demasiados_intentos', { retryAfter: Math.max(1, waitS) });
}

/** How values of a kind are written before they are counted; a document is as typed. */
const written: Readonly<Record<string, (value: string) => string>> = { address: countedAddress, email: mailboxOf };

/** Hashed, so that the table holds no document and no address. */
function keyOf(purpose: string, kind: string, value: string): string {
  return hashSecret(`${purpose} ${kind} ${written[kind]?.(value) ?? value}`);
}
