import { addSeconds } from '../../src/server/platform/base/clock.ts';
import { computeAuditRowDigest } from '../../src/server/platform/audit/audit-writer.ts';
import { computeMerkleRoot } from '../../src/server/platform/audit/merkle-tree.ts';
import {
  genesisSealHash,
  hashAuditRow,
  hashAuditSeal,
  type AuditRow,
  type AuditSeal,
} from '../../src/server/platform/audit/seal-audit.ts';
import type { AuditKey } from '../../src/server/platform/keys/audit-keys.ts';
import { computeCitizen, type SimulatedPopulation } from './fill-tables.ts';

/** Number of audit rows per writer process. */
const writerRows = 100_000;
/**
 * Seconds between two rows, and number of rows per seal. Their product is below the maximum delay until a row is
 * sealed.
 */
const [everyS, sealRows] = [3, 20];

/** Audit actions, repeated in proportion to their frequency. */
const actions = [
  ...Array<string>(139).fill('sign-in'),
  ...Array<string>(30).fill('logout'),
  ...Array<string>(20).fill('consent-given'),
  ...Array<string>(10).fill('password-changed'),
  'support-call-book',
];

/**
 * Yields the rows of a valid audit log, with real digests, leaves, roots and signatures. Appends their seals to
 * `seals`.
 */
export function* generateAuditRows(
  country: SimulatedPopulation,
  key: AuditKey,
  count: number,
  seals: object[],
): Generator<AuditRow> {
  const first = addSeconds(country.now, -count * everyS);
  let previous = genesisSealHash;
  for (let begin = 0; begin < count; begin += sealRows) {
    const number = begin / sealRows + 1;
    const rows = Array.from({ length: Math.min(sealRows, count - begin) }, (_, index) =>
      createAuditRow(country, { key, first, number, index: begin + index }),
    );
    const unsigned = {
      number,
      sealed_at: addSeconds(first, (begin + rows.length) * everyS),
      rows: rows.length,
      root: computeMerkleRoot(rows.map(({ leaf }) => leaf ?? '')),
      previous,
      key: key.kid,
    };
    previous = hashAuditSeal(unsigned);
    seals.push({ ...unsigned, hash: previous, signature: key.sign(previous) } satisfies AuditSeal);
    yield* rows;
  }
}

interface AuditPosition {
  readonly key: AuditKey;
  readonly first: Date;
  readonly number: number;
  readonly index: number;
}

function createAuditRow(country: SimulatedPopulation, { key, first, number: seal, index }: AuditPosition): AuditRow {
  const { id } = computeCitizen(country, (index * 7919) % country.citizens);
  const ofWriter = index % writerRows;
  const written = {
    writer: `writer-${index - ofWriter}`,
    number: ofWriter + 1,
    follows: ofWriter === 0 ? '{}' : `{[${ofWriter},${ofWriter + 1})}`,
    at: addSeconds(first, index * everyS),
    action: actions[index % actions.length] ?? 'sign-in',
    citizen_id: id,
    address: `10.0.${(index >> 8) & 255}.${index & 255}`,
    request_id: `request-${index}`,
    details: '{"amr":["urn:iduruguay:am:password"],"nid":1}',
    actor: 'citizen',
    origin_salt: `salt-${index}`,
    origin_hash: null,
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  };
  const row = { seq: index + 1, ...written, seal, leaf: null, digest: computeAuditRowDigest(written, key) };
  return { ...row, leaf: hashAuditRow(row) };
}
