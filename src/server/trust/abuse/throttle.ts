import { sql } from 'kysely';
import { countedAddress } from '../../platform/base/addresses.ts';
import { after } from '../../platform/base/clock.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { periods } from '../../platform/base/periods.ts';
import type { Allowance, Limit } from '../../platform/topics/limit.ts';
import { hashSecret } from '../../platform/keys/secrets.ts';
import type { Store } from '../../platform/database/open-store.ts';
import { mailboxOf } from './mailbox.ts';

const longestDelayS = periods.longestDelayMin * 60;

/** What one try is counted under, by kind: an IP address, a document's id and an e-mail address, as far as the limit counts them. */
type Counted<Kind extends string> = Readonly<Partial<Record<Kind, string>>>;

/** Counts tries in the database; a refusal is a 429 that says when to come back. */
export interface Throttle {
  /** Counts a try beforehand, so that parallel ones cannot slip through; throws while the delay lasts, without counting. */
  admit<Kind extends string>(limit: Limit<Kind>, counted: Counted<NoInfer<Kind>>, now: Date): Promise<void>;
  /** Takes a try back that turned out well: the document starts anew, the address has one try less. */
  forgive<Kind extends string>(limit: Limit<Kind>, counted: Counted<NoInfer<Kind>>): Promise<void>;
}

/** Throttling by purpose, document and address: delays that double up to 15 minutes, never a lock. */
export function createThrottle(store: Store): Throttle {
  return {
    async admit({ name, kinds }, counted, now) {
      const allowances: Readonly<Record<string, Allowance>> = kinds;
      for (const [kind, value] of Object.entries<string | undefined>({ ...counted })) {
        const allowance = allowances[kind];
        // nobody is counted together with all who name no document or address either
        if (allowance && value !== undefined && value !== '')
          await countTry(store, keyOf(name, kind, value), allowance, now);
      }
    },
    async forgive({ name }, counted) {
      for (const [kind, value] of Object.entries<string | undefined>({ ...counted })) {
        if (value === undefined) continue;
        const key = keyOf(name, kind, value);
        if (kind === 'document') await store.db.deleteFrom('throttle').where('key', '=', key).execute();
        else
          await store.db
            .updateTable('throttle')
            .set({ tries: sql`greatest(0, tries - 1)` })
            .where('key', '=', key)
            .execute();
      }
    },
  };
}

/** A time that no clock is behind: whoever asks at once with another, or of a replica whose clock is late, does not wait for that one. */
const never = new Date(0);

/** One statement counts and decides, so that no two requests see the same number. */
async function countTry(store: Store, key: string, { free, windowS }: Allowance, now: Date): Promise<void> {
  const over = sql<boolean>`throttle.since < ${after(now, -windowS)}::timestamptz`;
  const delayS = sql`least(${longestDelayS}::float8, power(2, least(throttle.tries + 1 - ${free}::int, 20)))`;
  const counted = await store.db
    .insertInto('throttle')
    .values({ key, tries: 1, blocked_until: never, since: now })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          tries: sql<number>`case when ${over} then 1 else throttle.tries + 1 end`,
          since: sql<Date>`case when ${over} then ${now}::timestamptz else throttle.since end`,
          blocked_until: sql<Date>`case when ${over} or throttle.tries + 1 < ${free}::int then ${never}::timestamptz
        else ${now}::timestamptz + ${delayS} * interval '1 second' end`,
        })
        .where('throttle.blocked_until', '<=', now),
    )
    .returning('tries')
    .executeTakeFirst();
  if (counted) return;
  const blocked = await store.db
    .selectFrom('throttle')
    .select('blocked_until')
    .where('key', '=', key)
    .executeTakeFirst();
  const waitS = Math.ceil(((blocked?.blocked_until ?? now).getTime() - now.getTime()) / 1000);
  throw new OperationError(429, 'demasiados_intentos', { retryAfter: Math.max(1, waitS) });
}

/** How values of a kind are written before they are counted; a document is as typed. */
const written: Readonly<Record<string, (value: string) => string>> = { address: countedAddress, email: mailboxOf };

/** Hashed, so that the table holds no document and no address. */
function keyOf(purpose: string, kind: string, value: string): string {
  return hashSecret(`${purpose} ${kind} ${written[kind]?.(value) ?? value}`);
}
