import type { TransitionBranch, OperationInvocation, StateDefinition } from '../../core/flow-and-screen-types.ts';
import { findTransitionInvocation } from '../../core/transition.ts';
import type { DefinitionLoadCache } from '../sources/load-cache.ts';
import type { DefinitionFiles } from '../files/read-definition-files.ts';
import type { SourceLocation } from '../sources/source-file.ts';
import { listStateBranches } from '../flow/flow-queries.ts';
import type { FlowExploration } from '../explore/state-space.ts';
import type { CheckedScreen, LoweredFlow } from '../intermediate-representation.ts';
import type { ValueShape } from '../explore/value-shapes.ts';
import type { LintOptions } from './lint-options.ts';

export interface LintedFlow extends LoweredFlow {
  readonly exploration: FlowExploration;
  readonly locate: (...steps: readonly string[]) => SourceLocation;
}

/** Input of rules that read only texts. Their findings stay valid while the schemas and flows change. */
export interface TextLintInput {
  readonly set: Omit<DefinitionFiles, 'screens' | 'flows'>;
  readonly cache: DefinitionLoadCache;
  readonly screens: ReadonlyMap<string, { readonly files: Pick<CheckedScreen['files'], 'ui' | 'translations'> }>;
  readonly contract: LintOptions;
  /** Hash of the contract, the plugins and the language of the findings. */
  readonly digest: string;
}

export interface LintInput extends TextLintInput {
  readonly set: DefinitionFiles;
  readonly flows: readonly LintedFlow[];
  readonly screens: ReadonlyMap<string, CheckedScreen>;
}

export interface LocatedInvocation {
  readonly state: StateDefinition;
  readonly name: string;
  readonly effect: OperationInvocation;
  /** JSON pointer of the operation in the file of the flow. */
  readonly at: string;
}

export function listFlowInvocations({ flow, locate }: LintedFlow): readonly LocatedInvocation[] {
  return Object.entries(flow.states).flatMap(([name, state]) => {
    const own = state.invoke ? [{ effect: state.invoke, at: locate('states', name, 'invoke').pointer }] : [];
    const ofEvents = Object.entries(state.on ?? {}).flatMap(([event, transition]) => {
      const effect = findTransitionInvocation(transition);
      return effect ? [{ effect, at: locate('states', name, 'on', event).pointer }] : [];
    });
    return [...own, ...ofEvents].map((placed) => ({ ...placed, state, name }));
  });
}

/** Returns the branches of a flow with their locations. Omits branches that the compiler adds. */
export function listFlowBranches({
  flow,
  pointers,
}: LintedFlow): readonly (readonly [branch: TransitionBranch, at: string])[] {
  const all = Object.values(flow.states).flatMap(listStateBranches);
  return [...new Set(all)].flatMap((branch) => {
    const at = pointers.get(branch);
    return at === undefined ? [] : [[branch, at] as const];
  });
}

/** Returns the branches of one kind of outcome, with their location and the names of their operations. */
export function listOutcomes(linted: LintedFlow, kind: 'onDone' | 'onError') {
  const found = new Map<string, { readonly branch: TransitionBranch; readonly sources: Set<string> }>();
  for (const { effect } of listFlowInvocations(linted))
    for (const branch of effect[kind]) {
      const at = linted.pointers.get(branch);
      if (at === undefined) continue;
      const outcome = found.get(at) ?? { branch, sources: new Set() };
      outcome.sources.add(effect.src);
      found.set(at, outcome);
    }
  return [...found].map(([at, { branch, sources }]) => ({ at, branch, sources: [...sources] }));
}

/** Returns the shapes of the responses of operations. Omits unknown operations. */
export function listResponseShapes(
  sources: readonly string[],
  operations: LintOptions['operations'],
): readonly ValueShape[] {
  return sources.flatMap((src) => {
    const answer = operations[src]?.answer;
    return answer ? [{ schema: answer, optional: false }] : [];
  });
}
