import { formatProblem, getThrownProblems, type DefinitionProblem } from '../../engine/compiler/definitions.ts';
import { loadDefinitions } from '../../engine/compiler/load-definitions.ts';
import { createDefinitionLintOptions } from '../../server/app/definition-lint-options.ts';
import { createDefinitionOptions } from '../../server/app/definition-options.ts';
import { createCliAction, UsageError } from '../command.ts';
import { projectRoot } from '../project.ts';
import {
  formatDefinitionChanges,
  formatDefinitionChange,
  createDefinitionComparer,
  type DefinitionComparison,
} from './definition-changes.ts';
import { findOutdatedTranslations } from './texts/outdated-translations.ts';
import { readTextChanges } from './texts/text-changes.ts';
import { baseLanguage, languages } from '../../contract/portal-config.ts';
import { languageOption, parseLanguageOption, localize } from './localized-output.ts';
import { selectLocalizedText, type LocalizedText } from '../../engine/compiler/sources/localized-text.ts';
import { sortFindingsBySeverity } from './findings-report.ts';

/** Maximum lengths of a text and of a section, in characters. GitHub rejects comments longer than 65,536 characters. */
const maxTextSize = 240;
const maxPerSection = 14_000;

export function formatReviewComment(
  { changes, screens }: DefinitionComparison,
  findings: readonly DefinitionProblem[],
  language: 'es' | 'en',
): string {
  const formatSection = (title: LocalizedText, lines: readonly string[]): string => {
    if (lines.length === 0) return '';
    const items = lines.map((line) => `- ${line}\n`);
    let [shown, size] = [0, 0];
    for (; shown < items.length && size + (items[shown]?.length ?? 0) <= maxPerSection; shown += 1)
      size += items[shown]?.length ?? 0;
    const rest =
      shown < lines.length ? `- ${selectLocalizedText(localize`${lines.length - shown} more`, language)}\n` : '';
    return `\n### ${selectLocalizedText(title, language)} (${lines.length})\n\n${items.slice(0, shown).join('')}${rest}`;
  };
  const selectChanges = (breaking: boolean) =>
    changes
      .filter((change) => change.breaking === breaking)
      .map((change) => `${formatCodeSpan(change.where)}: ${formatCodeSpan(formatDefinitionChange(change, language))}`);
  const found = sortFindingsBySeverity(findings).map((finding) => formatCodeSpan(formatProblem(finding)));
  const sentences = [
    ...(changes.length === 0 ? [localize`Nothing changed.`] : []),
    ...(findings.length === 0 ? [localize`The checker finds nothing.`] : []),
  ];
  return [
    `## ${selectLocalizedText(localize`Change of screens and flows`, language)}\n`,
    formatSection(localize`Breaks something that was`, selectChanges(true)),
    formatSection(localize`Breaks nothing`, selectChanges(false)),
    formatSection(localize`Screens that change`, screens.map(formatCodeSpan)),
    formatSection(localize`Findings of the checker`, found),
    ...sentences.map((sentence) => `\n${selectLocalizedText(sentence, language)}\n`),
  ].join('');
}

/**
 * Formats a text as a Markdown code span (CommonMark, section 6.1), in which Markdown, HTML and mentions have no
 * effect. The delimiter is longer than each run of backticks in the text. Line breaks and invisible characters become
 * spaces.
 */
export function formatCodeSpan(text: string): string {
  const plain = [...text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()].slice(0, maxTextSize).join('');
  const longest = Math.max(0, ...[...plain.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = longest > 0 || plain === '' ? ' ' : '';
  return `${fence}${space}${plain}${space}${fence}`;
}

const options = { markdown: { type: 'boolean', default: false }, ...languageOption } as const;

export const command = createCliAction(
  options,
  async ({ positionals: [commit = 'HEAD'], options: given, terminal }) => {
    const language = parseLanguageOption(given.lang);
    const comparison = await createDefinitionComparer(projectRoot)(commit);
    if (!comparison) throw new UsageError(`There is no commit "${commit}" with definitions.`);
    const { changes } = comparison;
    if (given.markdown) {
      const outdated = findOutdatedTranslations(
        readTextChanges(projectRoot, languages, commit),
        baseLanguage,
        language,
      );
      const findings = [...(await lintDefinitions(language)), ...outdated];
      terminal.out(formatReviewComment(comparison, findings, language));
    } else terminal.out(formatDefinitionChanges(changes, language));
    return changes.some(({ breaking }) => breaking) ? 1 : 0;
  },
);

function lintDefinitions(language: 'es' | 'en'): Promise<readonly DefinitionProblem[]> {
  const options = {
    ...createDefinitionOptions(projectRoot),
    analysis: createDefinitionLintOptions(projectRoot),
    language,
  };
  return loadDefinitions(options).then(({ findings }) => findings, getThrownProblems);
}
