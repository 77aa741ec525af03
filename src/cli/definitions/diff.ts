import { DefinitionError, formatProblem, type Problem } from '../../engine/compiler/definitions.ts';
import { loadDefinitions } from '../../engine/compiler/load-definitions.ts';
import { analysisOptions } from '../../server/app/lint-options.ts';
import { definitionOptions } from '../../server/app/definition-options.ts';
import { action, UsageError } from '../command.ts';
import { root } from '../project.ts';
import { formatList, formatChange, compareWithCommit, type Comparison } from './changes-since.ts';
import { languageOption, readLanguage, say } from './language.ts';
import { inLanguage, type Localized } from '../../engine/compiler/sources/say.ts';
import { gravestFirst } from './findings-report.ts';

/** Maximum number of characters of a text, and of a section: GitHub refuses comments longer than 65,536 characters. */
const maxTextSize = 240;
const maxPerSection = 14_000;

export function reviewComment(
  { changes, screens }: Comparison,
  findings: readonly Problem[],
  language: 'es' | 'en',
): string {
  const section = (title: Localized, lines: readonly string[]): string => {
    if (lines.length === 0) return '';
    const items = lines.map((line) => `- ${line}\n`);
    let [shown, size] = [0, 0];
    for (; shown < items.length && size + (items[shown]?.length ?? 0) <= maxPerSection; shown += 1)
      size += items[shown]?.length ?? 0;
    const rest = shown < lines.length ? `- ${inLanguage(say`${lines.length - shown} more`, language)}\n` : '';
    return `\n### ${inLanguage(title, language)} (${lines.length})\n\n${items.slice(0, shown).join('')}${rest}`;
  };
  const changed = (breaking: boolean) =>
    changes
      .filter((change) => change.breaking === breaking)
      .map((change) => `${codeSpan(change.where)}: ${codeSpan(formatChange(change, language))}`);
  const found = gravestFirst(findings).map((finding) => codeSpan(formatProblem(finding)));
  const sentences = [
    ...(changes.length === 0 ? [say`Nothing changed.`] : []),
    ...(findings.length === 0 ? [say`The checker finds nothing.`] : []),
  ];
  return [
    `## ${inLanguage(say`Change of screens and flows`, language)}\n`,
    section(say`Breaks something that was`, changed(true)),
    section(say`Breaks nothing`, changed(false)),
    section(say`Screens that change`, screens.map(codeSpan)),
    section(say`Findings of the checker`, found),
    ...sentences.map((sentence) => `\n${inLanguage(sentence, language)}\n`),
  ].join('');
}

/**
 * Quotes a text as a code span (CommonMark, section 6.1), which disables Markdown, HTML and mentions. The fence is longer than each run of backticks
 * in the text, and line breaks and invisible characters become spaces, so that nothing ends the span early.
 */
export function codeSpan(text: string): string {
  const plain = [...text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()].slice(0, maxTextSize).join('');
  const longest = Math.max(0, ...[...plain.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = longest > 0 || plain === '' ? ' ' : '';
  return `${fence}${space}${plain}${space}${fence}`;
}

const options = { markdown: { type: 'boolean', default: false }, ...languageOption } as const;

export const command = action(options, async ({ words: [commit = 'HEAD'], options: given, terminal }) => {
  const language = readLanguage(given.lang);
  const comparison = await compareWithCommit(root, commit);
  if (!comparison) throw new UsageError(`There is no commit "${commit}" with definitions.`);
  const { changes } = comparison;
  terminal.out(
    given.markdown ? reviewComment(comparison, await findingsNow(language), language) : formatList(changes, language),
  );
  return changes.some(({ breaking }) => breaking) ? 1 : 0;
});

async function findingsNow(language: 'es' | 'en'): Promise<readonly Problem[]> {
  try {
    return (await loadDefinitions({ ...definitionOptions(root), analysis: analysisOptions(root), language })).findings;
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
    throw error;
  }
}
