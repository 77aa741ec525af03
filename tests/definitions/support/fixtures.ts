import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  getScreenCasesPath,
  screenCasesFolder,
  parseScreenCases,
  type ScreenCase,
} from '../../../src/cli/definitions/cases/screen-cases.ts';
import { isMarkdownFile } from '../../../src/engine/compiler/files/read-definition-files.ts';

export const root = resolve(import.meta.dirname, '../../..');

export const screens: readonly string[] = readdirSync(join(root, 'schemas')).filter(
  (name) => !name.startsWith('_') && !isMarkdownFile(name),
);

const entries = readdirSync(join(root, screenCasesFolder));

/** Names of the screens with a file of cases or of snapshots. */
export const screensWithFixtures: readonly string[] = [
  ...new Set(entries.map((name) => name.replace(/\.(json|txt)$/, ''))),
];

/** Returns a screen's cases and the facts with which it is rendered. Returns no cases if there is no file. */
export function readScreenFixtures(screen: string): {
  readonly cases: readonly ScreenCase[];
  readonly context: ScreenCase['context'];
} {
  if (!entries.includes(`${screen}.json`)) return { cases: [], context: {} };
  const {
    cases,
    context,
    malformedCases: misshapen,
  } = parseScreenCases(readFileSync(join(root, getScreenCasesPath(screen)), 'utf8'));
  if (misshapen.length > 0) throw new Error(`${getScreenCasesPath(screen)}: ${misshapen.join(', ')} are no cases.`);
  return { cases, context };
}
