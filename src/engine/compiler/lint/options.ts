import type { ExploreOptions, OperationShape } from '../explore/node.ts';
import type { Wording } from './wording/wording.ts';

/** What of a portal flows are held to beyond the checks of single files, beside the names that those know. */
export interface LintOptions extends Pick<ExploreOptions, 'standing' | 'signedIn' | 'factShapes' | 'changing'> {
  readonly operations: Readonly<Record<string, OperationShape>>;
  /** The codes of errors that any operation may raise, and the client itself. */
  readonly commonErrors: readonly string[];
  /** By block: the variables that it reads and the events that it raises, null where it may be any. */
  readonly blocks: Readonly<Record<string, BlockWords>>;
  /** Every time that the server sets by itself, in minutes: those that it counts in days, and the others; absent: nothing is said of the times in texts. */
  readonly spans?: { readonly days: readonly number[]; readonly shorter: readonly number[] };
  /** By language: how its texts are written. */
  readonly wording?: Readonly<Record<string, Wording>>;
}

/** What a block's code says of the flow that shows it. */
export interface BlockWords {
  readonly reads: readonly string[] | null;
  /** All that it may raise. */
  readonly events: readonly string[] | null;
}
