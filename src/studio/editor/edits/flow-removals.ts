import { asObject, type Json } from '../../../engine/core/json.ts';
import { asList, listParts } from '../../json-parts.ts';
import type { StudioFacts } from '../../dev-data.ts';
import type { FileChange, StudioEdit, StudioSet } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { buildScenarioPath, type ScenarioFile } from '../../scenario/scenario.ts';
import { buildFileChanges, resolveScreenFiles, buildFlowPath, readObject, readValue } from '../definition-set.ts';
import { listJourneys, listPointersTo, listStates, listTransitions, type LocatedState } from '../tasks/flow-states.ts';
import { describeLogic } from '../tasks/describe-logic.ts';
import { describeGuardPlace, listFlowGuards } from '../tasks/editable-rules.ts';
import { createFlowLabels, type FlowLabels } from '../titles.ts';
import { createFileRemoval, type Removal } from './removals.ts';
import { listTargetsIn, listTargets, formatLeave } from './transition-edits.ts';

export function listFlowRemovals(set: StudioSet, facts: StudioFacts, flow: string): readonly Removal[] {
  return [
    ...listStates(set, flow).map((own) => createStateRemoval(set, flow, own)),
    ...listBranchRemovals(set, facts, flow),
  ];
}

function listBranchRemovals(set: StudioSet, facts: StudioFacts, flow: string): readonly Removal[] {
  const file = buildFlowPath(flow);
  const called = createFlowLabels(set, flow);
  const rules = listFlowGuards(set, facts, flow).flatMap(({ pointer, logic, names }) =>
    pointer.endsWith('/guard') && logic !== undefined
      ? [[pointer.slice(0, -'/guard'.length), describeLogic(logic, names)] as const]
      : [],
  );
  const leads = listAllTargets(set, flow).map(([pointer, value]) => [pointer, formatTarget(value, called)] as const);
  // Includes guarded groups of branches, which `leads` does not contain. Excludes the guards of states and steps,
  // because they do not belong to a branch.
  const listed = rules.filter(([pointer]) => /\/\d+$/.test(pointer) && !pointer.startsWith('/progress/'));
  const guarded = rules.filter(([at]) => leads.some(([own]) => own === at));
  return [...new Map([...listMultiOutcomeTransitions(set, flow), ...listed, ...leads, ...guarded])].map(
    ([pointer, rule]) => ({
      name: t('removeBranch', { place: describeGuardPlace(pointer, called), rule }),
      changes: buildFileChanges(set, file, [{ pointer: findRemovalPointer(set, file, pointer) }]),
    }),
  );
}

/** Returns the transitions with several outcomes: those that invoke an operation, and those with several branches. */
function listMultiOutcomeTransitions(
  set: StudioSet,
  flow: string,
): readonly (readonly [pointer: string, sentence: string])[] {
  return listStates(set, flow)
    .flatMap(listTransitions)
    .filter(([pointer, value]) => listTargetsIn(value, pointer).every(([at]) => at !== pointer))
    .map(([pointer, value]) => {
      const { src } = asObject(value);
      return [pointer, typeof src === 'string' ? t('callsWhole', { name: src }) : t('allBranches')];
    });
}

function listAllTargets(set: StudioSet, flow: string): readonly (readonly [pointer: string, value: Json])[] {
  const { onError, branches, operations } = readObject(set, buildFlowPath(flow));
  const shared = [
    ...(onError === undefined ? [] : [['', onError, '/onError'] as const]),
    ...listParts(branches, '/branches'),
    ...listParts(operations, '/operations').flatMap(([, operation, at]) =>
      listParts(operation, at).filter(([key]) => key === 'onDone' || key === 'onError'),
    ),
  ];
  return [
    ...listTargets(set, flow).map(({ pointer, value }) => [pointer, value] as const),
    ...shared.flatMap(([, value, pointer]) => listTargetsIn(value, pointer)),
  ];
}

