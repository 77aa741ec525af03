import type {
  TransitionBranch,
  OperationInvocation,
  StateDefinition,
  FlowVariable,
  Flow,
  ScreenUi,
  LogicTemplate,
  JsonLogic,
  JourneyStep,
} from '../../core/flow-and-screen-types.ts';
import { listDirectBranches, findTransitionInvocation } from '../../core/transition.ts';
import { type Json, isObject, type ValuesByName } from '../../core/json.ts';
import { listPathsReadByLogic, isRuleTrue } from '../../core/json-logic.ts';
import { listPlaceholders } from '../../core/messages.ts';
import { listPathParameters } from '../../core/route.ts';
import { setFieldValue } from '../../core/field-path.ts';
import { anyoneAccess, type PageRoute } from '../../core/definitions-manifest.ts';
import type { CheckedScreen } from '../intermediate-representation.ts';

/** Maximum number of variables in the analysed rules. Each variable doubles the number of cases. */
const maxVariables = 8;

/** Whether rules are provably never all true. Only considers the truth of facts, because variables and form values may change. */
export function areRulesContradictory(rules: readonly (JsonLogic | undefined)[]): boolean {
  const definedRules = rules.filter((rule): rule is JsonLogic => rule !== undefined);
  const names = [...new Set(definedRules.flatMap((rule) => listPathsReadByLogic(rule)))];
  if (
    names.length > maxVariables ||
    !definedRules.every(isTruthFunction) ||
    !names.every((name) => isFact(name, names))
  )
    return false;
  return Array.from({ length: 2 ** names.length }, (_, bits) => {
    const facts: Record<string, unknown> = {};
    for (const [place, name] of names.entries()) setFieldValue(facts, name, (bits & (2 ** place)) !== 0);
    return facts;
  }).every((facts) => !definedRules.every((rule) => isRuleTrue(rule, facts)));
}

function isFact(name: string, names: readonly string[]): boolean {
  const isWithin = names.some((other) => other !== name && name.startsWith(`${other}.`));
  return !/^(form|item|context|result|error)(\.|$)/.test(name) && !isWithin;
}

/** Whether a rule consists only of `var`, `and`, `or`, `!` and `!!`, so that only the truth of its variables matters. */
function isTruthFunction(rule: JsonLogic): boolean {
  if (typeof rule === 'boolean') return true;
  if (!isObject(rule)) return false;
  const [[operator, operands] = ['', null], ...more] = Object.entries(rule);
  if (more.length > 0) return false;
  if (operator === 'var') return typeof operands === 'string';
  return (
    ['and', 'or', '!', '!!'].includes(operator) &&
    [operands].flat().every((operand) => isTruthFunction(operand as JsonLogic))
  ); // cast: a rule is JSON
}

export function listStateInvocations({ invoke, on = {} }: StateDefinition): readonly OperationInvocation[] {
  return [
    ...(invoke ? [invoke] : []),
    ...Object.values(on).flatMap((transition) => findTransitionInvocation(transition) ?? []),
  ];
}

export function listStateBranches(state: StateDefinition): readonly TransitionBranch[] {
  return [
    ...(state.always ?? []),
    ...listStateInvocations(state).flatMap(({ onDone, onError }) => [...onDone, ...onError]),
    ...Object.values(state.on ?? {}).flatMap(listDirectBranches),
  ];
}

export function isDeclaredInContext(variable: FlowVariable): boolean {
  return variable.from !== 'result' || variable.persist !== undefined || variable.default !== undefined;
}

/** Returns the variables that a flow reads from the query of its address. */
export function listQueryVariables({ context = {} }: Flow): readonly string[] {
  return Object.entries(context).flatMap(([name, { from }]) => (from === 'query' ? [name] : []));
}

