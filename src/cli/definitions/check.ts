import { DefinitionError } from '../../engine/compiler/definitions.ts';
import { inLanguage, type Localized } from '../../engine/compiler/sources/say.ts';
import { checkWording } from '../../engine/compiler/lint/wording/read-texts.ts';
import { openDefinitions } from '../../engine/compiler/open-definitions.ts';
import { say, languageOption, readLanguage } from './language.ts';
import { Problems } from '../../engine/compiler/sources/source-file.ts';
import { analysisOptions } from '../../server/app/lint-options.ts';
import { definitionOptions } from '../../server/app/definition-options.ts';
import { openContent } from '../../server/features/content/open-content.ts';
import { action, UsageError, type Command, type Invocation } from '../command.ts';
import { root } from '../project.ts';
import { reportFormats, formatReport } from './findings-report.ts';
import { caseFileProblems } from './case-files.ts';
import { mailFindings, otherTextFindings, wordingFile } from './other-texts.ts';
import { readWalks } from './read-walks.ts';

const options = {
  strict: { type: 'boolean', default: false },
  format: { type: 'string', default: 'text' },
  ...languageOption,
} as const;

export const command: Command = {
  action: action(options, check),
};

async function check({
  options: { strict, format: name, lang },
  terminal,
}: Invocation<typeof options>): Promise<number> {
  const format = reportFormats.find((known) => known === name);
  if (format === undefined) throw new UsageError(`There is no format ${name}.`);
  const language = readLanguage(lang);
  const print = (line: Localized): void => {
    if (format === 'text') terminal.out(`${inLanguage(line, language)}\n`); // the other formats are for programs
  };
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
}
