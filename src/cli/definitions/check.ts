import { DefinitionError, type Definitions, type Problem } from '../../engine/compiler/definitions.ts';
import { checkWording } from '../../engine/compiler/lint/wording/read-texts.ts';
import { openDefinitions } from '../../engine/compiler/open-definitions.ts';
import { createPrint, say, languageOption, readLanguage, explain } from './language.ts';
import { Problems, checkSource, type SourceFile } from '../../engine/compiler/sources/source-file.ts';
import { analysisOptions } from '../../server/app/lint-options.ts';
import { definitionOptions } from '../../server/app/definition-options.ts';
import { openContent } from '../../server/features/content/open-content.ts';
import { action, UsageError } from '../command.ts';
import { root } from '../project.ts';
import { reportFormats, formatReport } from './findings-report.ts';
import { mailFindings, otherTextFindings, wordingFile } from './other-texts.ts';
import { readWalks } from './read-walks.ts';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { guess } from '../../engine/compiler/sources/say.ts';
import { readSource } from '../../engine/compiler/sources/read-source.ts';
import { asObject, isObject } from '../../engine/core/json.ts';
import { escapePointer } from '../../engine/core/json-pointer.ts';
import { flattenFields } from '../../engine/compiler/screen/fields.ts';
import { casesFolder } from './cases.ts';

const options = {
  strict: { type: 'boolean', default: false },
  format: { type: 'string', default: 'text' },
  ...languageOption,
} as const;

export const command = action(options, async ({ options: { strict, format: name, lang }, terminal }) => {
  const format = reportFormats.find((known) => known === name);
  if (format === undefined) throw new UsageError(`There is no format ${name}.`);
  const language = readLanguage(lang);
  const print = format === 'text' ? createPrint(terminal, language) : () => undefined; // the other formats are for programs
  try {
    const problems = new Problems(language);
    await checkWording(root, wordingFile, problems);
    if (problems.list.length > 0) throw new DefinitionError(problems.list);
    const analysis = analysisOptions(root);
    const definitions = await openDefinitions({ ...definitionOptions(root), analysis, language });
    const { screens, flows } = definitions.current;
    const findings = [
      ...definitions.current.findings,
      ...(await otherTextFindings(root, analysis.wording ?? {}, language)),
      ...(await mailFindings(root, definitionOptions(root).baseLanguage, language, analysis.wording)),
    ];
    const wrong = [
      ...(await caseFileProblems(root, definitions.current, language)),
      ...(await readWalks(root, definitions.current, language)).problems,
    ];
    if (wrong.length > 0) throw new DefinitionError(wrong);
    terminal.out(formatReport(findings, format));
    print(say`${screens.size} screens and ${Object.keys(flows).length} flows are fine.`);
    const content = await openContent({ root, definitions, language });
    const texts = Object.values(content.current);
    const questions = texts.flatMap(({ categories }) => categories.flatMap((category) => category.questions));
    const pages = texts.flatMap((own) => own.pages);
    print(say`${pages.length} pages and ${questions.length} questions in ${texts.length} languages are fine.`);
    await definitions.close();
    return strict && findings.some(({ severity }) => severity === 'W') ? 1 : 0;
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    (format === 'text' ? terminal.err : terminal.out)(formatReport(error.problems, format));
    return 1;
  }
});

/** Checks the format of case files: valid JSON, known screens, distinct cases. Tests check what the cases expect. */
export async function caseFileProblems(
  root: string,
  { screens, schema }: Pick<Definitions, 'screens' | 'schema'>,
  language: string,
): Promise<readonly Problem[]> {
  const problems = new Problems(language);
  const names = await readdir(join(root, casesFolder)).catch(() => []);
  for (const name of names.filter((own) => own.endsWith('.json')).sort()) {
    const file = await readSource(root, `${casesFolder}/${name}`, problems);
    if (!file || !checkSource(file, problems)) continue;
    const screen = name.slice(0, -'.json'.length);
    if (!screens.has(screen))
      problems.report(file)('')(explain`There is no screen "${screen}": nobody runs these cases.
        ${guess(screen, screens)}Give the file the name of the screen's folder, or remove it.`);
    else {
      checkData(file, Object.keys(flattenFields(schema(screen) ?? {})), problems);
      checkCases(file, problems);
    }
  }
  return problems.list;
}

function checkData(file: SourceFile, fields: readonly string[], problems: Problems): void {
  const data = isObject(file.value) ? file.value['data'] : undefined;
  const known = new Set(fields.map((field) => field.split('.')[0] ?? ''));
  for (const name of Object.keys(asObject(data)))
    if (!known.has(name))
      problems.report(file)(`/data/${escapePointer(name)}`)(explain`The screen has no field "${name}": each case fails.
        ${guess(name, known)}Correct the name, or remove it.`);
}

/** Reports cases without effect: they change no value, or repeat another case. Such cases pass whatever the rules are. */
function checkCases(file: SourceFile, problems: Problems): void {
  const { data = {}, cases = {} } = file.value as { readonly data?: unknown; readonly cases?: unknown };
  const shared = asObject(data);
  const known = new Map<string, string>();
  for (const [name, row] of Object.entries(asObject(cases))) {
    if (!isObject(row)) continue;
    const at = `/cases/${escapePointer(name)}`;
    const { with: changed, without, data: own, context } = row;
    for (const [field, value] of Object.entries(asObject(changed)))
      if (Object.hasOwn(shared, field) && JSON.stringify(shared[field]) === JSON.stringify(value))
        problems.report(file)(`${at}/with/${escapePointer(field)}`)(explain`
          "${field}" has that value in "data" already: this case does not try it.
          Write the value that the note speaks of, or remove it.`);
    for (const [index, field] of (Array.isArray(without) ? without : []).entries())
      if (!Object.hasOwn(shared, String(field)))
        problems.report(file)(`${at}/without/${index}`)(explain`
          "data" has no "${String(field)}" that this case could leave out.
          ${guess(String(field), Object.keys(shared))}Name a field of "data".`);
    const tries = JSON.stringify([changed ?? {}, without ?? [], own ?? null, context ?? null]);
    const first = known.get(tries);
    if (first !== undefined)
      problems.report(file)(at)(explain`This case tries the same as "${first}".
        Write the values that its note speaks of, or remove it.`);
    else known.set(tries, name);
  }
}
