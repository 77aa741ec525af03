import type {
  TransitionBranch,
  OperationInvocation,
  Flow,
  StateDefinition,
  Transition,
} from './flow-and-screen-types.ts';
import { mapValues, type ValuesByName } from './json.ts';
import { evaluateJsonLogic, isRuleTrue, renderLogicTemplate } from './json-logic.ts';

export interface FlowRuleScope {
  readonly form?: ValuesByName;
  readonly context: ValuesByName;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly facts: ValuesByName;
  readonly onBranch?: (taken: TransitionBranch) => void;
}

/** Effects of a branch, in the order in which they are applied. */
export interface TransitionOutcome {
  readonly context: ValuesByName;
  readonly clear: readonly string[];
  readonly notice?: string;
  readonly field: boolean;
  readonly target?: string;
  readonly leave?: unknown;
}

/** Takes the first branch whose guard is true. The compiler ensures that the last branch is unconditional. */
export function chooseFirstTrueBranch(
  flow: Flow,
  branches: readonly TransitionBranch[],
  scope: FlowRuleScope,
): TransitionOutcome {
  const data = createFlowRuleData(scope);
  const branch = branches.find((candidate) => isRuleTrue(candidate.guard, data));
  if (!branch) return { context: scope.context, clear: [], field: false };
  scope.onBranch?.(branch);
  return createOutcome(flow, branch, scope, data);
}

/** Returns the state that is actually entered. Follows false `requires` and `always` branches, and applies their assignments. */
export function resolveEnteredState(
  flow: Flow,
  state: string,
  scope: FlowRuleScope,
): TransitionOutcome & { readonly target: string } {
  let name = state;
  let current = scope;
  let outcome: TransitionOutcome = { context: scope.context, clear: [], field: false };
  for (let steps = 0; steps <= Object.keys(flow.states).length; steps += 1) {
    const definition = flow.states[name];
    if (!definition) break;
    if (definition.requires && !isRuleTrue(definition.requires.guard, createFlowRuleData(current))) {
      name = definition.requires.else;
    } else {
      const next = definition.always ? chooseFirstTrueBranch(flow, definition.always, current) : null;
      if (next) outcome = { ...next, notice: next.notice ?? outcome.notice };
      if (!next?.target || next.leave !== undefined) return { ...outcome, target: name };
      current = { ...current, context: next.context };
      name = next.target;
    }
  }
  return { ...outcome, target: name };
}

/** Returns milliseconds, or `null` if the state has no delayed event or its time is invalid or has passed. */
export function computeEventDelay({ after }: StateDefinition, scope: FlowRuleScope, now: Date): number | null {
  if (after === undefined) return null;
  const at = evaluateJsonLogic(after.at, createFlowRuleData(scope));
  const end = typeof at === 'string' ? Date.parse(at) : NaN;
  if (!(end > now.getTime())) return null;
  return Math.max(0, end - (after.secondsBefore ?? 0) * 1000 - now.getTime());
}

export function findTransitionInvocation(transition: Transition): OperationInvocation | null {
  return 'src' in transition ? transition : null;
}

export function listDirectBranches(transition: Transition): readonly TransitionBranch[] {
  return 'src' in transition ? [] : [transition].flat();
}

/** Builds the invocation of an effect. Without `input`, the body is the form. */
export function buildOperationRequest(
  effect: OperationInvocation,
  scope: FlowRuleScope,
): { name: string; params: Record<string, string>; body: unknown } {
  const data = createFlowRuleData(scope);
  return {
    name: effect.src,
    params: mapValues(effect.params ?? {}, (template) => String(renderLogicTemplate(template, data) ?? '')),
    body: effect.input === undefined ? scope.form : renderLogicTemplate(effect.input, data),
  };
}

export function renderPrefillValues(state: StateDefinition, scope: FlowRuleScope): ValuesByName {
  const data = createFlowRuleData(scope);
  return mapValues(state.prefill ?? {}, (template) => renderLogicTemplate(template, data));
}

/** Returns the form values that a state offers to other flows on the page. Returns `undefined` if one of them is missing. */
export function renderCarriedValues({ carry = {} }: StateDefinition, scope: FlowRuleScope): ValuesByName | undefined {
  const data = createFlowRuleData(scope);
  const rendered = mapValues(carry, (template) => renderLogicTemplate(template, data));
  const values = Object.values(rendered);
  return values.length > 0 && values.every((value) => value !== undefined && value !== null && value !== '')
    ? rendered
    : undefined;
}

export function createFlowRuleData({ form, context, result, error, facts }: FlowRuleScope): ValuesByName {
  return { ...facts, form: form ?? {}, context, result: result ?? null, error: error ?? null };
}

function createOutcome(
  flow: Flow,
  branch: TransitionBranch,
  scope: FlowRuleScope,
  data: ValuesByName,
): TransitionOutcome {
  const context = { ...scope.context, ...mapValues(branch.assign ?? {}, (part) => renderLogicTemplate(part, data)) };
  const target =
    branch.challenge === undefined
      ? branch.target
      : findChallengeState(flow, evaluateJsonLogic(branch.challenge, data));
  return {
    context,
    clear: branch.clear ?? [],
    notice: branch.notice,
    field: branch.field ?? false,
    target,
    leave: branch.leave === undefined ? undefined : renderLogicTemplate(branch.leave, data),
  };
}

function findChallengeState(flow: Flow, challenge: unknown): string | undefined {
  const challenges = flow.challenges ?? {};
  return typeof challenge === 'string' && Object.hasOwn(challenges, challenge)
    ? challenges[challenge]
    : challenges['*'];
}
