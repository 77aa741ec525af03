import { parseArgs } from 'node:util';
import { DefinitionError } from '../engine/compiler/definitions.ts';
import { inLanguage, type Localized } from '../engine/compiler/localized.ts';
import { openDefinitions } from '../engine/compiler/open-definitions.ts';
import { say } from '../engine/compiler/sources/say.ts';
import { analysisOptions } from '../server/app/analysis-options.ts';
import { definitionOptions } from '../server/app/definition-options.ts';
import { openContent } from '../server/features/content/open-content.ts';
import { reportFormats, reportOf, type ReportFormat } from './definitions/findings-report.ts';
import { root } from './project.ts';

const { values } = parseArgs({
  options: {
    strict: { type: 'boolean', default: false },
    format: { type: 'string', default: 'text' },
    lang: { type: 'string', default: 'es' },
  },
});
const format = reportFormats.find((known) => known === values.format);
if (!format || !['es', 'en'].includes(values.lang)) {
  process.stderr.write(
    `Usage: npm run check:definitions -- [--strict] [--format ${reportFormats.join('|')}] [--lang es|en]\n`,
  );
  process.exitCode = 2;
} else await check(format);

/** Checks screens, flows and pages; with `--strict` a warning fails as well. */
async function check(known: ReportFormat): Promise<void> {
  const print = (line: Localized) =>
    void (known === 'text' && process.stdout.write(`${inLanguage(line, values.lang)}\n`)); // other formats are read by programs
  try {
    const options = { ...definitionOptions(root), analysis: analysisOptions(root), language: values.lang };
    const definitions = await openDefinitions(options);
    const { screens, flows, findings } = definitions.current;
    process.stdout.write(reportOf(findings, known));
    if (values.strict && findings.some(({ severity }) => severity === 'W')) process.exitCode = 1;
    print(say`${screens.size} screens and ${Object.keys(flows).length} flows are fine.`);
    const content = await openContent({ root, definitions, language: values.lang });
    const texts = Object.values(content.current);
    const questions = texts.flatMap(({ categories }) => categories.flatMap((category) => category.questions));
    const pages = texts.flatMap((own) => own.pages);
    print(say`${pages.length} pages and ${questions.length} questions in ${texts.length} languages are fine.`);
    await definitions.close();
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    (known === 'text' ? process.stderr : process.stdout).write(reportOf(error.problems, known));
    process.exitCode = 1;
  }
}
