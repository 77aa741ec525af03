import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { isObject, type Json } from '../../../engine/core/json.ts';
import { parseSourceFile } from '../../../engine/compiler/sources/parse-source-file.ts';
import { ProblemCollector } from '../../../engine/compiler/sources/problem-collector.ts';
import { locatePointer, type SourceFile } from '../../../engine/compiler/sources/source-file.ts';
import type { TextAudience } from '../../../engine/compiler/lint/wording/wording-faults.ts';

/** A text in a screen, a mail, an information page, a plugin, the server or the studio. */
export interface ProjectText {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly pointer: string;
  readonly language: string;
  readonly text: string;
  readonly readers: TextAudience;
}

const staffTextPattern = /^src\/(studio|engine)\/|\/sentences\.json$/;

/** Returns the language of a text according to its place. `languages` has the base language first. */
export function findTextLanguage(
  { file, pointer }: Pick<ProjectText, 'file' | 'pointer'>,
  [base = '', ...others]: readonly string[],
): string {
  return others.find((own) => new RegExp(`[./]${own}[./]`).test(`${file}${pointer}/`)) ?? base;
}

/** Reads the lines of a mail or help page. Skips the front matter, except the title. */
export function readLines(root: string, file: string, language: string): readonly ProjectText[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.flatMap((text, index) =>
    /^(\w+: [\w[\]{}, -]*|-{3})$/.test(text) && !text.startsWith('titulo:')
      ? []
      : [{ file, line: index + 1, column: 1, pointer: '', language, text, readers: 'everybody' as const }],
  );
}

/** Reads the texts of a JSON file. Texts below a key such as `es` are in that language. All other texts are in `language`. */
export function readTextTableFile(root: string, file: string, languages: readonly string[], language?: string) {
  const bytes = readFileSync(join(root, file));
  const value = parseJson(bytes.toString());
  const found: ProjectText[] = [];
  const readers = staffTextPattern.test(file) ? 'staff' : 'everybody';
  let source: SourceFile | null = null;
  const locate = (pointer: string) => {
    source ??= parseSourceFile(file, bytes, new ProblemCollector());
    return locatePointer(source ?? { text: '', tree: undefined }, pointer);
  };
  const collectTexts = (part: unknown, pointer: string, own: string | undefined): void => {
    if (typeof part === 'string' && own !== undefined)
      // locates a text only when a finding needs its position, because locating all texts is slow
      found.push({
        ...{ file, pointer, language: own, text: part, readers },
        get line() {
          return locate(pointer).line;
        },
        get column() {
          return locate(pointer).column;
        },
      });
    if (isObject(part) || Array.isArray(part))
      for (const [key, inner] of Object.entries(part))
        collectTexts(inner, `${pointer}/${escapePointer(key)}`, languages.includes(key) ? key : own);
  };
  collectTexts(value, '', language);
  return found;
}

/** Returns `null` if the text is not JSON, which other checks report. */
export function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json; // cast: `JSON.parse` returns `any`
  } catch {
    return null;
  }
}
