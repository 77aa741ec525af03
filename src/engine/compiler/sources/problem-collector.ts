import type { DefinitionProblem } from '../definitions.ts';
import { type ProblemExplanation, explain, resolveLanguage, selectLocalizedText } from './localized-text.ts';
import { type SourceFile, locatePointer } from './source-file.ts';

export class ProblemCollector {
  readonly list: DefinitionProblem[] = [];
  readonly language: string;

  /** Creates an empty list of problems. `language` is the language of their messages, by default the language of the sentences in the code. */
  constructor(language?: string) {
    this.language = resolveLanguage(language);
  }

  /** Returns a function that reports problems in a file. Ignores duplicates. Reports a missing pointer at its nearest existing parent. */
  report(file: Pick<SourceFile, 'path' | 'text' | 'tree'>): ProblemReporter {
    return (pointer) => (problem) => {
      const message = selectLocalizedText(problem.message, this.language);
      if (
        !this.list.some((known) => known.file === file.path && known.pointer === pointer && known.message === message)
      )
        this.addAt({ file: file.path, ...locatePointer(file, pointer), pointer })(problem);
    };
  }

  createEmpty(): ProblemCollector {
    return new ProblemCollector(this.language);
  }

  /** Adds the problems of `others`. Ignores duplicates. */
  addAll(others: ProblemCollector): void {
    const createProblemKey = ({ file, line, column, pointer, message }: DefinitionProblem) =>
      JSON.stringify([file, line, column, pointer, message]);
    const known = new Set(this.list.map(createProblemKey));
    this.list.push(...others.list.filter((problem) => !known.has(createProblemKey(problem))));
  }

  addAt(place: Omit<DefinitionProblem, 'message' | 'hint'>): (problem: ProblemExplanation) => void {
    return ({ message, hint }) => {
      this.list.push({
        ...place,
        message: selectLocalizedText(message, this.language),
        hint: selectLocalizedText(hint, this.language),
      });
    };
  }
}

/** Returns a function that reports a problem at a pointer of the checked file. */
export type ProblemReporter = (pointer: string) => (problem: ProblemExplanation) => void;

/** Reports each problem once per location, because several states share inherited parts. */
export function createDeduplicatingReporter(
  toSourcePointer: (pointer: string) => string,
  report: ProblemReporter,
): ProblemReporter {
  const reportedKeys = new Set<string>();
  return (pointer) => (problem) => {
    const place = toSourcePointer(pointer);
    const key = `${place} ${JSON.stringify(problem.message)}`;
    if (reportedKeys.has(key)) return;
    reportedKeys.add(key);
    report(place)(problem);
  };
}

export function createInternalErrorProblem(error: unknown, file: string, language?: string): DefinitionProblem {
  const resolvedLanguage = resolveLanguage(language);
  const { message, hint } = explain`Unexpected error: ${String(error)}.
    Undo the last change and make it again in smaller steps.`;
  const place = { file, line: 1, column: 1, pointer: '' };
  return {
    ...place,
    message: selectLocalizedText(message, resolvedLanguage),
    hint: selectLocalizedText(hint, resolvedLanguage),
  };
}
