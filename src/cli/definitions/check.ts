import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DefinitionError, type Definitions, type Problem } from '../../engine/compiler/definitions.ts';
import { checkWording } from '../../engine/compiler/lint/wording/list-texts.ts';
import { loadDefinitions } from '../../engine/compiler/load-definitions.ts';
import { LoadCache } from '../../engine/compiler/sources/load-cache.ts';
import { suggestName, type Localized } from '../../engine/compiler/sources/say.ts';
import { Problems } from '../../engine/compiler/sources/source-file.ts';
import { createDefinitionOptions } from '../../server/app/definition-options.ts';
import { createLintOptions } from '../../server/app/lint-options.ts';
import { createAction, UsageError } from '../command.ts';
import { hashCachedModule, importSource } from '../load.mjs';
import { root } from '../project.ts';
import type { checkContent, ContentCheck } from './check-content.ts';
import { findUntestedFields, findCaseFileProblems } from './case-file-problems.ts';
import { checkScreens, listUncheckedScreens, type ScreenResult } from './check-screens.ts';
import { reportCoverage } from './coverage-report.ts';
import { formatReport, reportFormats } from './findings-report.ts';
import { createPrint, languageOption, parseLanguage, say } from './language.ts';
import { findMailProblems, findWordingProblems, readOtherFiles, glossaryFile } from './other-texts.ts';
import { readScenarios } from './read-scenarios.ts';
import { openResultCache } from './result-cache.ts';
import { formatFailure } from './run-cases.ts';

const options = {
  accept: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  set: { type: 'boolean', default: false },
  strict: { type: 'boolean', default: false },
  format: { type: 'string', default: 'text' },
  ...languageOption,
} as const;

export const command = createAction(
  options,
  async ({ positionals, options: { format: name, lang, ...given }, terminal }) => {
    const format = reportFormats.find((known) => known === name);
    if (format === undefined) throw new UsageError(`There is no format ${name}.`);
    const language = parseLanguage(lang);
    const print = createPrint(format === 'text' ? terminal : { ...terminal, out: terminal.err }, language); // in other formats, stdout contains only the report
    const { results: cachedResults, save } = openResultCache();
    try {
      const cache = new LoadCache(cachedResults);
      const { definitions, findings, content } = await checkDefinitions(language, cache);
      terminal.out(formatReport(findings, format));
      const unknown = positionals.filter((screen) => !definitions.screens.has(screen));
      for (const screen of unknown)
        print(say`There is no screen "${screen}". ${suggestName(screen, definitions.screens)}`);
      const checkContext = { root, definitions, kept: cachedResults };
      const screens =
        given.set || unknown.length > 0
          ? []
          : positionals.length > 0
            ? positionals
            : await listUncheckedScreens(checkContext);
      const results = await checkScreens(checkContext, screens, given.accept);
      for (const result of results) printResult(result, given.accept, print, language);
      const uncovered = await reportCoverage(given.set || unknown.length > 0 ? [] : positionals, {
        ...given,
        cache,
        print,
        language,
      });
      const warnings = findings.filter(({ severity }) => severity === 'W').length;
      const flows = Object.keys(definitions.flows).length;
      const outcome = { ...content, screens: definitions.screens.size, flows, unknown, results, warnings, uncovered };
      return printSummary(outcome, given, print);
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      (format === 'text' ? terminal.err : terminal.out)(formatReport(error.problems, format));
      print(say`Failed: the mistakes above: ${error.problems.length}.`);
      return 1;
    } finally {
      save();
    }
  },
);

interface Outcome extends Omit<ContentCheck, 'problems'> {
  readonly screens: number;
  readonly flows: number;
  /** Arguments that are not screen names. */
  readonly unknown: readonly string[];
  readonly results: readonly ScreenResult[];
  readonly warnings: number;
  readonly uncovered: number;
}

/** Prints the failures, or that there are none. Returns the exit code. */
export function printSummary(
  { screens, flows, unknown, results, warnings, uncovered, ...content }: Outcome,
  { accept, strict }: { readonly accept: boolean; readonly strict: boolean },
  print: Print,
): number {
  const failures = [
    ...(unknown.length > 0 ? [say`${unknown.join(', ')}: no screen`] : []),
    ...results.flatMap((result) => describeFailure(result, accept)),
    ...(strict && warnings > 0 ? [say`warnings: ${warnings}`] : []),
    ...(strict && uncovered > 0 ? [say`untested rules and texts: ${uncovered}`] : []),
  ];
  for (const failure of failures) print(say`Failed: ${failure}.`);
  if (failures.length > 0) return 1;
  print(say`${screens} screens and ${flows} flows are fine.`);
  print(say`${content.pages} pages and ${content.questions} questions in ${content.languages} languages are fine.`);
  if (results.length > 0)
    print(say`Tested cases and snapshots: ${formatShortList(results.map(({ screen }) => screen))}.`);
  return 0;
}

