import { calculateJwkThumbprint } from 'jose';
import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import type { AuditKey, AuditPublicKey } from '../keys/audit-keys.ts';
import {
  createAuditInclusionProof,
  readSealedAuditRow,
  readSealedAuditBatches,
  type AuditInclusionProof,
  type SealedAuditBatch,
} from './read-audit.ts';
import type { AuditRow, AuditSeal } from './seal-audit.ts';
import {
  findAuditChainFaults,
  findAuditRowFaults,
  verifySealedBatches,
  type AuditFault,
  type TrustedAuditKeys,
} from './verify-audit.ts';

type SerializedDates<Value> = { readonly [Name in keyof Value]: Value[Name] extends Date ? string : Value[Name] };

/**
 * Writes all sealed rows as JSON Lines: the public keys, then each seal before its rows. Returns all faults of these rows. A reader of the export finds
 * the same faults, except invalid digests, which only the secret key verifies.
 */
export async function exportAuditLog(
  db: Kysely<Database>,
  keys: readonly AuditKey[],
  write: (line: string) => void,
): Promise<readonly AuditFault[]> {
  write(JSON.stringify({ keys: keys.map(({ publicJwk }) => publicJwk) }));
  const trust = new Map(keys.map(({ kid, publicJwk }) => [kid, publicJwk]));
  const { faults } = await verifySealedBatches(writeBatches(readSealedAuditBatches(db), write), { trust, keys });
  return [...faults, ...(await findAuditChainFaults(db))];
}

async function* writeBatches(batches: AsyncIterable<SealedAuditBatch>, write: (line: string) => void) {
  for await (const batch of batches) {
    write(JSON.stringify({ seal: batch.seal }));
    for (const row of batch.rows) write(JSON.stringify({ row }));
    yield batch;
  }
}

/**
 * Returns the inclusion proof of a row as one line of JSON, with the faults of the row. The proof shows that the row was sealed with this content, but
 * not that the server wrote it. Returns `null` if the row does not exist or is not sealed yet.
 */
export async function exportAuditInclusionProof(db: Kysely<Database>, seq: number, keys: readonly AuditKey[]) {
  const batch = await readSealedAuditRow(db, seq);
  if (batch === null) return null;
  const line = JSON.stringify({
    keys: keys.map(({ publicJwk }) => publicJwk),
    proof: createAuditInclusionProof(batch),
  });
  return { line, faults: await findAuditRowFaults(db, batch, keys) };
}

/** Parses an export or a proof. Its content is untrusted, including its keys. Throws if the file is malformed. */
export async function parseAuditExport(lines: AsyncIterable<string>) {
  const iterator = lines[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) throw new Error('the file is empty');
  const head = JSON.parse(first.value) as {
    readonly keys: readonly AuditPublicKey[];
    readonly proof?: SerializedDates<AuditInclusionProof> & {
      readonly row: SerializedDates<AuditRow>;
      readonly seal: SerializedDates<AuditSeal>;
    };
  };
  const keys: TrustedAuditKeys = new Map(
    await Promise.all(head.keys.map(async (key) => [await calculateJwkThumbprint({ ...key }), key] as const)),
  );
  const proof: AuditInclusionProof | null = head.proof
    ? { ...head.proof, row: parseRow(head.proof.row), seal: parseSeal(head.proof.seal) }
    : null;
  return { keys, proof, batches: parseBatches({ [Symbol.asyncIterator]: () => iterator }) };
}

async function* parseBatches(lines: AsyncIterable<string>): AsyncGenerator<SealedAuditBatch> {
  let batch: { seal: AuditSeal; rows: AuditRow[] } | null = null;
  for await (const line of lines) {
    const { seal, row } = JSON.parse(line) as {
      readonly seal?: SerializedDates<AuditSeal>;
      readonly row?: SerializedDates<AuditRow>;
    };
    if (seal !== undefined) {
      if (batch !== null) yield batch;
      batch = { seal: parseSeal(seal), rows: [] };
    } else if (row !== undefined && batch !== null) batch.rows.push(parseRow(row));
    else throw new Error('a line is neither a seal nor a row of one');
  }
  if (batch !== null) yield batch;
}

function parseRow(row: SerializedDates<AuditRow>): AuditRow {
  return { ...row, at: new Date(row.at) };
}

function parseSeal(seal: SerializedDates<AuditSeal>): AuditSeal {
  return { ...seal, sealed_at: new Date(seal.sealed_at) };
}
