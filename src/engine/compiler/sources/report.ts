import { type Explanation, explain, resolveLanguage } from './say.ts';
import { inLanguage } from '../localized.ts';
import type { Problem } from '../definitions.ts';

/** Reports a problem at a pointer of the checked file. */
export type Report = (pointer: string) => (problem: Explanation) => void;

/** Reports each problem once per location, because inherited parts are checked in several states. */
export function onceAt(toSourcePointer: (pointer: string) => string, report: Report): Report {
  const said = new Set<string>();
  return (pointer) => (problem) => {
    const place = toSourcePointer(pointer);
    const key = `${place} ${JSON.stringify(problem.message)}`;
    if (said.has(key)) return;
    said.add(key);
    report(place)(problem);
  };
}

export function unforeseen(error: unknown, file: string, language?: string): Problem {
  const told = resolveLanguage(language);
  const { message, hint } = explain`Something unforeseen: ${String(error)}.
    Undo the last change and make it again in smaller steps.`;
  const place = { file, line: 1, column: 1, pointer: '' };
  return { ...place, message: inLanguage(message, told), hint: inLanguage(hint, told) };
}
