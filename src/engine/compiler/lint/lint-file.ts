import { inLanguage } from '../localized.ts';
import { isObject } from '../../core/json.ts';
import type { Problem } from '../definitions.ts';
import type { ProjectFiles } from '../files/host.ts';
import { parseSource, type Problems } from '../sources/source-file.ts';
import { say } from '../sources/say.ts';

/** File with the suppressed findings and their reasons, relative to the project. */
export const lintFile = 'schemas/_lint.json';

interface Suppression {
  readonly rule: string;
  readonly file: string;
  readonly pointer: string;
  readonly because: string;
}

/** Reads the suppressions of a project. Reports malformed entries. */
export async function readSuppressions(files: ProjectFiles, problems: Problems): Promise<readonly Suppression[]> {
  const [folder = '', name = ''] = lintFile.split('/');
  if (!(await files.list(folder)).includes(name)) return [];
  const file = parseSource(lintFile, await files.read(lintFile), problems);
  if (!file) return [];
  const entries: readonly unknown[] = Array.isArray(file.value) ? file.value : [null];
  return entries.flatMap((entry, index) => {
    if (isSuppression(entry)) return [entry];
    problems.add(
      file,
      `/${index}`,
      say`This is no suppression.`,
      say`Write a list of { "rule", "file", "pointer", "because" }, four texts each, with a reason that a reader understands.`,
    );
    return [];
  });
}

/** Removes suppressed findings, and adds a warning for each unused suppression. */
export function suppress(
  found: readonly Problem[],
  suppressions: readonly Suppression[],
  language: string,
): readonly Problem[] {
  const isMeant = (entry: Suppression, problem: Problem) =>
    entry.rule === problem.rule && entry.file === problem.file && entry.pointer === problem.pointer;
  const left = found.filter((problem) => !suppressions.some((entry) => isMeant(entry, problem)));
  const unused = suppressions.flatMap((entry, index): Problem | [] =>
    found.some((problem) => isMeant(entry, problem))
      ? []
      : {
          rule: 'lint/unused',
          severity: 'W',
          file: lintFile,
          line: 1,
          column: 1,
          pointer: `/${index}`,
          message: inLanguage(
            say`There is nothing left to let be: ${entry.rule} in ${entry.file} ${entry.pointer}.`,
            language,
          ),
          hint: inLanguage(say`Remove the entry.`, language),
        },
  );
  return [...left, ...unused];
}

function isSuppression(entry: unknown): entry is Suppression {
  if (!isObject(entry)) return false;
  const { rule, file, pointer, because, ...more } = entry;
  const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '';
  return [rule, file, because].every(isText) && typeof pointer === 'string' && Object.keys(more).length === 0;
}
