import type { OperationShape } from './operation-shape.ts';
import type { PlainWords } from './plain-words.ts';
import type { Walked, WalkSurroundings } from './walk/moment.ts';

/** What of a portal flows are held to, beside the names that the checks know. */
export interface Contract extends Pick<WalkSurroundings, 'standing' | 'signedIn' | 'factShapes' | 'changing'> {
  readonly operations: Readonly<Record<string, OperationShape>>;
  /** The codes of errors that any operation may raise, and the client itself. */
  readonly commonErrors: readonly string[];
  /** By block: the variables that it reads and the events that it raises, null where it may be any. */
  readonly blocks: Readonly<Record<string, BlockWords>>;
  /** By language: how its texts are written. */
  readonly plain?: Readonly<Record<string, PlainWords>>;
}

/** What a block's code says of the flow that shows it. */
export interface BlockWords {
  readonly reads: readonly string[] | null;
  /** All that it may raise. */
  readonly events: readonly string[] | null;
}

/** How definitions are analysed beyond the checks of single files. */
export interface AnalysisOptions extends Contract {
  /** Walks of an earlier analysis, for flows that are as they were then. */
  readonly walks?: WalkCache;
}

/** Walks by what they depend on. One analysis after the other may share it; what was not used in the last one goes. */
export type WalkCache = Map<string, Walked>;
