import { sentenceOf, type Problem } from '../../engine/compiler/definitions.ts';

/** The forms in which findings are written: for people, for GitHub's annotations, and SARIF for review tools. */
export const reportFormats = ['text', 'github', 'sarif'] as const;
export type ReportFormat = (typeof reportFormats)[number];

const levels = { E: 'error', W: 'warning', N: 'note' } as const;
const order = ['E', 'W', 'N'] as const;

export function reportOf(found: readonly Problem[], format: ReportFormat): string {
  const sorted = gravestFirst(found);
  if (format === 'sarif') return `${JSON.stringify(sarifOf(sorted), null, 2)}\n`;
  return sorted.map((problem) => `${format === 'text' ? sentenceOf(problem) : annotationOf(problem)}\n`).join('');
}

export function gravestFirst(found: readonly Problem[]): readonly Problem[] {
  return [...found].sort((a, b) => order.indexOf(a.severity ?? 'E') - order.indexOf(b.severity ?? 'E'));
}

function annotationOf(problem: Problem): string {
  const level = { E: 'error', W: 'warning', N: 'notice' }[problem.severity ?? 'E'];
  const text = messageOf(problem).replaceAll('%', '%25').replaceAll('\n', '%0A');
  return `::${level} file=${problem.file},line=${problem.line},col=${problem.column},title=${ruleOf(problem)}::${text}`;
}

function sarifOf(found: readonly Problem[]): object {
  const place = (file: string, region?: object) => ({
    physicalLocation: { artifactLocation: { uri: encodeURI(file) }, ...(region ? { region } : {}) },
  });
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'check:definitions', rules: [...new Set(found.map(ruleOf))].map((id) => ({ id })) } },
        results: found.map((problem) => ({
          ruleId: ruleOf(problem),
          level: levels[problem.severity ?? 'E'],
          message: { text: messageOf(problem) },
          locations: [place(problem.file, { startLine: problem.line, startColumn: problem.column })],
          ...(problem.related ? { relatedLocations: problem.related.map(({ file }) => place(file)) } : {}),
        })),
      },
    ],
  };
}

/** What no rule of the analysis found is a mistake of the file itself. */
function ruleOf({ rule }: Problem): string {
  return rule ?? 'definition';
}

function messageOf({ message, hint, walk }: Problem): string {
  return `${message}${walk === undefined ? '' : ` [${walk}]`} ${hint}`;
}
