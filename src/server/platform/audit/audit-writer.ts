import { randomBytes, randomUUID, createHmac } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { JsonObject } from '../../../engine/core/json.ts';
import { resolveAuditActorRole, type ChangeOrigin } from '../base/change-origin.ts';
import type { DatabaseStore, Tx } from '../database/open-store.ts';
import type { Database } from '../database/schema.ts';
import { createPreparedQuery } from '../database/prepared-query.ts';
import type { AuditKey } from '../keys/audit-keys.ts';
import { isSameDigest } from '../keys/random-secrets.ts';
import { noopMetrics, type Metrics } from '../metrics/metrics.ts';
import { listHashedAuditValues, sealedAuditColumns, type AuditRow } from './seal-audit.ts';

interface AuditEntry {
  readonly at: Date;
  readonly action: string;
  readonly citizenId: string | null;
  /** Details of the row, which must not contain secrets. */
  readonly details?: JsonObject;
}

type AppendAudit = (origin: ChangeOrigin, entry: AuditEntry) => Promise<void>;

/** All columns except `seq`, which the database assigns, and those that sealing fills later. */
const digestedFields = ['writer', 'number', 'follows', ...sealedAuditColumns] as const;

type DigestedFields = Pick<AuditRow, (typeof digestedFields)[number]>;

const insertRow = createPreparedQuery<DigestedFields & { readonly digest: string }, unknown>((db, value) => {
  const columns = [...digestedFields, 'digest'] as const;
  const values = Object.fromEntries(columns.map((name) => [name, value(name)]));
  return db.insertInto('audit').values(values as unknown as Insertable<Database['audit']>); // the cast is safe: there is one value per column
});

interface TransactionAttempt {
  readonly insertedNumbers: number[];
  /** Numbers of earlier committed rows that the inserted rows list in `follows`. */
  readonly listedNumbers: number[];
  readonly actions: string[];
}

/**
 * Writes the audit rows of one process, each with a keyed digest. Each row has a number, and lists in `follows` the numbers of the rows that the
 * process has committed since its previous row. If a listed row is missing from the table, somebody deleted it. Rolled-back rows are never listed,
 * and concurrent transactions do not wait for each other.
 */
export class AuditWriter {
  readonly #id = randomUUID();
  readonly #key: AuditKey;
  readonly #metrics: Pick<Metrics, 'audited'>;
  #last = 0;
  /** Numbers of committed rows that no committed row has listed yet. */
  #unnamed: readonly number[] = [];

  constructor(key: AuditKey, metrics: Pick<Metrics, 'audited'> = noopMetrics) {
    this.#key = key;
    this.#metrics = metrics;
  }

  async transaction<Result>(
    store: Pick<DatabaseStore, 'transaction'>,
    work: (tx: Tx, append: AppendAudit) => Promise<Result>,
  ): Promise<Result> {
    let attempt: TransactionAttempt = { insertedNumbers: [], listedNumbers: [], actions: [] };
    const resetAttempt = () => {
      this.#unnamed = [...this.#unnamed, ...attempt.listedNumbers];
      attempt = { insertedNumbers: [], listedNumbers: [], actions: [] };
    };
    try {
      const result = await store.transaction((tx) => {
        resetAttempt(); // runs again if a serialization failure repeats the transaction
        const current = attempt;
        return work(tx, (origin, entry) => this.#append(tx, origin, entry, current));
      });
      this.#unnamed = [...this.#unnamed, ...attempt.insertedNumbers];
      attempt.actions.forEach((action) => this.#metrics.audited(action));
      return result;
    } catch (error) {
      resetAttempt();
      throw error;
    }
  }

  async #append(
    tx: Tx,
    origin: ChangeOrigin,
    { at, action, citizenId, details }: AuditEntry,
    attempt: TransactionAttempt,
  ) {
    const named = this.#unnamed;
    this.#unnamed = [];
    attempt.listedNumbers.push(...named);
    this.#last += 1;
    attempt.insertedNumbers.push(this.#last);
    attempt.actions.push(action);
    const row = {
      writer: this.#id,
      number: this.#last,
      follows: formatMultirange(named),
      at,
      action,
      citizen_id: citizenId,
      address: origin.address,
      request_id: origin.requestId,
      details: JSON.stringify(details ?? {}),
      actor: resolveAuditActorRole(origin, citizenId),
      user_agent: origin.userAgent,
      origin_salt: randomBytes(16).toString('base64url'),
      origin_hash: null,
    };
    await insertRow(tx, { ...row, digest: computeAuditRowDigest(row, this.#key) });
  }
}

/** Formats numbers as PostgreSQL prints an `int8multirange`, because the digest is verified with the text that the database returns. */
function formatMultirange(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers.toSorted((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && number <= last[1]) last[1] = Math.max(last[1], number + 1);
    else ranges.push([number, number + 1]);
  }
  return `{${ranges.map(([from, to]) => `[${from},${to})`).join(',')}}`;
}

/** Computes the digest of a row: an HMAC-SHA-256 in base64url, whose key is derived from AUDIT_KEY. */
export function computeAuditRowDigest(row: DigestedFields, { digestKey }: Pick<AuditKey, 'digestKey'>): string {
  const fields = JSON.stringify([row.writer, row.number, row.follows, ...listHashedAuditValues(row)]);
  return createHmac('sha256', digestKey).update(fields).digest('base64url');
}

export function hasValidAuditRowDigest(row: AuditRow, keys: readonly Pick<AuditKey, 'digestKey'>[]): boolean {
  return keys.some((key) => isSameDigest(row.digest ?? '', computeAuditRowDigest(row, key)));
}
