import { sentences, type Said } from '../said.ts';
import texts from './texts.json' with { type: 'json' };
import type { Edit, Severity } from '../definitions.ts';
import type { SourceFile } from '../files/source-file.ts';

/** What a rule found. */
export interface Finding {
  readonly file: Pick<SourceFile, 'path' | 'text' | 'tree'>;
  readonly pointer: string;
  readonly message: Said;
  /** What to do. */
  readonly hint: Said;
  /** The shortest walk to it. */
  readonly walk?: string;
  readonly related?: readonly { readonly file: string; readonly pointer: string }[];
  readonly fix?: readonly Edit[];
}

/** One rule: an id that never changes, and what it finds over the shared facts. */
export interface AnalysisRule<Subject> {
  readonly id: string;
  readonly severity: Severity;
  readonly find: (subject: Subject) => Iterable<Finding>;
}

/** A sentence of texts.json. */
export const say = sentences(texts);

/** The question whether a near name was meant; empty where none is near. */
export function meant(near: string | undefined): Said {
  return near === undefined ? { es: '', en: '' } : say('meant', { near });
}
