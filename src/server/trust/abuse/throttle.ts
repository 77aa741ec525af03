import { sql } from 'kysely';
import { countedAddress } from '../../platform/base/addresses.ts';
import { after } from '../../platform/base/clock.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { periods } from '../../platform/base/periods.ts';
import { hashSecret } from '../../platform/keys/secrets.ts';
import type { Store } from '../../platform/database/open-store.ts';

const longestDelayS = periods.longestDelayMin * 60;

/** `free` tries within `windowS` seconds of the first one come without delay. */
interface Limit {
  readonly free: number;
  readonly windowS: number;
}

const day = 24 * 60 * 60;
const hour = 60 * 60;

/**
 * Limits by purpose and by what is counted. A document is counted as typed, so that it costs the same whether an account
 * has it or not; an address stands for many citizens behind one router.
 */
const limits = {
  signIn: { address: { free: 60, windowS: hour }, document: { free: 10, windowS: day } },
  challenge: { address: { free: 300, windowS: hour } },
  /** Requests of applications that wait for their citizen, as long as they wait. */
  request: { address: { free: 1_000, windowS: hour } },
  /** Messages of service providers about a logout. */
  logoutMessage: { address: { free: 1_000, windowS: hour } },
  register: {
    address: { free: 60, windowS: hour },
    document: { free: 10, windowS: hour },
    email: { free: 30, windowS: day },
  },
  /** Activation mails that are asked for again, by the mailbox that they go to, whosever accounts they are for. */
  activationMail: { email: { free: 10, windowS: day } },
  resend: { address: { free: 60, windowS: hour }, document: { free: 5, windowS: hour } },
  activate: { address: { free: 300, windowS: hour } },
  secondFactor: { address: { free: 60, windowS: hour }, document: { free: 10, windowS: day } },
  passkey: { address: { free: 60, windowS: hour } },
  mailedCode: { address: { free: 60, windowS: hour }, document: { free: 5, windowS: hour } },
  reset: { address: { free: 60, windowS: hour }, document: { free: 5, windowS: hour } },
  export: { address: { free: 60, windowS: hour }, document: { free: 5, windowS: hour } },
  confirmReset: { address: { free: 300, windowS: hour } },
  verifyIdentity: { address: { free: 60, windowS: hour }, document: { free: 10, windowS: day } },
  changeAccount: { address: { free: 60, windowS: hour }, document: { free: 10, windowS: hour } },
  changeEmail: { address: { free: 60, windowS: hour }, document: { free: 5, windowS: hour } },
  confirmEmail: { address: { free: 300, windowS: hour } },
  signature: { address: { free: 60, windowS: hour }, document: { free: 20, windowS: hour } },
  contact: {
    address: { free: 20, windowS: hour },
    document: { free: 5, windowS: hour },
    email: { free: 3, windowS: day },
  },
  bookCall: {
    address: { free: 20, windowS: hour },
    document: { free: 5, windowS: hour },
    email: { free: 3, windowS: day },
  },
  openCall: { address: { free: 300, windowS: hour } },
  room: { address: { free: 6_000, windowS: hour } },
  saveFlow: { address: { free: 1_200, windowS: hour }, document: { free: 240, windowS: hour } },
  checkCard: { address: { free: 60, windowS: hour }, document: { free: 10, windowS: day } },
  /** At the desk, by agent: looking takes nothing from acting, which tells of an account as well. */
  lookUp: { document: { free: 60, windowS: hour } },
  deskAct: { document: { free: 60, windowS: hour } },
  feedback: { address: { free: 60, windowS: hour } },
} as const satisfies Record<string, Record<string, Limit>>;

type Purpose = keyof typeof limits;
/** What one try is counted under: an IP address, a document's id and an e-mail address, as far as the purpose counts them. */
type Counted<Name extends Purpose> = { readonly [Kind in keyof (typeof limits)[Name]]: string };

/** Counts tries in the database; a refusal is a 429 that says when to come back. */
export interface Throttle {
  /** Counts a try beforehand, so that parallel ones cannot slip through; throws while the delay lasts, without counting. */
  admit<Name extends Purpose>(purpose: Name, counted: Partial<Counted<Name>>, now: Date): Promise<void>;
  /** Takes a try back that turned out well: the document starts anew, the address has one try less. */
  forgive<Name extends Purpose>(purpose: Name, counted: Partial<Counted<Name>>): Promise<void>;
}

/** Throttling by purpose, document and address: delays that double up to 15 minutes, never a lock. */
export function createThrottle(store: Store): Throttle {
  return {
    async admit(purpose, counted, now) {
      const kinds: Record<string, Limit> = limits[purpose];
      for (const [kind, value] of Object.entries<string | undefined>({ ...counted })) {
        const limit = kinds[kind];
        // nobody is counted together with all who name no document or address either
        if (limit && value !== undefined && value !== '')
          await countTry(store, keyOf(purpose, kind, value), limit, now);
      }
    },
    async forgive(purpose, counted) {
      for (const [kind, value] of Object.entries<string | undefined>({ ...counted })) {
        if (value === undefined) continue;
        const key = keyOf(purpose, kind, value);
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
async function countTry(store: Store, key: string, { free, windowS }: Limit, now: Date): Promise<void> {
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

/** Hashed, so that the table holds no document and no address. */
function keyOf(purpose: string, kind: string, value: string): string {
  return hashSecret(`${purpose} ${kind} ${kind === 'address' ? countedAddress(value) : value}`);
}
