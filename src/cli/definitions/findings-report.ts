import { formatProblem, type DefinitionProblem } from '../../engine/compiler/definitions.ts';

export const findingsReportFormats = ['text', 'github', 'sarif'] as const;

const levelsBySeverity = { E: 'error', W: 'warning', N: 'note' } as const;
const severityOrder = ['E', 'W', 'N'] as const;

export function formatFindingsReport(
  found: readonly DefinitionProblem[],
  format: (typeof findingsReportFormats)[number],
): string {
  const sorted = sortFindingsBySeverity(found);
  if (format === 'sarif') return `${JSON.stringify(buildSarif(sorted), null, 2)}\n`;
  return sorted
    .map((problem) => `${format === 'text' ? formatProblem(problem) : formatAnnotation(problem)}\n`)
    .join('');
}

export function sortFindingsBySeverity(found: readonly DefinitionProblem[]): readonly DefinitionProblem[] {
  return [...found].sort((a, b) => severityOrder.indexOf(a.severity ?? 'E') - severityOrder.indexOf(b.severity ?? 'E'));
}

function formatAnnotation(problem: DefinitionProblem): string {
  const level = { E: 'error', W: 'warning', N: 'notice' }[problem.severity ?? 'E'];
  const text = formatMessage(problem).replaceAll('%', '%25').replaceAll('\n', '%0A');
  return `::${level} file=${problem.file},line=${problem.line},col=${problem.column},title=${getRuleId(problem)}::${text}`;
}

function buildSarif(found: readonly DefinitionProblem[]): object {
  const place = (file: string, region?: object) => ({
    physicalLocation: { artifactLocation: { uri: encodeURI(file) }, ...(region ? { region } : {}) },
  });
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'check', rules: [...new Set(found.map(getRuleId))].map((id) => ({ id })) } },
        results: found.map((problem) => ({
          ruleId: getRuleId(problem),
          level: levelsBySeverity[problem.severity ?? 'E'],
          message: { text: formatMessage(problem) },
          locations: [place(problem.file, { startLine: problem.line, startColumn: problem.column })],
          ...(problem.related ? { relatedLocations: problem.related.map(({ file }) => place(file)) } : {}),
        })),
      },
    ],
  };
}

/** Returns the name of the rule that found a problem. A problem without a rule is an error in the definition itself. */
function getRuleId({ rule }: DefinitionProblem): string {
  return rule ?? 'definition';
}

function formatMessage({ message, hint, path }: DefinitionProblem): string {
  return `${message}${path === undefined ? '' : ` [${path}]`} ${hint}`;
}
