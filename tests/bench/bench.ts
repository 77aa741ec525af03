import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { buildPortal } from '../../src/cli/build-portal.ts';
import { projectRoot } from '../../src/cli/project.ts';
import { buildPages } from './build-pages.ts';
import { measureEnumeration } from './enumeration-bench.ts';
import { measureForms } from './form-bench.ts';
import { FORMS, type BenchForm } from './bench-forms.ts';
import { measurePages } from './lighthouse-bench.ts';
import { formatMarkdownTable, type TableRow } from './markdown-table.ts';
import { measureCosts, measureThroughput, measureWorkers } from './server-bench.ts';

const { values: given } = parseArgs({
  options: {
    only: { type: 'string' },
    runs: { type: 'string', default: '5' },
    pages: { type: 'string' },
    forms: { type: 'string' },
  },
});
const runs = Number(given.runs);
const { FORMS: forms } =
  given.forms === undefined
    ? { FORMS }
    : ((await import(pathToFileURL(resolve(given.forms)).href)) as { FORMS: Readonly<Record<string, BenchForm>> });

const benches: Readonly<Record<string, () => Promise<readonly TableRow[]>>> = {
  async forms() {
    const folder = join(tmpdir(), 'portal-bench');
    await buildPages(forms, folder);
    return measureForms(folder, Object.keys(forms), runs);
  },
  server: measureThroughput,
  costs: measureCosts,
  workers: measureWorkers,
  enumeration: measureEnumeration,
  lighthouse: () => measurePages(runs),
};

const chosen = given.only === undefined ? Object.keys(benches) : [given.only];
const unknown = chosen.find((name) => !Object.hasOwn(benches, name));
if (given.pages !== undefined) await buildPages(forms, resolve(given.pages));
else if (unknown !== undefined) {
  console.error(`"${unknown}" is not a benchmark. Choose one of ${Object.keys(benches).join(', ')}.`);
  process.exitCode = 1;
} else {
  if (chosen.some((name) => name !== 'forms')) await buildPortal(projectRoot, { force: false });
  for (const name of chosen) console.log(`${formatMarkdownTable((await benches[name]?.()) ?? [])}\n`);
}
