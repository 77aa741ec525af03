import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DefinitionError, type ServedDefinitions, type DefinitionProblem } from '../../engine/compiler/definitions.ts';
import { omitConsequentialProblems } from '../../engine/compiler/omit-consequential-problems.ts';
import { checkWordingFile } from '../../engine/compiler/lint/wording/list-located-texts.ts';
import { loadDefinitions } from '../../engine/compiler/load-definitions.ts';
import { DefinitionLoadCache } from '../../engine/compiler/sources/load-cache.ts';
import { suggestSimilarName } from '../../engine/compiler/sources/localized-text.ts';
import { buildFieldPointer } from '../../engine/compiler/screen/schema-fields.ts';
import { ProblemCollector } from '../../engine/compiler/sources/problem-collector.ts';
import { baseLanguage as base, languages } from '../../contract/portal-config.ts';
import { createDefinitionOptions } from '../../server/app/definition-options.ts';
import { createDefinitionLintOptions } from '../../server/app/definition-lint-options.ts';
import { buildScenarioPath } from '../../studio/scenario/scenario.ts';
import { createCliAction, UsageError } from '../command.ts';
import { hashCachedModule, importSource } from '../load.mjs';
import { listFiles, projectRoot, readTexts } from '../project.ts';
import type { checkHelpContent, HelpContentCheckResult } from './check-help-content.ts';
import { addAcceptedValues } from './cases/accepted-values.ts';
import { getScreenCasesPath, readScreenCases } from './cases/screen-cases.ts';
import { findFailingCases, findRejectionsOfValidCase } from './cases/failing-cases.ts';
import { findUntestedFields, findCaseFileProblems } from './cases/case-file-problems.ts';
import {
  checkScreensAndScenarios,
  describeBrokenScenarios,
  listUncheckedScenarios,
  printBrokenScenarios,
  type ScenarioCheckResult,
} from './check-scenarios.ts';
import {
  describeScreenFailure,
  listUncheckedScreens,
  printScreenResult,
  type ScreenCheckResult,
} from './check-screens.ts';
import { printCoverageReport } from './coverage.ts';
import { formatFindingsReport, findingsReportFormats } from './findings-report.ts';
import {
  createLocalizedPrint,
  formatShortList,
  languageOption,
  parseLanguageOption,
  localize,
} from './localized-output.ts';
import { readServerCode } from './texts/mail-placeholders.ts';
import { findMailProblems } from './texts/mail-text-problems.ts';
import { findCopiedTitles, moveFindingsToCopies } from './texts/copied-titles.ts';
import { findOutdatedTranslations } from './texts/outdated-translations.ts';
import {
  findSlips,
  listDefinitionTexts,
  listProjectTexts,
  listTextsOutsideDefinitions,
  findWordingProblems,
  omitKnownWords,
  readFilesOutsideDefinitions,
  readJsonTextFiles,
  wordingGlossaryPath,
} from './texts/texts-outside-definitions.ts';
import { findRenamedNames, omitRenamedNames } from './texts/renamed-names.ts';
import { explainByLostPlaceholders, findLostPeriods, findLostPlaceholders } from './texts/lost-text-parts.ts';
import { findMisspeltChanges, omitConsequencesOfChanges } from './texts/misspelt-changes.ts';
import { findUnmatchedPageParagraphs } from './texts/unmatched-paragraph.ts';
import { findUnknownButtonNames } from './texts/unknown-button-names.ts';
import { findInconsistentFacts } from './texts/inconsistent-facts.ts';
import type { ProjectText } from './texts/read-project-texts.ts';
import { findUnknownQuestions, findUnknownTextKeys } from './texts/unknown-references.ts';
import { readTextChanges } from './texts/text-changes.ts';
import { findTextTableProblems } from './texts/text-table-problems.ts';
import { readScenarios } from './cases/read-scenarios.ts';
import { openCheckResultCache } from './check-result-cache.ts';
import { isExplained } from './is-explained.ts';

const options = {
  accept: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  set: { type: 'boolean', default: false },
  strict: { type: 'boolean', default: false },
  format: { type: 'string', default: 'text' },
  ...languageOption,
} as const;

