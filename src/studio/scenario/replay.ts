import { dateFormatsByLanguage } from '../../contract/format/date-in-words.ts';
import { featureFlagDefaults } from '../../contract/feature-flags.ts';
import type { OperationInput, OperationResult } from '../../engine/core/operation-result.ts';
import type { Flow } from '../../engine/core/flow-and-screen-types.ts';
import type { Json, ValuesByName } from '../../engine/core/json.ts';
import { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import type { FlowServices, HistoryState } from '../../engine/runtime/flow-services.ts';
import type { JourneyStepsFactory } from '../../engine/runtime/journey-steps.ts';
import { listLocatedTransitionBranches, type LocatedTransitionBranch } from '../../engine/map/transition-branches.ts';
import type { Scenario, ScriptedResponse, ExpectedStepResult, ScenarioStep } from './scenario.ts';

export interface SimulatedOperation {
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Json;
}

export interface ReplayStep {
  /** Event that the step raises. Empty for step 0, which opens the first state. */
  readonly raise: string;
  readonly branches: readonly LocatedTransitionBranch[];
  readonly operations: readonly SimulatedOperation[];
  readonly place: Required<ExpectedStepResult>;
  readonly before: ValuesByName;
  readonly after: ValuesByName;
}

export interface ScenarioReplay {
  readonly runner: FlowRunner;
  readonly steps: readonly ReplayStep[];
  /** Operation for which the scenario has no response, at which the run stopped. */
  readonly pending: SimulatedOperation | null;
  readonly fault: ScenarioMismatch | null;
  readonly facts: ValuesByName;
}

export interface ScenarioReplayOptions {
  readonly loadScreen: FlowServices['loadScreen'];
  readonly openSteps: JourneyStepsFactory | undefined;
}

const defaultFacts: ValuesByName = {
  flags: featureFlagDefaults,
  user: null,
  authenticated: false,
  dates: dateFormatsByLanguage.es,
};

/** Runs a scenario. Its operations return the responses in the scenario. Nothing is stored or sent. */
export async function runScenarioReplay(
  given: Flow,
  walk: Scenario,
  { loadScreen, openSteps }: ScenarioReplayOptions,
): Promise<ScenarioReplay> {
  const flow = JSON.parse(JSON.stringify(given)) as Flow; // copy in which every branch is a separate object, so that branches can be told apart
  const facts = { ...defaultFacts, ...walk.facts };
  const places = listLocatedTransitionBranches(flow);
  const steps: ReplayStep[] = [];
  let answers: readonly ScriptedResponse[] = [];
  let takenBranches: LocatedTransitionBranch[] = [];
  let invokedOperations: SimulatedOperation[] = [];
  let leaveUrl = '';
  let pending: SimulatedOperation | null = null;
  let fault: ScenarioMismatch | null = null;
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const entries: HistoryState[] = [];

  const invoke = (operation: string, { params = {}, body }: OperationInput): Promise<OperationResult> => {
    const own = { operation, params, body: (body ?? null) as Json }; // the cast is safe, because forms contain only JSON
    invokedOperations.push(own);
    const [answer, ...rest] = answers;
    if (answer?.operation === operation) {
      answers = rest;
      return Promise.resolve(createResult(answer));
    }
    if (answer) fault ??= { kind: 'unmade', step: steps.length, operation: answer.operation };
    pending = own;
    stop();
    return new Promise(() => undefined);
  };
  const goBack = (): void => {
    if (entries.length < 2) {
      leaveUrl = 'history';
      return;
    }
    entries.pop();
    const history = entries.at(-1);
    if (history) void runner.arrive({ state: history.step, search: '', history });
  };
  const services: FlowServices = {
    loadScreen,
    refresh: () => Promise.resolve(),
    invoke,
    t: (key) => key,
    facts: () => facts,
    recall: () => ({}),
    remember: () => undefined,
    navigate: (_path, { replace, state }) => {
      if (replace) entries.pop();
      entries.push(state);
    },
    now: () => new Date(),
    goBack,
    leave: (address) => (leaveUrl = typeof address === 'string' ? address : JSON.stringify(address)),
    onBranch: (branch) => void takenBranches.push(...places.filter((place) => place.branch === branch)),
  };
  const runner = new FlowRunner(flow, services, flow.progress && openSteps);

  const moment = async (raise: string, work: () => Promise<void>, own: Pick<ScenarioStep, 'operations' | 'then'>) => {
    const before = runner.state.context;
    [answers, takenBranches, invokedOperations, leaveUrl] = [own.operations ?? [], [], [], ''];
    await Promise.race([work(), stopped]);
    await waitUntilIdle(runner, () => pending !== null);
    const after = runner.state.context;
    const place = captureResult(runner, leaveUrl, before);
    fault ??= findScenarioMismatch({ step: steps.length, unmade: answers[0]?.operation, pending }, own.then, place);
    steps.push({ raise, branches: takenBranches, operations: invokedOperations, place, before, after });
  };
  const { at: state = flow.initial, search = '', params = {} } = walk;
  await moment('', () => runner.arrive({ state, search, params, history: null }), walk);
  for (const step of walk.steps ?? []) {
    if (fault || pending) break;
    fault = findUnknownName(runner, step, steps.length);
    if (!fault) await moment(step.raise, () => runStep(runner, step), step);
  }
  return { runner, steps, pending, fault, facts };
}

/** Replays a scenario. Returns its first difference from the expected results, or the operation without a response. Returns `null` if there is none. */
export async function replayToFirstMismatch(
  flow: Flow,
  scenario: Scenario,
  options: ScenarioReplayOptions,
): Promise<ScenarioMismatch | null> {
  const { fault, pending, steps, runner } = await runScenarioReplay(flow, scenario, options);
  runner.depart();
  if (fault || !pending) return fault;
  return { kind: 'unanswered', step: steps.length - 1, operation: pending.operation };
}

/** Returns the names of the scenarios that differ from their expected results, or that lack a response. */
export async function findBrokenScenarios(flow: Flow, walks: readonly Scenario[], options: ScenarioReplayOptions) {
  const broken: string[] = [];
  for (const walk of walks.filter(({ todo }) => todo === undefined))
    if ((await replayToFirstMismatch(flow, walk, options)) !== null) broken.push(walk.name);
  return broken;
}

function findUnknownName(
  { state: { view } }: FlowRunner,
  { fill = {}, raise }: ScenarioStep,
  step: number,
): ScenarioMismatch | null {
  const field = Object.keys(fill).find((name) => view?.form && !view.form.field(name));
  if (field !== undefined) return { kind: 'field', step, name: field };
  const events = [...Object.keys(view?.state.on ?? {}), 'back'];
  return events.includes(raise) ? null : { kind: 'event', step, name: raise };
}

function runStep(runner: FlowRunner, { fill = {}, raise }: ScenarioStep): Promise<void> {
  const form = runner.state.view?.form;
  for (const [name, value] of Object.entries(fill)) form?.field(name)?.set(value);
  return runner.raise(raise, fill);
}

async function waitUntilIdle(runner: FlowRunner, isPending: () => boolean): Promise<void> {
  const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  do await turn();
  while (!isPending() && (runner.state.busy || runner.state.arriving));
}

function captureResult({ state: { view, notice, context } }: FlowRunner, left: string, before: ValuesByName) {
  const notices = view?.screen?.validator.screen.ui.notices ?? {};
  const [name = notice?.text ?? ''] = Object.keys(notices).filter((key) => notices[key] === notice);
  const set = Object.entries(context).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]));
  return {
    state: view?.name ?? '',
    notice: name,
    left,
    errors: Object.fromEntries(view?.form?.errors ?? []),
    set: Object.fromEntries(set),
  };
}

