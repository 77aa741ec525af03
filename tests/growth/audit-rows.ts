import { after } from '../../src/server/platform/base/clock.ts';
import { rowDigest } from '../../src/server/platform/audit/audit-writer.ts';
import { treeRoot } from '../../src/server/platform/audit/merkle.ts';
import { origin, rowHash, sealHash, type AuditRow, type Seal } from '../../src/server/platform/audit/seal-audit.ts';
import { signText, type AuditKey } from '../../src/server/platform/keys/audit-keys.ts';
import type { CopyRow } from './copy-rows.ts';
import { Draw } from './draw.ts';
import { citizenOf, type Country } from './country.ts';

/** Rows that one process wrote. */
const writerRows = 100_000;
/** Seconds from one row to the next, and rows of one seal: none waits longer for it than a real one. */
const [everyS, sealRows] = [3, 20];

/** What citizens and agents do, by its share of the log. */
const actions = [
  ...Array<string>(139).fill('sign-in'),
  ...Array<string>(30).fill('logout'),
  ...Array<string>(20).fill('consent-given'),
  ...Array<string>(10).fill('password-changed'),
  'support-call-book',
];

/** Rows of an audit log without a fault, each with its seal: digests, leaves, roots and signatures are real. `seals` are those of the rows so far. */
export function* auditRows(country: Country, key: AuditKey, count: number, seals: CopyRow[]): Generator<CopyRow> {
  const draw = new Draw(country.seed, 'audit');
  const first = after(country.now, -count * everyS);
  let previous = origin;
  for (let begin = 0; begin < count; begin += sealRows) {
    const number = begin / sealRows + 1;
    const rows = Array.from({ length: Math.min(sealRows, count - begin) }, (_, index) =>
      auditRow(country, { key, draw, first, number, index: begin + index }),
    );
    const unsigned = {
      number,
      sealed_at: after(first, (begin + rows.length) * everyS),
      rows: rows.length,
      root: treeRoot(rows.map(({ leaf }) => leaf ?? '')),
      previous,
      key: key.kid,
    };
    previous = sealHash(unsigned);
    seals.push({ ...unsigned, hash: previous, signature: signText(previous, key) } satisfies Seal);
    yield* rows as unknown as CopyRow[]; // of the same columns
  }
}

interface Place {
  readonly key: AuditKey;
  readonly draw: Draw;
  readonly first: Date;
  readonly number: number;
  readonly index: number;
}

function auditRow(country: Country, { key, draw, first, number: seal, index }: Place): AuditRow {
  const { id } = citizenOf(country, Math.floor(draw.share(index) * country.citizens));
  const ofWriter = index % writerRows;
  const written = {
    writer: draw.uuid(index - ofWriter),
    number: ofWriter + 1,
    follows: ofWriter === 0 ? '{}' : `{[${ofWriter},${ofWriter + 1})}`,
    at: after(first, index * everyS),
    action: actions[index % actions.length] ?? 'sign-in',
    citizen_id: id,
    address: `10.0.${(index >> 8) & 255}.${index & 255}`,
    request_id: draw.uuid(index),
    details: '{"amr":["urn:iduruguay:am:password"],"nid":1}',
    actor: 'citizen',
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  };
  const row = { seq: index + 1, ...written, seal, leaf: null, digest: rowDigest(written, key) };
  return { ...row, leaf: rowHash(row) };
}
