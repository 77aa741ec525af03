import { createReadStream } from 'node:fs';
import {
  exportAuditLog,
  exportAuditInclusionProof,
  parseAuditExport,
} from '../../server/platform/audit/export-audit.ts';
import { selectSealedAuditColumns, findLastAuditSeal } from '../../server/platform/audit/seal-audit.ts';
import {
  isValidAuditInclusionProof,
  countUnsealedAuditRows,
  verifyAuditLog,
  verifySealedBatches,
  type AuditCheckpoint,
} from '../../server/platform/audit/verify-audit.ts';
import { readAuditKeys } from '../../server/platform/keys/load-server-keys.ts';
import {
  createCliAction,
  CommandError,
  UsageError,
  type CliCommand,
  type CliInvocation,
  type Terminal,
} from '../command.ts';
import { printAuditFaults } from './restore-report.ts';
import { printLine, splitLines } from './terminal-text.ts';
import { withStore } from './with-store.ts';

export const command: CliCommand = {
  verify: createCliAction({}, verify),
  export: createCliAction({}, exportLog),
  prove: createCliAction({}, proveRow),
  check: createCliAction({}, checkExport),
};

function verify({ positionals: [number, hash], terminal }: CliInvocation): Promise<number> {
  const earlier = readCheckpoint(number, hash);
  return withStore(terminal, async ({ store, config }) => {
    const keys = await readAuditKeys(config.keys);
    const code = printAuditFaults(await verifyAuditLog(store.db, { keys, earlier }), terminal);
    const last = await findLastAuditSeal(store.db);
    printLine(terminal, last === null ? 'Nothing is sealed yet.' : `Its last seal: ${last.number} ${last.hash}`);
    const { rows, since } = await countUnsealedAuditRows(store.db);
    const waiting = `Not sealed yet: ${rows} rows since ${since?.toISOString()}; a server that runs seals every ten seconds.`;
    if (since !== null) printLine(terminal, waiting);
    return code;
  });
}

function exportLog({ terminal }: CliInvocation): Promise<number> {
  return withStore(terminal, async ({ store, config }) => {
    const write = (line: string) => printLine(terminal, line);
    const faults = await exportAuditLog(store.db, await readAuditKeys(config.keys), write);
    return faults.length === 0 ? 0 : printAuditFaults(faults, redirectToErrors(terminal)); // to stderr, because stdout may contain the export
  });
}

function proveRow({ positionals: [row = ''], terminal }: CliInvocation): Promise<number> {
  if (!/^\d{1,15}$/.test(row)) throw new UsageError('Missing or invalid argument: ROW, the number of a row.');
  return withStore(terminal, async ({ store, config }) => {
    const proof = await exportAuditInclusionProof(store.db, Number(row), await readAuditKeys(config.keys));
    if (proof === null) throw new CommandError(`There is no row ${row}, or it is not sealed yet.`);
    if (proof.faults.length > 0) return printAuditFaults(proof.faults, redirectToErrors(terminal));
    printLine(terminal, proof.line);
    return 0;
  });
}

function redirectToErrors({ err, ...terminal }: Terminal): Terminal {
  return { ...terminal, err, out: err };
}

/** Needs no database, because the file contains all signed data. */
async function checkExport({ positionals: [file, ...trusted], terminal }: CliInvocation): Promise<number> {
  if (file === undefined) throw new UsageError('Missing argument: FILE.');
  const { keys, proof, batches } = await parseAuditExport(splitLines(createReadStream(file, 'utf8'))).catch(
    throwUnreadable,
  );
  const trust = new Map([...keys].filter(([kid]) => trusted.length === 0 || trusted.includes(kid)));
  let code = 0;
  if (proof === null)
    code = printAuditFaults((await verifySealedBatches(batches, { trust }).catch(throwUnreadable)).faults, terminal);
  else {
    const { row, seal } = proof;
    const sealed = `is under seal ${seal.number} of ${seal.sealed_at.toISOString()}.`;
    code = isValidAuditInclusionProof(proof, trust) ? 0 : 1;
    printLine(
      terminal,
      code
        ? 'The proof does not hold.'
        : `The proof holds: ${JSON.stringify(selectSealedAuditColumns(row))}\n${sealed}`,
    );
  }
  if (trusted.length === 0)
    printLine(terminal, `Signed by ${[...keys.keys()].join(', ')}: compare it with the server's key.`);
  return code;
}

function throwUnreadable(cause: unknown): never {
  throw new CommandError(`The file cannot be read as an export of the audit log: ${String(cause)}`, { cause });
}

function readCheckpoint(number: string | undefined, hash: string | undefined): AuditCheckpoint | undefined {
  if (number === undefined) return undefined;
  if (!/^\d{1,15}$/.test(number) || hash === undefined || !/^[0-9a-f]{64}$/.test(hash))
    throw new UsageError('Invalid arguments: NUMBER and HASH must be those of an earlier seal.');
  return { number: Number(number), hash };
}