/** Checks everything except cases and snapshots. Throws a DefinitionError with all problems. */
async function checkDefinitions(language: 'es' | 'en', cache: LoadCache) {
  const problems = new Problems(language);
  await cache.recallLater(glossaryFile, [await readFile(join(root, glossaryFile), 'utf8')], async () => {
    await checkWording(root, glossaryFile, problems);
    if (problems.list.length > 0) throw new DefinitionError(problems.list);
    return true;
  });
  const analysis = createLintOptions(root);
  const options = createDefinitionOptions(root);
  const definitions = await loadDefinitions({ ...options, analysis, language }, cache);
  const wrong = [
    ...(await findCaseFileProblems(root, definitions, language)),
    ...(await readScenarios(root, definitions, language)).problems,
  ];
  if (wrong.length > 0) throw new DefinitionError(wrong);
  const wording = analysis.wording ?? {};
  const others = await cache.recallLater('other texts', await readOtherFiles(root), async () => [
    ...(await findWordingProblems(root, wording, language, analysis.spans)),
    ...(await findMailProblems(root, options.baseLanguage, language, wording)),
  ]);
  const { routes } = definitions.manifest(definitions.languages[0] ?? '');
  const texts = [language, JSON.stringify(routes), hashCachedModule(...contentProgram), ...(await readContent())];
  const content = await cache.recallLater('content', texts, () => runContentCheck(definitions, language));
  const findings: readonly Problem[] = [
    ...definitions.findings,
    ...others,
    ...(await findUntestedFields(root, definitions, language)),
  ];
  return { definitions, findings, content };
}

/** Source and folder of the program that checks the help and the information pages. */
const contentProgram = ["export * from './check-content.ts';", import.meta.dirname] as const;

/** Checks the help and the information pages. Throws a DefinitionError with all problems. */
async function runContentCheck({ languages, manifest }: Definitions, language: string): Promise<ContentCheck> {
  const { routes } = manifest(languages[0] ?? '');
  const loaded = (await importSource(...contentProgram, true)) as { checkContent: typeof checkContent };
  const content = await loaded.checkContent({ root, routes, languages, language });
  if (content.problems.length > 0) throw new DefinitionError(content.problems);
  return content;
}

/** Reads names and contents of the help, the information pages and the search vocabulary. */
async function readContent(): Promise<readonly string[]> {
  const folder = 'src/server/features/content';
  const names = await readdir(join(root, folder), { recursive: true });
  const files = [
    ...names.filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`),
    'src/brand/search.json',
  ];
  return Promise.all(files.sort().map(async (file) => `${file}\n${await readFile(join(root, file), 'utf8')}`));
}

type Print = ReturnType<typeof createPrint>;

function printResult(
  { screen, failing, changedSnapshot, unread, thrown, file }: ScreenResult,
  accept: boolean,
  print: Print,
  language: string,
): void {
  for (const line of failing.flatMap((one) => formatFailure(one, language))) print(line);
  if (changedSnapshot) {
    print(say`the screen looks different:`, `${file}: `);
    for (const line of changedSnapshot.lines) print(`  ${line}`);
    if (changedSnapshot.more > 0) print(say`and ${changedSnapshot.more} more lines`, '  ');
  }
  if (unread !== undefined)
    print(say`the screen shows "${unread}": a value is missing. Give it one in "context" of the cases.`, `${file}: `);
  if (thrown !== undefined)
    print(say`the screen cannot be drawn: ${thrown}. Correct the widget that fails.`, `schemas/${screen}: `);
  if (failing.length === 0 && !changedSnapshot) return;
  if (accept) print(say`${screen}: accepted. Review the changes in tests/fixtures before you submit them.`);
  else
    print(
      say`${screen}: if this is correct, accept it with npm run check -- ${screen} --accept. Otherwise correct the screen or the case.`,
    );
}

function describeFailure(
  { screen, failing, changedSnapshot, unread, thrown }: ScreenResult,
  accept: boolean,
): readonly Localized[] {
  if (unread !== undefined || thrown !== undefined) return [say`the snapshot of ${screen}`];
  if (accept) return [];
  return [
    ...(failing.length > 0 ? [say`cases of ${screen}: ${failing.map(({ name }) => name).join(', ')}`] : []),
    ...(changedSnapshot ? [say`the snapshot of ${screen}`] : []),
  ];
}

/** Maximum number of screens whose names the summary lists. */
const maxNamedScreens = 5;

function formatShortList(screens: readonly string[]): Localized {
  const shown = screens.slice(0, maxNamedScreens).join(', ');
  return screens.length > maxNamedScreens ? say`${shown} and ${screens.length - maxNamedScreens} more` : say`${shown}`;
}
