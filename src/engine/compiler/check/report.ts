import type { Problems, SourceFile } from '../files/source-file.ts';

/** Says what is wrong at a pointer of the file that is checked, and what to do. */
export type Report = (pointer: string, message: string, hint: string) => void;

/** What is wrong with one file goes to the problems of its set. */
export function reportOf(file: Pick<SourceFile, 'path' | 'text' | 'tree'>, problems: Problems): Report {
  return (pointer, message, hint) => problems.add(file, pointer, message, hint);
}
