import { asObject, isObject, type Json } from '../../../engine/core/json.ts';
import type { StudioReferenceData } from '../../dev-page-data.ts';
import { listJsonChildren } from '../../json-values.ts';
import type { FileChange, StudioDefinitions } from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import { buildFileChanges, buildFlowFilePath, readFileList, readFileValue } from '../definition-set.ts';
import { createFlowLabelFormatter, resolveScreenTitle } from '../titles.ts';
import { describeJsonLogic } from './describe-json-logic.ts';
import { describeGuardPlace, listFlowGuards } from './editable-rules.ts';
import {
  listProgressStepLists,
  listPointersToState,
  listFlowStates,
  listStateTransitions,
  type ProgressStepList,
  listSharedTransitions,
} from './flow-states.ts';
import { createReorderChanges, type ReorderableList } from './reorderable-list.ts';
import { describeTransitionTarget } from '../edits/transition-edits.ts';

/** Lists the steps and the branches of a flow. Of branches, the engine takes the first one whose guard is true. */
export function listReorderableStepLists(set: StudioDefinitions, referenceData: StudioReferenceData, flow: string) {
  const file = buildFlowFilePath(flow);
  const ofSteps = listProgressStepLists(readFileValue(set, file, '/progress')).flatMap((journey) =>
    createStepOrder(set, flow, journey),
  );
  return [...ofSteps, ...listBranchOrders(set, referenceData, flow)];
}

/** Reorders only the steps whose single target is the next step. Other steps end or branch the journey. */
function createStepOrder(set: StudioDefinitions, flow: string, journey: ProgressStepList): readonly ReorderableList[] {
  const file = buildFlowFilePath(flow);
  const places = listStepPlaces(set, flow, journey);
  const moved = journey.steps.slice(0, places.size);
  if (moved.length < 2) return [];
  const order: ReorderableList = {
    name: t('orderSteps'),
    items: moved.map((key) => {
      const screen = listFlowStates(set, flow).find(({ name }) => name === key)?.state['screen'];
      return { key, label: typeof screen === 'string' ? resolveScreenTitle(set, screen) : key };
    }),
    change: (keys) =>
      createStepOrderChanges(set, file, journey, [...keys, ...journey.steps.slice(places.size)], places),
  };
  return [order];
}

function listStepPlaces(set: StudioDefinitions, flow: string, { steps }: ProgressStepList) {
  const states = listFlowStates(set, flow);
  const places = new Map<string, readonly string[]>();
  for (const [index, step] of steps.slice(0, -1).entries()) {
    const own = states.find(({ name }) => name === step);
    const next = steps[index + 1];
    if (!own || next === undefined) break;
    const leads = (target: string) =>
      listJsonChildren(own.state['on'], `${own.pointer}/on`).flatMap(([, transition, at]) =>
        listPointersToState(target, transition, at),
      );
    const others = steps.slice(index + 2).some((later) => leads(later).length > 0);
    if (others || leads(next).length === 0) break;
    places.set(step, leads(next));
  }
  return places;
}

function createStepOrderChanges(
  set: StudioDefinitions,
  file: string,
  { pointer, steps }: ProgressStepList,
  keys: readonly string[],
  places: ReadonlyMap<string, readonly string[]>,
): readonly FileChange[] {
  const entries = readFileList(set, file, pointer);
  const value = keys.map((key) => entries[steps.indexOf(key)] ?? key);
  const initial = readFileValue(set, file, '/initial');
  const first = keys[0];
  const edits = keys.slice(0, -1).flatMap((key, index) => {
    const next = keys[index + 1];
    if (next === undefined || next === steps[steps.indexOf(key) + 1]) return [];
    return (places.get(key) ?? []).map((place) => ({ pointer: place, value: next }));
  });
  const begins = first !== undefined && initial === steps[0] && first !== steps[0];
  return buildFileChanges(set, file, [
    { pointer, value },
    ...(begins ? [{ pointer: '/initial', value: first }] : []),
    ...edits,
  ]);
}

function listBranchOrders(set: StudioDefinitions, referenceData: StudioReferenceData, flow: string) {
  const file = buildFlowFilePath(flow);
  const labels = createFlowLabelFormatter(set, flow);
  const rules = new Map(
    listFlowGuards(set, referenceData, flow).map(({ pointer, logic = true, names }) => [
      pointer,
      [t('when', { rule: describeJsonLogic(logic, names) })],
    ]),
  );
  return [...listFlowStates(set, flow).flatMap(listStateTransitions), ...listSharedTransitions(set, flow)]
    .flatMap(([pointer, own]) => listBranchLists(own, pointer))
    .flatMap(([pointer, branches]) => {
      const last = branches.at(-1);
      // A branch that is taken in all remaining cases must stay the last one.
      const fixed = branches.slice(!isObject(last) || last['guard'] === undefined ? -1 : branches.length);
      const items = branches.slice(0, branches.length - fixed.length).map((branch, index) => ({
        key: String(index),
        label: [...(rules.get(`${pointer}/${index}/guard`) ?? []), describeTransitionTarget(branch, labels)].join(': '),
      }));
      if (items.length < 2) return [];
      const fixedKeys = fixed.map((_, index) => String(items.length + index));
      const order: ReorderableList = {
        name: t('orderBranches', { place: describeGuardPlace(pointer, labels) }),
        items,
        change: (keys) => createReorderChanges(set, file, pointer, [...keys, ...fixedKeys]),
      };
      return [order];
    });
}

type BranchList = readonly [pointer: string, branches: readonly Json[]];

function listBranchLists(own: Json, pointer: string): readonly BranchList[] {
  if (Array.isArray(own)) {
    const branches = own as readonly Json[];
    return [[pointer, branches], ...branches.flatMap((one, index) => listBranchLists(one, `${pointer}/${index}`))];
  }
  const { onDone, onError, branches } = asObject(own);
  return Object.entries({ onDone, onError, branches }).flatMap(([key, part]) =>
    part === undefined ? [] : listBranchLists(part, `${pointer}/${key}`),
  );
}
