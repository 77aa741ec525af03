import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Config } from '../server/platform/config/config.ts';
import { exportAudit, exportProof, readExport } from '../server/platform/audit/export-audit.ts';
import { provenFields } from '../server/platform/audit/seal.ts';
import { lastSeal } from '../server/platform/audit/seal-audit.ts';
import {
  isProof,
  unsealedRows,
  verifyAudit,
  verifySealed,
  type AuditEnd,
  type AuditFault,
} from '../server/platform/audit/verify-audit.ts';
import { readAuditKeys } from '../server/platform/keys/load-keys.ts';
import type { Store } from '../server/platform/database/open-store.ts';
import { asksForHelp, UsageError, withStore } from './with-store.ts';

const usage = `Usage:
  npm run audit -- verify [NUMBER HASH]    walks the whole log: a row that was changed, added, removed or written late is told. What was cut off at
                                           its end is missed only by who has kept the number and hash of an earlier seal, which this prints
  npm run -s audit -- export               all that is sealed, as lines of JSON
  npm run -s audit -- prove ROW            that this row is under a seal, without any other row
  npm run audit -- check FILE [KEY…]       an export or a proof, anywhere, without the database; KEY is what \`npm run keys -- show\` calls audit
`;

/** Faults that are written out; the rest is counted. */
const most = 50;

const [verb, ...parameters] = process.argv.slice(2);
if (verb === 'check' && !asksForHelp(parameters)) await check(parameters).catch(refuse);
else await withStore(usage, run);

async function run(store: Store, config: Config): Promise<void> {
  if (verb === 'verify') return verify(store, config, parameters);
  if (verb !== 'export' && verb !== 'prove')
    throw new UsageError(verb === undefined ? 'What shall be done?' : `There is no command ${verb}.`);
  const keys = await readAuditKeys(config.keys);
  if (verb === 'export') {
    for await (const line of exportAudit(store.db, keys)) print(line);
    return;
  }
  const [row = ''] = parameters;
  if (!/^\d{1,15}$/.test(row)) throw new UsageError('Which row? Its number is asked for.');
  const proof = await exportProof(store.db, Number(row), keys);
  if (proof === null) throw new UsageError(`There is no row ${row}, or it is not sealed yet.`);
  print(proof);
}

async function verify(store: Store, config: Config, [number, hash]: readonly string[]): Promise<void> {
  const keys = await readAuditKeys(config.keys);
  report(await verifyAudit(store.db, { keys, earlier: readEnd(number, hash) }));
  const last = await lastSeal(store.db);
  print(last === null ? 'Nothing is sealed yet.' : `Its last seal: ${last.number} ${last.hash}`);
  const { rows, since } = await unsealedRows(store.db);
  if (since !== null)
    print(`Not sealed yet: ${rows} rows since ${since.toISOString()}; a server that runs seals every ten seconds.`);
}

async function check([file, ...trusted]: readonly string[]): Promise<void> {
  if (file === undefined) throw new UsageError('Which file?');
  const { keys, proof, batches } = await readExport(createInterface({ input: createReadStream(file) }));
  const trust = new Map([...keys].filter(([kid]) => trusted.length === 0 || trusted.includes(kid)));
  if (proof === null) report((await verifySealed(batches, { trust })).faults);
  else if (isProof(proof, trust))
    print(
      `The proof holds: ${JSON.stringify(provenFields(proof.row))}\nis under seal ${proof.seal.number} of ${proof.seal.sealed_at.toISOString()}.`,
    );
  else fail('The proof does not hold.');
  if (trusted.length === 0) print(`Signed by ${[...keys.keys()].join(', ')}: compare it with the server's key.`);
}

function readEnd(number: string | undefined, hash: string | undefined): AuditEnd | undefined {
  if (number === undefined) return undefined;
  if (!/^\d{1,15}$/.test(number) || hash === undefined || !/^[0-9a-f]{64}$/.test(hash))
    throw new UsageError('An earlier seal is a number and a hash.');
  return { number: Number(number), hash };
}

function report(faults: readonly AuditFault[]): void {
  if (faults.length === 0) return print('The audit log is whole.');
  for (const fault of faults.slice(0, most)) print(textOf(fault));
  fail(`The audit log is broken: ${faults.length === 1 ? 'one fault' : `${faults.length} faults`}.`);
}

function textOf(fault: AuditFault): string {
  switch (fault.kind) {
    case 'changed':
      return `Row ${fault.row} is not as it was when it was sealed.`;
    case 'late':
      return `Row ${fault.row} was written long after what it tells of.`;
    case 'digest':
      return `Row ${fault.row} is not as its server wrote it.`;
    case 'missing':
      return `Rows ${fault.first} to ${fault.last} of writer ${fault.writer} are missing: its later rows name them.`;
    case 'copied':
      return `Row ${fault.row} is a copy of another row.`;
    case 'undigested':
      return `Row ${fault.row} has no digest, though rows of its time have one.`;
    case 'waited':
      return `${fault.rows} rows ${fault.seal === null ? 'wait for a seal' : `under seal ${fault.seal} waited for it`} longer than sealing takes.`;
    case 'lease':
      return `Sealing is leased until ${fault.until.toISOString()}, longer than any server leases it: somebody moved it.`;
    case 'stray':
      return `Row ${fault.row} names a seal that there is not.`;
    case 'rows':
      return `Under seal ${fault.seal} rows are missing, or others were added.`;
    case 'seal':
      return `Seal ${fault.seal} was changed, or is missing.`;
    case 'signature':
      return `Seal ${fault.seal} was not signed by a key that is trusted.`;
    case 'end':
      return `Seal ${fault.seal} is not the one that was kept: the log was cut off, or made anew.`;
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function fail(line: string): void {
  print(line);
  process.exitCode = 1;
}

function refuse(error: unknown): void {
  process.stderr.write(
    error instanceof UsageError
      ? `${error.message}\n${usage}`
      : `The file cannot be read as an export of the audit log: ${String(error)}\n`,
  );
  process.exitCode = 1;
}