function formatTarget(value: Json, { formatState }: FlowLabels): string {
  const { branches, leave, target = value } = asObject(value);
  if (typeof branches === 'string') return t('guardBranches', { name: branches });
  if (leave !== undefined) return formatLeave(leave);
  return typeof target === 'string' ? t('goesTo', { name: formatState(target) }) : t('stays');
}

/** Returns the pointer to remove: that of the branch, or that of its list if the branch is the only one. */
function findRemovalPointer(set: StudioSet, file: string, pointer: string): string {
  const around = pointer.slice(0, pointer.lastIndexOf('/'));
  const list = readValue(set, file, around);
  return Array.isArray(list) && list.length === 1 ? around : pointer;
}

/**
 * Removes a state, the scenarios that visit it, and its screen if no other state shows the screen. If the state is a
 * step, redirects transitions to it to the next step.
 */
function createStateRemoval(set: StudioSet, flow: string, own: LocatedState): Removal {
  const file = buildFlowPath(flow);
  const { name, pointer, state } = own;
  const { progress, initial } = readObject(set, file);
  const journeys = listJourneys(progress);
  const journey = journeys.find(({ steps }) => steps.includes(name));
  const next = journey?.steps[journey.steps.indexOf(name) + 1];
  const others = listStates(set, flow).filter((other) => other.name !== name);
  const incoming = others.flatMap(listTransitions).flatMap(([at, transition]) => listPointersTo(name, transition, at));
  const follows = (at: string): readonly StudioEdit[] => {
    if (next !== undefined) return [{ pointer: at, value: next }];
    // If the state is the last step, the previous step takes over its submit transition.
    const end = asObject(state['on'])['submit'];
    const isWhole = /\/on\/[^/]+$/.test(at);
    return journey && end !== undefined && isWhole ? [{ pointer: at, value: end }] : [];
  };
  const shown = String(state['screen'] ?? '');
  const isAlone = shown !== '' && listOtherScreens(set, flow, own).every((screen) => screen !== shown);
  return {
    name: t('removeState', { name: createFlowLabels(set, flow).formatState(name) }),
    changes: [
      ...buildFileChanges(set, file, [
        ...incoming.flatMap(follows),
        ...journeys.flatMap(({ pointer: at, steps }) => removeStep(at, steps, name)),
        ...(initial === name && next !== undefined ? [{ pointer: '/initial', value: next }] : []),
        { pointer },
      ]),
      ...removeScenarios(set, flow, name),
      ...(isAlone
        ? Object.values(resolveScreenFiles(shown)).flatMap((each) => createFileRemoval(set.files[each]))
        : []),
    ],
    ...(isAlone && { screen: shown }),
  };
}

function listOtherScreens(set: StudioSet, flow: string, { pointer }: LocatedState): readonly (Json | undefined)[] {
  return Object.keys(set.flows).flatMap((other) =>
    listStates(set, other)
      .filter((state) => other !== flow || state.pointer !== pointer)
      .map(({ state }) => state['screen']),
  );
}

/**
 * Removes a step from its journey. Removes the journey if only one step would remain, because the format requires at
 * least two.
 */
function removeStep(pointer: string, steps: readonly string[], name: string): readonly StudioEdit[] {
  if (!steps.includes(name)) return [];
  return [{ pointer: steps.length > 2 ? `${pointer}/${steps.indexOf(name)}` : pointer }];
}

function removeScenarios(set: StudioSet, flow: string, name: string): readonly FileChange[] {
  const file = buildScenarioPath(flow);
  const walks = asList(readObject(set, file)['walks']) as unknown as ScenarioFile['walks']; // the checker has validated the file against its format
  const through = walks.flatMap(({ at, then, steps = [] }, index) =>
    [at, then?.state, ...steps.map((step) => step.then?.state)].includes(name) ? [index] : [],
  );
  if (through.length > 0 && through.length === walks.length) return createFileRemoval(set.files[file]);
  const places = through.toReversed().map((index) => ({ pointer: `/walks/${index}` }));
  return buildFileChanges(set, file, places);
}
