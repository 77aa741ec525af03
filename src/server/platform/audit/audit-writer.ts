import { randomBytes, randomUUID, createHmac } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { JsonObject } from '../../../engine/core/json.ts';
import { resolveActor, type Origin } from '../base/origin.ts';
import type { Store, Tx } from '../database/open-store.ts';
import type { Database } from '../database/schema.ts';
import { prepared } from '../database/prepared.ts';
import type { AuditKey } from '../keys/audit-keys.ts';
import { sameDigest } from '../keys/codes.ts';
import { noMetrics, type Metrics } from '../metrics/metrics.ts';
import { listRecorded, recorded, type AuditRow } from './seal-audit.ts';

/** An action, and the account that it affected. `details` must not contain secrets. */
interface AuditEntry {
  readonly at: Date;
  readonly action: string;
  readonly citizenId: string | null;
  readonly details?: JsonObject;
}

/** Appends an audit row in the transaction of the change that it records. */
type AppendAudit = (origin: Origin, entry: AuditEntry) => Promise<void>;

/** Fields covered by the digest: all except `seq`, which the database assigns, and those of the seal. */
const digested = ['writer', 'number', 'follows', ...recorded] as const;

type WrittenFields = Pick<AuditRow, (typeof digested)[number]>;

const addRow = prepared<WrittenFields & { readonly digest: string }, unknown>((db, value) => {
  const columns = [...digested, 'digest'] as const;
  const values = Object.fromEntries(columns.map((name) => [name, value(name)]));
  return db.insertInto('audit').values(values as unknown as Insertable<Database['audit']>); // the cast is safe: there is one value per column
});

interface Attempt {
  /** Numbers of the rows that this attempt of the transaction inserted. */
  readonly written: number[];
  /** Numbers of earlier committed rows that the inserted rows list in `follows`. */
  readonly named: number[];
  readonly actions: string[];
}

/**
 * Writes the audit rows of one process, each with a keyed digest. Rows do not wait for each other: each has a number, and lists the numbers that
 * the process has committed since its previous row. If a listed row is missing, somebody deleted it. Numbers of rolled-back rows are never listed.
 */
export class AuditWriter {
  readonly #id = randomUUID();
  readonly #key: AuditKey;
  readonly #metrics: Pick<Metrics, 'audited'>;
  #last = 0;
  /** Numbers of committed rows that no committed row has listed yet. */
  #unnamed: readonly number[] = [];

  constructor(key: AuditKey, metrics: Pick<Metrics, 'audited'> = noMetrics) {
    this.#key = key;
    this.#metrics = metrics;
  }

  async transaction<Result>(
    store: Pick<Store, 'transaction'>,
    work: (tx: Tx, append: AppendAudit) => Promise<Result>,
  ): Promise<Result> {
    let attempt: Attempt = { written: [], named: [], actions: [] };
    const giveUp = () => {
      this.#unnamed = [...this.#unnamed, ...attempt.named];
      attempt = { written: [], named: [], actions: [] };
    };
    try {
      const result = await store.transaction((tx) => {
        giveUp(); // resets after an attempt that failed to serialize
        const current = attempt;
        return work(tx, (origin, entry) => this.#append(tx, origin, entry, current));
      });
      this.#unnamed = [...this.#unnamed, ...attempt.written];
      attempt.actions.forEach((action) => this.#metrics.audited(action));
      return result;
    } catch (error) {
      giveUp();
      throw error;
    }
  }

  async #append(tx: Tx, origin: Origin, { at, action, citizenId, details }: AuditEntry, attempt: Attempt) {
    const named = this.#unnamed;
    this.#unnamed = [];
    attempt.named.push(...named);
    this.#last += 1;
    attempt.written.push(this.#last);
    attempt.actions.push(action);
    const row = {
      writer: this.#id,
      number: this.#last,
      follows: multirange(named),
      at,
      action,
      citizen_id: citizenId,
      address: origin.address,
      request_id: origin.requestId,
      details: JSON.stringify(details ?? {}),
      actor: resolveActor(origin, citizenId),
      user_agent: origin.userAgent,
      origin_salt: randomBytes(16).toString('base64url'),
      origin_hash: null,
    };
    await addRow(tx, { ...row, digest: rowDigest(row, this.#key) });
  }
}

/**
 * Formats numbers as PostgreSQL prints an `int8multirange`. The digest covers this text, and is verified against the text that the database
 * returns.
 */
function multirange(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers.toSorted((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && number <= last[1]) last[1] = Math.max(last[1], number + 1);
    else ranges.push([number, number + 1]);
  }
  return `{${ranges.map(([from, to]) => `[${from},${to})`).join(',')}}`;
}

/** Computes the digest of a row: HMAC-SHA-256 in base64url. Only holders of AUDIT_KEY can. */
export function rowDigest(row: WrittenFields, { digestKey }: Pick<AuditKey, 'digestKey'>): string {
  const fields = JSON.stringify([row.writer, row.number, row.follows, ...listRecorded(row)]);
  return createHmac('sha256', digestKey).update(fields).digest('base64url');
}

/** Whether the digest of a row matches one of the keys. Rows from versions without digests pass. */
export function isAsWritten(row: AuditRow, keys: readonly Pick<AuditKey, 'digestKey'>[]): boolean {
  const { digest, writer, number, follows } = row;
  if (digest === null) return writer === null && number === null && follows === null;
  return keys.some((key) => sameDigest(digest, rowDigest(row, key)));
}
