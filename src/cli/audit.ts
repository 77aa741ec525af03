import { lastAuditRow, verifyAudit } from '../server/store/audit.ts';
import { UsageError, withStore } from './with-store.ts';

const usage = `Usage:
  npm run audit -- verify [NUMBER HASH]
Walks the audit log: a changed, added or removed row breaks it. Rows that were cut off at its end are missed only by who has kept the number and
hash of an earlier end, which this command prints.
`;

await withStore(usage, async (store) => {
  const [verb, number, hash] = process.argv.slice(2);
  if (verb !== 'verify') throw new UsageError(verb === undefined ? 'What shall be done?' : `There is no command ${verb}.`);
  if (number !== undefined && !(/^\d{1,15}$/.test(number) && /^[0-9a-f]{64}$/.test(hash ?? ''))) throw new UsageError('An earlier end is a number and a hash.');
  const broken = await verifyAudit(store.db, number === undefined || hash === undefined ? undefined : { seq: Number(number), hash });
  if (broken === null) {
    const last = await lastAuditRow(store.db);
    process.stdout.write(`The audit log is whole. Its end: ${last === null ? 'no row yet' : `${last.seq} ${last.hash}`}\n`);
  } else {
    process.stdout.write(`The audit log is broken at row ${broken}.\n`);
    process.exitCode = 1;
  }
});
