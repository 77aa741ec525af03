import { type Localized, inLanguage } from '../localized.ts';
import type { Problems, SourceFile } from './source-file.ts';
import type { Problem } from '../definitions.ts';
import { resolveLanguage, say } from './say.ts';

/** Reports a problem at a pointer of the checked file. */
export type Report = (pointer: string, message: Localized, hint: Localized) => void;

/** Reports each problem once per location, because inherited parts are checked in several states. */
export function onceAt(toSourcePointer: (pointer: string) => string, report: Report): Report {
  const said = new Set<string>();
  return (pointer, message, hint) => {
    const place = toSourcePointer(pointer);
    const key = `${place} ${JSON.stringify(message)}`;
    if (said.has(key)) return;
    said.add(key);
    report(place, message, hint);
  };
}

export function createReport(file: Pick<SourceFile, 'path' | 'text' | 'tree'>, problems: Problems): Report {
  return (pointer, message, hint) => problems.add(file, pointer, message, hint);
}

export function unforeseen(error: unknown, file: string, language?: string): Problem {
  const told = resolveLanguage(language);
  return {
    file,
    line: 1,
    column: 1,
    pointer: '',
    message: inLanguage(say`Something unforeseen: ${String(error)}.`, told),
    hint: inLanguage(say`Undo the last change and make it again in smaller steps.`, told),
  };
}