/** Returns the variables that a flow, its screens and its paths read. Omits variables that only the code of a block reads. */
export function listVariablesReadByFlow(
  flow: Flow,
  uiOf: (screen: string) => ScreenUi | undefined,
): ReadonlySet<string> {
  const states = Object.values(flow.states);
  const uis = states.flatMap(({ screen }) => (screen === undefined ? [] : (uiOf(screen) ?? [])));
  const rules = [...listFlowExpressions(flow), ...uis.map((ui) => ui as unknown as Json)]; // cast: an interface is not assignable to `Json`
  return new Set([
    ...rules
      .flatMap(listPathsReadByLogic)
      .flatMap((path) => (path.startsWith('context.') ? [path.split('.')[1] ?? ''] : [])),
    ...uis.flatMap((ui) => listPlaceholders(JSON.stringify(ui))),
    ...states.flatMap(({ path }) => listPathParameters(path ?? '')),
  ]);
}

export function listFlowExpressions(flow: Flow): readonly LogicTemplate[] {
  const addTemplates = (templates: Readonly<Record<string, LogicTemplate>> | undefined) =>
    Object.values(templates ?? {});
  const listBranchTemplates = ({ guard, assign, challenge, leave }: TransitionBranch) => [
    guard,
    ...addTemplates(assign),
    challenge,
    leave,
  ];
  const states = Object.values(flow.states).flatMap((state) => [
    state.chrome,
    state.requires?.guard,
    state.after?.at,
    ...addTemplates(state.prefill),
    ...addTemplates(state.carry),
    ...addTemplates(state.source?.params),
    ...listStateBranches(state).flatMap(listBranchTemplates),
    ...[state.invoke, ...Object.values(state.on ?? {}).map(findTransitionInvocation)].flatMap((effect) =>
      effect ? [effect.input, ...addTemplates(effect.params)] : [],
    ),
  ]);
  const ways = (flow.progress ?? []).flat().map(({ guard }) => guard);
  return [...states, ...ways].filter((template) => template !== undefined);
}

export function listFlowRoutes(flow: Flow): readonly PageRoute[] {
  return Object.entries(flow.states).flatMap(([name, { path, ...state }]) =>
    path === undefined ? [] : buildRoute(flow, name, path, state),
  );
}

function buildRoute(flow: Flow, state: string, path: string, declared: StateDefinition): PageRoute {
  const { screen, block, source, access = anyoneAccess, permissions, chrome = 'full', load } = declared;
  const effects = listJourneyStates(flow, state).flatMap(listStateInvocations);
  const operations = [...new Set(effects.map(({ src }) => src))];
  return {
    path: path.normalize('NFC'),
    flow: flow.id,
    state,
    access,
    chrome,
    ...(screen !== undefined && { screen }),
    ...(block !== undefined && { block }),
    ...(load !== undefined && { load }),
    ...(permissions !== undefined && { permissions }),
    ...(source !== undefined && { source }),
    ...(operations.length > 0 && { operations }),
  };
}

/** Returns the states of a journey. Omits steps whose guard contradicts the guard of `state`. Outside of journeys, returns only `state`. */
function listJourneyStates({ states, progress = [] }: Flow, state: string): readonly StateDefinition[] {
  const journey: readonly Pick<JourneyStep, 'state' | 'guard'>[] = progress.find((steps) =>
    steps.some((step) => step.state === state),
  ) ?? [{ state }];
  const guard = journey.find((step) => step.state === state)?.guard;
  return journey.flatMap((step) => (areRulesContradictory([guard, step.guard]) ? [] : (states[step.state] ?? [])));
}

export function listScreensOfSavedJourneys({ save, progress = [], states }: Flow): ReadonlySet<string> {
  const steps = save ? progress.flat() : [];
  return new Set(steps.flatMap(({ state }) => states[state]?.screen ?? []));
}

