import type { FlowExplorationOptions, OperationShape } from '../explore/state-space.ts';
import type { WordingRules } from './wording/wording-faults.ts';

export interface LintOptions extends Pick<
  FlowExplorationOptions,
  'factsByAccess' | 'signedIn' | 'factShapes' | 'changeableFacts'
> {
  readonly operations: Readonly<Record<string, OperationShape>>;
  /** Error codes that any operation, or the client itself, may raise. */
  readonly commonErrors: readonly string[];
  /** Patterns of the texts that users see, by error code. Hints suggest the code to analysts who write its text. */
  readonly errorTexts?: Readonly<Record<string, string>>;
  /** Properties of the items of a response that a select takes as values of its choices. If absent, sources are not checked for choices. */
  readonly choiceKeys?: readonly string[];
  readonly blocks: Readonly<Record<string, BlockContract>>;
  /** Durations that the server uses, in minutes. `days` are shown in days. If absent, durations in texts are not checked. */
  readonly spans?: { readonly days: readonly number[]; readonly shorter: readonly number[] };
  /** Paths that code opens. If absent, states to which nothing leads are not reported. */
  readonly pages?: readonly string[];
  readonly wording?: Readonly<Record<string, WordingRules>>;
  readonly wordingFile?: string;
  /** Access levels that hints suggest for states that require a sign-in. Defaults to the keys of `factsByAccess`. */
  readonly signedInAccess?: readonly string[];
}

/** Variables that a block reads, events that it may raise, and keys of ui.json that it shows besides title and notices. `null` if unknown. */
export interface BlockContract {
  readonly shows: readonly string[] | null;
  readonly reads: readonly string[] | null;
  readonly events: readonly string[] | null;
}
