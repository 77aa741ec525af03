import type { Localized } from '../localized.ts';
import type { Problems, SourceFile } from './source-file.ts';

/** Says what is wrong at a pointer of the file that is checked, and what to do. */
export type Report = (pointer: string, message: Localized, hint: Localized) => void;

/** Says each thing once, at its place in the file: what several states share is checked in each of them. */
export function onceAt(placeOf: (pointer: string) => string, report: Report): Report {
  const said = new Set<string>();
  return (pointer, message, hint) => {
    const place = placeOf(pointer);
    const key = `${place} ${JSON.stringify(message)}`;
    if (said.has(key)) return;
    said.add(key);
    report(place, message, hint);
  };
}

/** What is wrong with one file goes to the problems of its set. */
export function reportOf(file: Pick<SourceFile, 'path' | 'text' | 'tree'>, problems: Problems): Report {
  return (pointer, message, hint) => problems.add(file, pointer, message, hint);
}
