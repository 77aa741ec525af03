import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildPages } from './build-pages.ts';
import { measureForms } from './form-bench.ts';
import { FORMS, type BenchForm } from './forms.ts';
import { measureServer } from './server-bench.ts';

/**
 * `npm run bench`: forms beside a hand-written one, and the server under load.
 * `npm run bench -- --pages DIR [--forms FILE]` only builds the pages, from other forms of the same language if wanted,
 * so that a bench elsewhere can measure them in its own run.
 */
const option = (name: string): string | undefined => {
  const index = process.argv.indexOf(`--${name}`);
  return index < 0 ? undefined : process.argv[index + 1];
};

const formsFile = option('forms');
const { FORMS: forms } = formsFile === undefined ? { FORMS } : ((await import(pathToFileURL(resolve(formsFile)).href)) as { FORMS: Readonly<Record<string, BenchForm>> });
const pages = option('pages');

if (pages !== undefined) await buildPages(forms, resolve(pages));
else {
  const folder = join(tmpdir(), 'portal-bench');
  await buildPages(forms, folder);
  console.table((await measureForms(folder, Object.keys(forms), Number(option('runs') ?? 5))).map(({ form, ours, ratio }) => ({
    form, 'start ms': round(ours.start), 'x hand-written': round(ratio.start), 'key ms': round(ours.key), 'x hand-written ': round(ratio.key), 'submit ms': round(ours.submit), 'x hand-written  ': round(ratio.submit),
  })));
  console.table((await measureServer()).map(({ work, perSecond, median, p99 }) => ({ work, 'per s': round(perSecond), 'median ms': round(median), 'p99 ms': round(p99) })));
}

function round(figure: number): number {
  return Math.round(figure * 100) / 100;
}