export const command = createCliAction(
  options,
  async ({ positionals, options: { format: name, lang, ...given }, terminal }) => {
    const format = findingsReportFormats.find((known) => known === name);
    if (format === undefined) throw new UsageError(`There is no format ${name}.`);
    const language = parseLanguageOption(lang);
    const print = createLocalizedPrint(format === 'text' ? terminal : { ...terminal, out: terminal.err }, language); // in formats other than text, prints messages to stderr, because stdout contains only the report
    const { results: cachedResults, save } = openCheckResultCache();
    try {
      const cache = new DefinitionLoadCache(cachedResults);
      const checked = await checkDefinitions(language, cache);
      const { definitions, scenarios, errors, invalidScreens, findings: all, content } = checked;
      const unknown = positionals.filter((screen) => !definitions.screens.has(screen));
      const named = positionals.filter((screen) => definitions.screens.has(screen) && !invalidScreens.has(screen));
      const reported = new Set<string>(); // untested fields that are reported with a proposed value or with the cases
      for (const screen of given.write || given.accept ? named : [])
        for (const { field, value, pointer } of await addAcceptedValues(projectRoot, definitions, screen)) {
          reported.add(`${getSchemaPath(screen)} ${pointer}`);
          print(
            localize`proposed ${JSON.stringify(value)} for "${field}" in "data": confirm that the value is right.`,
            `${getScreenCasesPath(screen)}: `,
          );
        }
      const checkContext = { root: projectRoot, definitions, kept: cachedResults };
      const screens =
        given.set || unknown.length > 0
          ? []
          : positionals.length > 0
            ? named
            : (await listUncheckedScreens(checkContext)).filter((screen) => !invalidScreens.has(screen));
      const untested = all.filter(({ rule }) => rule === 'case/field');
      for (const screen of screens.filter((own) => untested.some(({ file }) => file === getSchemaPath(own))))
        for (const { field } of await findRejectedFields(definitions, screen))
          reported.add(`${getSchemaPath(screen)} ${buildFieldPointer(field)}`);
      const findings = all.filter(
        ({ rule, file, pointer }) => rule !== 'case/field' || !reported.has(`${file} ${pointer}`),
      );
      if (format === 'text') terminal.err(formatFindingsReport(errors, format));
      terminal.out(formatFindingsReport(format === 'text' ? findings : [...errors, ...findings], format));
      for (const screen of unknown)
        print(localize`There is no screen "${screen}". ${suggestSimilarName(screen, definitions.screens)}`);
      const walks = given.set || unknown.length > 0 ? [] : listUncheckedScenarios(checkContext, scenarios, positionals);
      const { results, replayed } = await checkScreensAndScenarios(checkContext, screens, walks, given.accept);
      for (const result of results) printScreenResult(result, given.accept, print, language);
      for (const result of replayed) printBrokenScenarios(result, results, print);
      const uncovered = await printCoverageReport(given.set || unknown.length > 0 ? [] : named, {
        ...given,
        outdated: given.accept
          ? []
          : results
              .filter(({ changedSnapshot, failing }) => changedSnapshot || failing.length > 0)
              .map(({ screen }) => screen),
        cache,
        print,
        language,
      });
      const warnings = findings.filter(({ severity }) => severity === 'W').length;
      const flows = Object.keys(definitions.flows).length;
      const counts = { screens: definitions.screens.size, flows, errors: errors.length, warnings, uncovered };
      return printCheckSummary({ ...content, ...counts, unknown, results, replayed }, given, print);
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      const lost = findLostPlaceholders(projectRoot, readTextChanges(projectRoot, languages), { base }, language);
      const problems = explainByLostPlaceholders(error.problems, lost);
      (format === 'text' ? terminal.err : terminal.out)(formatFindingsReport(problems, format));
      print(localize`Failed: ${describeErrors(problems.length)}.`);
      return 1;
    } finally {
      save();
    }
  },
);

function getSchemaPath(screen: string): string {
  return `schemas/${screen}/schema.json`;
}

/** Returns the fields that make the rules reject the case "valid". */
async function findRejectedFields(definitions: ServedDefinitions, screen: string) {
  return findRejectionsOfValidCase(findFailingCases(definitions, screen, await readScreenCases(projectRoot, screen)));
}

