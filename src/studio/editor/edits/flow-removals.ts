import { asObject } from '../../../engine/core/json.ts';
import { asListOrEmpty } from '../../json-values.ts';
import type { StudioReferenceData } from '../../dev-page-data.ts';
import type { FileChange, JsonEdit, StudioDefinitions } from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import { buildScenarioPath, type ScenarioFile } from '../../scenario/scenario.ts';
import {
  buildFileChanges,
  buildScreenFilePaths,
  buildFlowFilePath,
  readFileObject,
  readFileList,
} from '../definition-set.ts';
import {
  listProgressStepLists,
  listPointersToState,
  listFlowStates,
  listStateTransitions,
  type LocatedState,
  listSharedTransitions,
} from '../tasks/flow-states.ts';
import { describeJsonLogic } from '../tasks/describe-json-logic.ts';
import { describeGuardPlace, listFlowGuards } from '../tasks/editable-rules.ts';
import { createFlowLabelFormatter } from '../titles.ts';
import { createFileRemoval, type ElementRemoval } from './screen-removals.ts';
import {
  listBranchesWithPointers,
  listEditableTransitionBranches,
  describeTransitionTarget,
} from './transition-edits.ts';

export function listFlowRemovals(
  set: StudioDefinitions,
  referenceData: StudioReferenceData,
  flow: string,
): readonly ElementRemoval[] {
  return [
    ...listFlowStates(set, flow).map((own) => createStateRemoval(set, flow, own)),
    ...listBranchRemovals(set, referenceData, flow),
  ];
}

function listBranchRemovals(set: StudioDefinitions, referenceData: StudioReferenceData, flow: string) {
  const file = buildFlowFilePath(flow);
  const called = createFlowLabelFormatter(set, flow);
  const rules = listFlowGuards(set, referenceData, flow).flatMap(({ pointer, logic, names }) =>
    pointer.endsWith('/guard') && logic !== undefined
      ? [[pointer.slice(0, -'/guard'.length), describeJsonLogic(logic, names)] as const]
      : [],
  );
  const leads = [
    ...listEditableTransitionBranches(set, flow).map(({ pointer, value }) => [pointer, value] as const),
    ...listSharedTransitions(set, flow).flatMap(([pointer, value]) => listBranchesWithPointers(value, pointer)),
  ].map(([pointer, value]) => [pointer, describeTransitionTarget(value, called)] as const);
  // Includes the guarded groups of branches, which `leads` lacks. Excludes the guards of states and steps, because those
  // guards belong to no branch.
  const listed = rules.filter(([pointer]) => /\/\d+$/.test(pointer) && !pointer.startsWith('/progress/'));
  const guarded = rules.filter(([at]) => leads.some(([own]) => own === at));
  return [...new Map([...listMultiOutcomeTransitions(set, flow), ...listed, ...leads, ...guarded])].map(
    ([pointer, rule]) => ({
      name: t('removeBranch', { place: describeGuardPlace(pointer, called), rule }),
      changes: buildFileChanges(set, file, [{ pointer: findRemovalPointer(set, file, pointer) }]),
    }),
  );
}

function listMultiOutcomeTransitions(
  set: StudioDefinitions,
  flow: string,
): readonly (readonly [pointer: string, sentence: string])[] {
  return listFlowStates(set, flow)
    .flatMap(listStateTransitions)
    .filter(([pointer, value]) => listBranchesWithPointers(value, pointer).every(([at]) => at !== pointer))
    .map(([pointer, value]) => {
      const { src } = asObject(value);
      return [pointer, typeof src === 'string' ? t('callsWhole', { name: src }) : t('allBranches')];
    });
}

/** Returns the pointer of the branch, or of its list if the branch is the only item. */
function findRemovalPointer(set: StudioDefinitions, file: string, pointer: string): string {
  const around = pointer.slice(0, pointer.lastIndexOf('/'));
  return readFileList(set, file, around).length === 1 ? around : pointer;
}

/** Removes a state, its scenarios, and its screen unless shared. Transitions to a removed step lead to the next. */
function createStateRemoval(set: StudioDefinitions, flow: string, own: LocatedState): ElementRemoval {
  const file = buildFlowFilePath(flow);
  const { name, pointer, state } = own;
  const { progress, initial } = readFileObject(set, file);
  const journeys = listProgressStepLists(progress);
  const journey = journeys.find(({ steps }) => steps.includes(name));
  const next = journey?.steps[journey.steps.indexOf(name) + 1];
  const others = listFlowStates(set, flow).filter((other) => other.name !== name);
  const incoming = others
    .flatMap(listStateTransitions)
    .flatMap(([at, transition]) => listPointersToState(name, transition, at));
  const follows = (at: string): readonly JsonEdit[] => {
    if (next !== undefined) return [{ pointer: at, value: next }];
    // If the state is the last step, the previous step takes over its submit transition.
    const end = asObject(state['on'])['submit'];
    const isWhole = /\/on\/[^/]+$/.test(at);
    return journey && end !== undefined && isWhole ? [{ pointer: at, value: end }] : [];
  };
  const shown = String(state['screen'] ?? '');
  const drawing = Object.keys(set.flows)
    .flatMap((each) => listFlowStates(set, each))
    .filter((each) => each.state['screen'] === shown);
  const isAlone = shown !== '' && drawing.length === 1;
  return {
    name: t('removeState', { name: createFlowLabelFormatter(set, flow).formatState(name) }),
    changes: [
      ...buildFileChanges(set, file, [
        ...incoming.flatMap(follows),
        ...journeys.flatMap(({ pointer: at, steps }) => removeStep(at, steps, name)),
        ...(initial === name && next !== undefined ? [{ pointer: '/initial', value: next }] : []),
        { pointer },
      ]),
      ...removeScenarios(set, flow, name),
      ...(isAlone
        ? Object.values(buildScreenFilePaths(shown)).flatMap((each) => createFileRemoval(set.files[each]))
        : []),
    ],
    ...(isAlone && { screen: shown }),
  };
}

/** Removes the journey if only one step would remain, because the format requires at least two. */
function removeStep(pointer: string, steps: readonly string[], name: string): readonly JsonEdit[] {
  if (!steps.includes(name)) return [];
  return [{ pointer: steps.length > 2 ? `${pointer}/${steps.indexOf(name)}` : pointer }];
}

function removeScenarios(set: StudioDefinitions, flow: string, name: string): readonly FileChange[] {
  const file = buildScenarioPath(flow);
  const walks = asListOrEmpty(readFileObject(set, file)['walks']) as unknown as ScenarioFile['walks']; // the cast is safe, because the checker has validated the file against its format
  const through = walks.flatMap(({ at, then, steps = [] }, index) =>
    [at, then?.state, ...steps.map((step) => step.then?.state)].includes(name) ? [index] : [],
  );
  if (through.length > 0 && through.length === walks.length) return createFileRemoval(set.files[file]);
  const places = through.reverse().map((index) => ({ pointer: `/walks/${index}` }));
  return buildFileChanges(set, file, places);
}
