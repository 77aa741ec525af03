import { DefinitionError, formatProblem, type Problem } from '../../engine/compiler/definitions.ts';
import { loadDefinitions } from '../../engine/compiler/load-definitions.ts';
import { createLintOptions } from '../../server/app/lint-options.ts';
import { createDefinitionOptions } from '../../server/app/definition-options.ts';
import { createAction, UsageError } from '../command.ts';
import { root } from '../project.ts';
import { formatChanges, formatChange, compareWithCommit, type DefinitionComparison } from './changes-since.ts';
import { languageOption, parseLanguage, say } from './language.ts';
import { selectLanguage, type Localized } from '../../engine/compiler/sources/say.ts';
import { sortBySeverity } from './findings-report.ts';

/** Maximum lengths of a text and of a section, in characters. GitHub rejects comments longer than 65,536 characters. */
const maxTextSize = 240;
const maxPerSection = 14_000;

export function formatReviewComment(
  { changes, screens }: DefinitionComparison,
  findings: readonly Problem[],
  language: 'es' | 'en',
): string {
  const formatSection = (title: Localized, lines: readonly string[]): string => {
    if (lines.length === 0) return '';
    const items = lines.map((line) => `- ${line}\n`);
    let [shown, size] = [0, 0];
    for (; shown < items.length && size + (items[shown]?.length ?? 0) <= maxPerSection; shown += 1)
      size += items[shown]?.length ?? 0;
    const rest = shown < lines.length ? `- ${selectLanguage(say`${lines.length - shown} more`, language)}\n` : '';
    return `\n### ${selectLanguage(title, language)} (${lines.length})\n\n${items.slice(0, shown).join('')}${rest}`;
  };
  const selectChanges = (breaking: boolean) =>
    changes
      .filter((change) => change.breaking === breaking)
      .map((change) => `${formatCodeSpan(change.where)}: ${formatCodeSpan(formatChange(change, language))}`);
  const found = sortBySeverity(findings).map((finding) => formatCodeSpan(formatProblem(finding)));
  const sentences = [
    ...(changes.length === 0 ? [say`Nothing changed.`] : []),
    ...(findings.length === 0 ? [say`The checker finds nothing.`] : []),
  ];
  return [
    `## ${selectLanguage(say`Change of screens and flows`, language)}\n`,
    formatSection(say`Breaks something that was`, selectChanges(true)),
    formatSection(say`Breaks nothing`, selectChanges(false)),
    formatSection(say`Screens that change`, screens.map(formatCodeSpan)),
    formatSection(say`Findings of the checker`, found),
    ...sentences.map((sentence) => `\n${selectLanguage(sentence, language)}\n`),
  ].join('');
}

/**
 * Formats a text as a code span (CommonMark, section 6.1), in which Markdown, HTML and mentions have no effect. The
 * delimiter is longer than each run of backticks in the text. Line breaks and invisible characters become spaces.
 */
export function formatCodeSpan(text: string): string {
  const plain = [...text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()].slice(0, maxTextSize).join('');
  const longest = Math.max(0, ...[...plain.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = longest > 0 || plain === '' ? ' ' : '';
  return `${fence}${space}${plain}${space}${fence}`;
}

const options = { markdown: { type: 'boolean', default: false }, ...languageOption } as const;

export const command = createAction(options, async ({ positionals: [commit = 'HEAD'], options: given, terminal }) => {
  const language = parseLanguage(given.lang);
  const comparison = await compareWithCommit(root, commit);
  if (!comparison) throw new UsageError(`There is no commit "${commit}" with definitions.`);
  const { changes } = comparison;
  terminal.out(
    given.markdown
      ? formatReviewComment(comparison, await lintDefinitions(language), language)
      : formatChanges(changes, language),
  );
  return changes.some(({ breaking }) => breaking) ? 1 : 0;
});

async function lintDefinitions(language: 'es' | 'en'): Promise<readonly Problem[]> {
  try {
    return (await loadDefinitions({ ...createDefinitionOptions(root), analysis: createLintOptions(root), language }))
      .findings;
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
    throw error;
  }
}
