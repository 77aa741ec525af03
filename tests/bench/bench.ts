import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { measureBookings } from './bookings-bench.ts';
import { buildPages } from './build-pages.ts';
import { measureCommands } from './commands-bench.ts';
import { measureCosts } from './cost-bench.ts';
import { measureDecisions } from './decisions-bench.ts';
import { measureEnumeration } from './enumeration-bench.ts';
import { measureForms } from './form-bench.ts';
import { FORMS, type BenchForm } from './forms.ts';
import type { ServerFigures } from './load.ts';
import { markdownTable } from './markdown-table.ts';
import { measurePages } from './lighthouse-bench.ts';
import { measureOidc } from './oidc-bench.ts';
import { measureSaml } from './saml-bench.ts';
import { measureServer } from './server-bench.ts';
import { measureWorkers } from './workers-bench.ts';

/**
 * `npm run bench`: forms beside a hand-written one, the server under load, CPU time and round trips of what is asked for most, one to three workers, commands of the database, bookings, decisions of agents, sign-ins by OIDC and SAML, pages by Lighthouse beside hand-written ones, and whether times tell accounts apart, in
 * Markdown tables. `-- --only forms|server|costs|workers|commands|bookings|decisions|sign-ins|enumeration|lighthouse` runs one of them.
 * `npm run bench -- --pages DIR [--forms FILE]` only builds the pages, from other forms of the same language if wanted,
 * so that a bench elsewhere can measure them in its own run.
 */
const { values: given } = parseArgs({
  options: {
    only: { type: 'string' },
    runs: { type: 'string', default: '5' },
    pages: { type: 'string' },
    forms: { type: 'string' },
  },
});

const { FORMS: forms } =
  given.forms === undefined
    ? { FORMS }
    : ((await import(pathToFileURL(resolve(given.forms)).href)) as { FORMS: Readonly<Record<string, BenchForm>> });

const benches: Readonly<Record<string, () => Promise<readonly Readonly<Record<string, string | number>>[]>>> = {
  forms: async () => {
    const folder = join(tmpdir(), 'portal-bench');
    await buildPages(forms, folder);
    return (await measureForms(folder, Object.keys(forms), Number(given.runs))).map(({ form, ours, ratio }) => ({
      form,
      'start ms': ours.start,
      'x hand-written': ratio.start,
      'key ms': ours.key,
      'x hand-written ': ratio.key,
      'submit ms': ours.submit,
      'x hand-written  ': ratio.submit,
    }));
  },
  server: async () => (await measureServer()).map(serverRow),
  costs: async () =>
    (await measureCosts()).map(({ work, cpuMs, statements, roundTrips }) => ({
      work,
      'CPU ms': cpuMs,
      statements,
      'round trips': roundTrips,
    })),
  workers: async () => (await measureWorkers()).map(({ workers, ...figures }) => ({ workers, ...serverRow(figures) })),
  commands: async () =>
    (await measureCommands()).map(({ work, perSecond, ratio }) => ({
      work,
      'per s': perSecond,
      'x one after another': ratio,
    })),
  bookings: async () => (await measureBookings()).map(serverRow),
  decisions: async () =>
    (await measureDecisions()).map(({ work, decisions, median, p99, ratio }) => ({
      work,
      decisions,
      'median ms': median,
      'p99 ms': p99,
      'x alone': ratio,
    })),
  'sign-ins': async () => [...(await measureOidc()), ...(await measureSaml())].map(serverRow),
  lighthouse: async () =>
    (await measurePages(Number(given.runs))).map(({ fcp, lcp, blocked, machine, handwritten, ...scores }) => ({
      ...scores,
      'FCP ms': fcp,
      'LCP ms': lcp,
      'x hand-written': handwritten ? lcp / handwritten.lcp : '',
      'TBT ms': blocked,
      // Where the hand-written page blocks nothing, a ratio says nothing.
      'x hand-written ': handwritten && handwritten.blocked > 0 ? blocked / handwritten.blocked : '',
      'hand-written performance': handwritten?.performance ?? '',
      'benchmark index': machine,
    })),
  enumeration: async () =>
    (await measureEnumeration()).map(({ work, samples, known, unknown, ratio, auc, p }) => ({
      work,
      samples,
      'known ms': known,
      'unknown ms': unknown,
      ratio,
      AUC: auc,
      p,
    })),
};

function serverRow({ work, perSecond, median, p99 }: ServerFigures): Record<string, string | number> {
  return { work, 'per s': perSecond, 'median ms': median, 'p99 ms': p99 };
}

if (given.pages !== undefined) await buildPages(forms, resolve(given.pages));
else {
  const { only } = given;
  for (const [name, measure] of Object.entries(benches)) {
    if (only === undefined || only === name) console.log(`${markdownTable(await measure())}\n`);
  }
}