interface CheckOutcome extends Omit<HelpContentCheckResult, 'problems'> {
  readonly screens: number;
  readonly flows: number;
  readonly unknown: readonly string[];
  readonly results: readonly ScreenCheckResult[];
  readonly replayed: readonly ScenarioCheckResult[];
  readonly errors: number;
  readonly warnings: number;
  readonly uncovered: number;
}

/** Prints the summary of a check. Returns the exit code. */
export function printCheckSummary(
  { screens, flows, unknown, results, replayed, errors, warnings, uncovered, ...content }: CheckOutcome,
  { accept, strict }: { readonly accept: boolean; readonly strict: boolean },
  print: Print,
): number {
  const failures = [
    ...(errors > 0 ? [describeErrors(errors)] : []),
    ...(unknown.length > 0 ? [localize`${unknown.join(', ')}: no screen`] : []),
    ...results.flatMap((result) => describeScreenFailure(result, accept)),
    ...replayed.flatMap(describeBrokenScenarios),
    ...(strict && warnings > 0 ? [localize`warnings: ${warnings}`] : []),
    ...(strict && uncovered > 0 ? [localize`untested rules and texts: ${uncovered}`] : []),
  ];
  for (const failure of failures) print(localize`Failed: ${failure}.`);
  if (failures.length > 0) return 1;
  print(localize`${screens} screens and ${flows} flows are fine.`);
  print(
    localize`${content.pages} pages and ${content.questions} questions in ${content.languages} languages are fine.`,
  );
  if (results.length > 0)
    print(localize`Tested cases and snapshots: ${formatShortList(results.map(({ screen }) => screen))}.`);
  if (replayed.length > 0) print(localize`Replayed walks: ${formatShortList(replayed.map(({ flow }) => flow))}.`);
  if (warnings > 0) print(localize`Warnings: ${warnings}. npm test does not accept them.`);
  if (uncovered > 0) print(localize`Untested rules and texts: ${uncovered}. npm test does not accept them.`);
  return 0;
}

const describeErrors = (count: number) => localize`the mistakes above: ${count}`;

/**
 * Checks definitions, case files and texts. Does not run the cases or compare snapshots. Throws a DefinitionError if there are errors, except
 * those of case files and scenarios, which must not hide the results of other screens.
 */