function createResult({ result = null, error }: ScriptedResponse): OperationResult {
  if (!error) return { ok: true, result };
  const { status = 400, errors = {}, code = '' } = error;
  return { ok: false, failure: { ...error, status, errors, error: code, outdated: false } };
}

/** Difference between a run and the expected results of its scenario. Step 0 opens the first state. */
export type ScenarioMismatch =
  | { readonly kind: 'field' | 'event'; readonly step: number; readonly name: string }
  | { readonly kind: 'unanswered' | 'unmade'; readonly step: number; readonly operation: string }
  | {
      readonly kind: 'differs';
      readonly step: number;
      readonly what: keyof ExpectedStepResult;
      readonly expected: Json;
      readonly actual: Json;
    };

/** Returns the first mismatch. A pending operation is a mismatch only if the scenario expects a later result. */
function findScenarioMismatch(
  { step, unmade, pending }: { step: number; unmade: string | undefined; pending: SimulatedOperation | null },
  expected: ExpectedStepResult | undefined,
  actual: Required<ExpectedStepResult>,
): ScenarioMismatch | null {
  if (pending) return expected ? { kind: 'unanswered', step, operation: pending.operation } : null;
  if (unmade !== undefined) return { kind: 'unmade', step, operation: unmade };
  if (!expected) return null;
  const full: Required<ExpectedStepResult> = { notice: '', left: '', errors: {}, set: {}, ...expected };
  for (const what of ['state', 'left', 'notice', 'errors', 'set'] as const) {
    const part = { expected: full[what] as Json, actual: actual[what] as Json }; // the casts are safe, because expected results contain only JSON
    if (serializeSorted(part.expected) !== serializeSorted(part.actual))
      return { kind: 'differs', step, what, ...part };
  }
  return null;
}

function serializeSorted(value: Json): string {
  return JSON.stringify(value, (_key, part: Json) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
