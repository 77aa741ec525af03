import { createHash } from 'node:crypto';
import { isObject } from '../../../engine/core/json.ts';
import { signedText, type BackupMark, type BackupVerifier, type RowCounts } from './backup.ts';

/** The backup cannot be restored, and nothing was written. The message says why and what to do. */
export class RestoreError extends Error {}

type EndMark = Extract<BackupMark, readonly ['end', ...unknown[]]>;

/** Alternative for operators who have lost the key. */
const otherwise =
  'If that key is lost, --unverified restores the file without a check: then whoever could write to it decides what is in the database.';

/** Verifies digest and signature of a backup, and returns the digest. Throws a RestoreError if it was changed or none of the keys signed it. */
export async function verifyBackup(lines: AsyncIterable<string>, keys: readonly BackupVerifier[]): Promise<string> {
  const { end, sha256, seals } = await readDigest(lines);
  const [, counts, expected, kid, signature] = end;
  if (kid === undefined || signature === undefined)
    throw new RestoreError(
      `The backup is not signed: a version before signatures wrote it, or somebody took its signature away. Restore a signed one. ${otherwise}`,
    );
  if (sha256 !== expected) throw damaged();
  const key = keys.find((known) => known.kid === kid);
  if (key === undefined)
    throw new RestoreError(
      `The backup is signed by the audit key ${kid}, which is none of this server's (${keys.map((known) => known.kid).join(', ')}). Set AUDIT_KEY, or KEYS_DIR, to the keys of the server that was backed up. ${otherwise}`,
    );
  if (!key.isSignature(signature, signedText(counts, sha256)))
    throw new RestoreError(
      `The signature of the backup does not hold: its last line was changed, or all of it was written by somebody without the audit key ${key.kid}. Restore another copy.`,
    );
  const missing = [...seals].filter((kid) => keys.every((known) => known.kid !== kid));
  if (missing.length > 0)
    throw new RestoreError(
      `The audit log of the backup is sealed by keys that this server lacks (${missing.join(', ')}). This is no sign of tampering: set AUDIT_KEY, or KEYS_DIR, to all audit keys of the server that was backed up, older ones included. ${otherwise}`,
    );
  return sha256;
}

interface Digest {
  readonly end: EndMark;
  readonly sha256: string;
  /** `kid`s of the keys that sealed the audit log in the backup. */
  readonly seals: ReadonlySet<string>;
}

async function readDigest(lines: AsyncIterable<string>): Promise<Digest> {
  const seals = new Set<string>();
  let isSeal = false;
  const hash = createHash('sha256');
  const reading = lines[Symbol.asyncIterator]();
  let end: EndMark | null = null;
  try {
    for (;;) {
      const { done, value: line } = await reading.next().catch(unreadable);
      if (done === true) break;
      if (end !== null) throw afterEnd();
      if (line.startsWith('["end"')) end = readEnd(line);
      else hash.update(line).update('\n');
      if (line.startsWith('["table"')) isSeal = line.startsWith('["table","audit_seals"');
      else if (isSeal && line.startsWith('{')) seals.add(keyOfSeal(line));
    }
  } finally {
    await reading.return?.();
  }
  if (end === null) throw tooShort();
  return { end, sha256: hash.digest('hex'), seals };
}

function keyOfSeal(line: string): string {
  const row = parseLine(line);
  if (!isObject(row) || typeof row['key'] !== 'string') throw damaged();
  return row['key'];
}

function readEnd(line: string): EndMark {
  const mark = parseLine(line);
  if (!Array.isArray(mark) || !isObject(mark[1]) || typeof mark[2] !== 'string') throw damaged();
  return mark as unknown as EndMark; // the signature covers the counts and the digest
}

export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw damaged();
  }
}

/** Returns the counts. Throws a RestoreError if they differ from those of the backup. */
export function equalCounts(counts: RowCounts, expected: RowCounts): RowCounts {
  const unequal = Object.keys(counts).filter((table) => counts[table] !== (expected[table] ?? 0));
  if (unequal.length > 0) throw new RestoreError(`Not every row arrived: ${unequal.join(', ')}.`);
  return counts;
}

export function damaged(): RestoreError {
  return new RestoreError(
    'The file is no backup of the portal, or it was changed or damaged: its checksum does not hold. Restore another copy.',
  );
}

export function tooShort(): RestoreError {
  return new RestoreError('The backup ends too early: a part of the file is missing. Restore another copy.');
}

export function afterEnd(): RestoreError {
  return new RestoreError('The backup goes on after its end: somebody added to the file. Restore another copy.');
}

export function unreadable(cause: unknown): never {
  throw new RestoreError(`The backup cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
    cause,
  });
}