async function checkDefinitions(language: 'es' | 'en', cache: DefinitionLoadCache) {
  const problems = new ProblemCollector(language);
  await cache.getStoredOrComputeAsync(
    wordingGlossaryPath,
    [await readFile(join(projectRoot, wordingGlossaryPath), 'utf8')],
    async () => {
      await checkWordingFile(projectRoot, wordingGlossaryPath, problems);
      if (problems.list.length > 0) throw new DefinitionError(problems.list);
      return true;
    },
  );
  const analysis = createDefinitionLintOptions(projectRoot);
  const options = createDefinitionOptions(projectRoot);
  const definitions = await loadDefinitions({ ...options, analysis, language }, cache);
  const scenarios = await readScenarios(projectRoot, definitions, language, cache);
  const caseErrors = await findCaseFileProblems(projectRoot, definitions, language, options.facts, cache);
  const errors = [...caseErrors, ...scenarios.problems];
  const invalidFiles = new Set(errors.map(({ file }) => file));
  const hasInvalidCases = (screen: string) =>
    invalidFiles.has(getScreenCasesPath(screen)) || invalidFiles.has(`schemas/${screen}/ui.json`);
  const invalidScreens = new Set([...definitions.screens].filter(hasInvalidCases));
  const screens = new Set([...definitions.screens].filter((screen) => !hasInvalidCases(screen)));
  const wording = analysis.wording ?? {};
  const otherFiles = await readFilesOutsideDefinitions(projectRoot);
  const { routes } = definitions.manifest(languages[0] ?? '');
  const paths = routes.map(({ path }) => path);
  const inputs = [language, JSON.stringify([wording, paths]), ...otherFiles];
  const today = new Date().toDateString(); // deadlines in texts pass
  const withCode = [await readServerCode(projectRoot), today, ...inputs];
  const otherTexts = await cache.getStoredOrComputeAsync('other texts', withCode, async () => [
    ...(await findWordingProblems(projectRoot, wording, language, { ...analysis, paths })),
    ...(await findMailProblems(projectRoot, base, language, wording)),
    ...(await findUnmatchedPageParagraphs(projectRoot, languages, language)),
    ...(await findTextTableProblems(projectRoot, languages, language)),
  ]);
  const slips = await cache.getStoredOrComputeAsync('slips', inputs, () => findSlips(projectRoot, wording, language));
  const named = await readJsonTextFiles(projectRoot, ['schemas', 'plugins', 'src/server']);
  let allTexts: Promise<readonly ProjectText[]> | undefined;
  const listTexts = () => (allTexts ??= listProjectTexts(projectRoot, languages));
  const namesAndFacts = await cache.getStoredOrComputeAsync('names in texts', [...named, ...inputs], async () => [
    ...findUnknownButtonNames(await listTexts(), wording, language),
    ...findInconsistentFacts(await listTexts(), wording, language),
  ]);
  const changes = readTextChanges(projectRoot, languages);
  const others = [
    ...otherTexts,
    ...(await omitKnownWords(projectRoot, slips, languages, listDefinitionTexts)),
    ...namesAndFacts,
    ...(await findUnknownTextKeys(projectRoot, language)),
    ...(await findUnknownQuestions(projectRoot, language)),
    ...findOutdatedTranslations(changes, base, language),
  ];
  const ofTexts = others.filter(({ rule }) => rule === undefined);
  if (ofTexts.length > 0) throw new DefinitionError([...errors, ...ofTexts]);
  const texts = [language, JSON.stringify(routes), hashCachedModule(...contentProgram), ...(await readContent())];
  const content = await cache.getStoredOrComputeAsync('content', texts, () => runContentCheck(definitions, language));
  const renamed = await findRenamedNames(changes, language, listTexts);
  const ofWords = await omitKnownWords(projectRoot, definitions.findings, languages, listTextsOutsideDefinitions);
  const found = await moveFindingsToCopies(projectRoot, ofWords, listTexts);
  const isReported = ({ rule, file, line }: DefinitionProblem) =>
    [...found, ...others].some((one) => one.rule === rule && one.file === file && one.line === line);
  const ofChanges = [
    ...(await findMisspeltChanges(changes, language, listTexts)),
    ...findLostPlaceholders(projectRoot, changes, { base, counts: wording[base]?.counts }, language),
    ...findLostPeriods(changes, language),
    ...(await findCopiedTitles(projectRoot, found, language, listTexts)),
  ].filter((one) => one.rule === 'text/pair' || !isReported(one));
  const other = others.filter((problem) => !isExplained(problem, [...found, ...others, ...ofChanges]));
  const omitConsequences = (problems: readonly DefinitionProblem[]) =>
    omitConsequencesOfChanges(omitRenamedNames(problems, renamed), ofChanges);
  const findings: readonly DefinitionProblem[] = [
    ...omitConsequences(found),
    ...omitConsequentialProblems(omitConsequences(other), language),
    ...renamed,
    ...ofChanges,
    ...(await findUntestedFields(projectRoot, definitions, language, screens)),
  ];
  return {
    definitions,
    scenarios: scenarios.list.filter(({ flow }) => !invalidFiles.has(buildScenarioPath(flow))),
    errors,
    invalidScreens,
    findings,
    content,
  };
}

/** Source and folder of the program that checks the help and the information pages. */
const contentProgram = ["export * from './check-help-content.ts';", import.meta.dirname] as const;

/** Checks the help and the information pages. Throws a DefinitionError that contains all their problems. */
async function runContentCheck({ languages, manifest }: ServedDefinitions, language: string) {
  const { routes } = manifest(languages[0] ?? '');
  const loaded = (await importSource(...contentProgram, true)) as { checkHelpContent: typeof checkHelpContent };
  const content = await loaded.checkHelpContent({ root: projectRoot, routes, languages, language });
  if (content.problems.length > 0) throw new DefinitionError(omitConsequentialProblems(content.problems, language));
  return content;
}

/** Reads the names and contents of the help, the information pages and the search vocabulary. */
async function readContent(): Promise<readonly string[]> {
  const pages = await listFiles(projectRoot, ['src/server/features/content'], (path) => path.endsWith('.md'));
  const files = ['src/brand/search.json', ...pages];
  return [...files, ...readTexts(projectRoot, files)];
}

type Print = ReturnType<typeof createLocalizedPrint>;
