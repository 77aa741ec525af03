import type { Localized } from '../localized.ts';
import type { Edit, Severity } from '../definitions.ts';
import type { SourceFile } from '../sources/source-file.ts';

/** What a rule found. */
export interface Finding {
  readonly file: Pick<SourceFile, 'path' | 'text' | 'tree'>;
  readonly pointer: string;
  readonly message: Localized;
  /** What to do. */
  readonly hint: Localized;
  /** The shortest walk to it. */
  readonly walk?: string;
  readonly related?: readonly { readonly file: string; readonly pointer: string }[];
  readonly fix?: readonly Edit[];
}

/** One rule: an id that never changes, and what it finds over the shared facts. */
export interface LintRule<Subject> {
  readonly id: string;
  readonly severity: Severity;
  readonly find: (subject: Subject) => Iterable<Finding>;
}