export function indexRaisedNoticesByScreen(
  flows: readonly { readonly flow: Flow }[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const raised = new Map<string, Set<string>>();
  const add = (notice: string, screens: Iterable<string>): void => {
    for (const screen of screens) raised.set(screen, (raised.get(screen) ?? new Set()).add(notice));
  };
  for (const { flow } of flows) {
    for (const state of Object.values(flow.states))
      for (const { notice, target, challenge } of listStateBranches(state)) {
        const names = challenge === undefined ? [target] : Object.values(flow.challenges ?? {});
        const screens = names.flatMap((name) => (name === undefined ? state : flow.states[name])?.screen ?? []);
        if (notice !== undefined) add(notice, screens);
      }
    const { save } = flow;
    for (const notice of save ? [save.resumed, save.refused] : []) add(notice, listScreensOfSavedJourneys(flow));
  }
  return raised;
}

export function listScreensSentWithOperation(flows: readonly Flow[], operation: string): readonly string[] {
  const sent = flows.flatMap(({ progress = [], states }) =>
    progress.flatMap((journey) => {
      const last = journey.findLastIndex(({ state }) => isSentWith(states[state], operation));
      return journey.slice(0, last + 1).flatMap(({ state }) => states[state]?.screen ?? []);
    }),
  );
  return [...new Set(sent)];
}

export function listSavedFlowsEndedByOperation(flows: readonly Flow[], operation: string): readonly string[] {
  const endsFlow = ({ save, progress = [], states }: Flow) =>
    save && progress.flat().some(({ state }) => isSentWith(states[state], operation));
  return flows.filter(endsFlow).map(({ id }) => id);
}

function isSentWith(state: StateDefinition | undefined, operation: string): boolean {
  return listStateInvocations(state ?? {}).some(({ src, progress }) => progress && src === operation);
}

export function addStepTitles(flow: Flow, screens: readonly CheckedScreen[]): Flow {
  const addTitle = (step: JourneyStep): JourneyStep => {
    const uis = screens.find(({ id }) => id === flow.states[step.state]?.screen)?.uis ?? new Map<string, never>();
    const titles = [...uis].map(([language, { step: name, title }]) => [language, name ?? String(title)]); // `checkStep` ensures that the title is a single text
    return { ...step, titles: Object.fromEntries(titles) as JourneyStep['titles'] }; // cast: `Object.fromEntries` returns `any`
  };
  return flow.progress ? { ...flow, progress: flow.progress.map((way) => way.map(addTitle)) } : flow;
}

/** Whether a journey includes a screen, i.e. the guard of at least one of its steps is true. Always true for screens outside of journeys. */
export function isScreenInJourney(flows: readonly Flow[], screen: string, scope: ValuesByName): boolean {
  const steps = flows.flatMap(({ progress = [], states }) =>
    progress.flat().filter(({ state }) => states[state]?.screen === screen),
  );
  return steps.length === 0 || steps.some(({ guard }) => isRuleTrue(guard, scope));
}

/** Sorts screens in step order, because guards read the answers of earlier steps. */
export function sortScreensByStep(flows: readonly Flow[], screens: readonly string[]): readonly string[] {
  const steps = flows.flatMap(({ progress = [], states }) => progress.flat().map(({ state }) => states[state]?.screen));
  return [...screens].sort((one, other) => steps.indexOf(one) - steps.indexOf(other));
}

/** Returns the states that transitions reach from the initial state, and from the states that `isOpened` accepts. */
export function findReachableStates(
  { initial, states, challenges = {} }: Flow,
  isOpened: (state: StateDefinition, name: string) => boolean,
): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (name: string) => {
    if (reached.has(name)) return;
    reached.add(name);
    for (const next of listNextStates(states[name], challenges)) visit(next);
  };
  visit(initial);
  for (const [name, state] of Object.entries(states)) if (isOpened(state, name)) visit(name);
  return reached;
}

function listNextStates(
  state: StateDefinition | undefined,
  challenges: Readonly<Record<string, string>>,
): readonly string[] {
  if (!state) return [];
  const targets = listStateBranches(state).flatMap(({ target, challenge }) => [
    ...(target === undefined ? [] : [target]),
    ...(challenge === undefined ? [] : Object.values(challenges)),
  ]);
  const back = state.back === undefined || ['history', 'none'].includes(state.back) ? [] : [state.back];
  return [...targets, ...back, ...(state.requires ? [state.requires.else] : [])];
}
