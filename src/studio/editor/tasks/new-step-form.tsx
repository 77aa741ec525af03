import { asObject, type Json, type JsonObject, isObject, mapValues } from '../../../engine/core/json.ts';
import { escapePointer, findByPointer, walkJson } from '../../../engine/core/json-pointer.ts';
import { asListOrEmpty, listJsonChildren } from '../../json-values.ts';
import type { FileChange, JsonEdit, StudioDefinitions } from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import {
  BilingualFields,
  ChoiceField,
  EditTaskForm,
  TextField,
  createFieldBinder,
  useFormFields,
  type EditTaskEndCallback,
} from '../form-controls.tsx';
import {
  createTransitionTargetEdits,
  listEditableTransitionBranches,
  type EditableTransitionBranch,
} from '../edits/transition-edits.ts';
import {
  buildFileChanges,
  buildFlowFilePath,
  buildScreenFilePaths,
  emptyBilingualText,
  readFileObject,
  readFileValue,
  makeNameUnique,
} from '../definition-set.ts';
import { createFlowLabelFormatter, listStateOptions } from '../titles.ts';
import { useStudio } from '../use-studio.ts';
import {
  fillNewStateDefaults,
  listProgressStepLists,
  listPointersToState,
  createNewScreenChanges,
  createNewStateDefinition,
  listFlowStates,
  type NewFlowState,
  type ProgressStepList,
} from './flow-states.ts';

export interface FlowTaskProps {
  readonly flow: string;
  readonly onDone: EditTaskEndCallback;
}

/** Initial values of a new state. `path: null` derives the path from the title. */
export const emptyNewFlowState = {
  name: '',
  screen: '',
  path: null as string | null,
  title: emptyBilingualText,
  intro: emptyBilingualText,
};

export function NewStepForm({ flow, onDone }: FlowTaskProps) {
  const { set } = useStudio();
  const screens = listFlowStates(set, flow).filter(({ state }) => state['screen'] !== undefined);
  const [added, change, bind] = useFormFields({ ...emptyNewFlowState, after: screens[0]?.name ?? '', end: '' });
  const { after, end } = added;
  const path = added.path ?? (hasFieldsUpTo(set, flow, after) ? null : '');
  const state = fillNewStateDefaults(set, flow, { ...added, path });
  const ends = listFinalTransitions(set, flow, after);
  const { formatState } = createFlowLabelFormatter(set, flow);
  return (
    <EditTaskForm
      title={t('addStep')}
      changes={createNewStepChanges(set, flow, { ...state, after, end })}
      added={state.name}
      onDone={onDone}
    >
      <ChoiceField
        label={t('after')}
        value={after}
        options={listStateOptions(set, screens)}
        onChange={(next) => change({ after: next, end: '' })}
      />
      {ends.length > 0 && (
        <ChoiceField
          label={t('stepEnd')}
          {...bind('end')}
          options={ends.map(({ pointer, place, target, leaves }) => [
            pointer,
            `${place}: ${target === '' ? leaves : formatState(target)}`,
          ])}
        />
      )}
      <NewStateFields state={state} onChange={change} />
      <BilingualFields label={t('introText')} {...bind('intro')} long />
    </EditTaskForm>
  );
}

export function NewStateFields(props: { state: NewFlowState; onChange: (part: Partial<NewFlowState>) => void }) {
  const bind = createFieldBinder(props.state, props.onChange);
  return (
    <>
      <BilingualFields label={t('titleText')} {...bind('title')} required />
      <TextField label={t('stepName')} {...bind('name')} required />
      <TextField label={t('screenName')} {...bind('screen')} required />
      <TextField label={t('path')} {...bind('path')} />
    </>
  );
}

/** Whether a step up to `after` has fields. If none has, a path would let users skip the earlier steps, so the form proposes none. */
function hasFieldsUpTo(set: StudioDefinitions, flow: string, after: string): boolean {
  const steps = findProgressStepList(set, flow, after)?.steps ?? [after];
  const earlier = steps.slice(0, steps.indexOf(after) + 1);
  return listFlowStates(set, flow).some(
    ({ name, state }) => earlier.includes(name) && set.files[buildScreenFilePaths(String(state['screen'])).schema],
  );
}

function findProgressStepList(set: StudioDefinitions, flow: string, step: string): ProgressStepList | undefined {
  return listProgressStepLists(readFileValue(set, buildFlowFilePath(flow), '/progress')).find(({ steps }) =>
    steps.includes(step),
  );
}

interface NewStep extends NewFlowState {
  readonly after: string;
  /** Pointer to the final transition that the new step takes over. Empty: the first one. */
  readonly end: string;
}

/** A new last step takes over a final transition of the previous step: the selected one if there are several. */
export function createNewStepChanges(set: StudioDefinitions, flow: string, added: NewStep): readonly FileChange[] {
  const file = buildFlowFilePath(flow);
  const states = listFlowStates(set, flow);
  const before = states.find(({ name }) => name === added.after);
  if (!before) return [];
  const journey = findProgressStepList(set, flow, added.after);
  const next = journey?.steps[journey.steps.indexOf(added.after) + 1];
  const on = asObject(before.state['on']);
  const incoming =
    next === undefined ? [] : listJsonChildren(on, '').flatMap(([, own, at]) => listPointersToState(next, own, at));
  const ends = listFinalTransitions(set, flow, added.after);
  const end = ends.find(({ pointer }) => pointer === added.end) ?? ends[0];
  const storedVariables = end ? createStoredVariables(end, Object.keys(set.flows[flow]?.context ?? {})) : {};
  const [needed] = Object.values(storedVariables);
  const takesOver = next === undefined || incoming.length === 0;
  const enclosingStates = states.filter(({ pointer }) => before.pointer.startsWith(`${pointer}/states/`));
  // Whether the new state inherits the submit transition of an enclosing state, so that it needs none of its own.
  const inherits =
    !end &&
    takesOver &&
    on['submit'] === undefined &&
    enclosingStates.some(({ state }) => findByPointer(state, '/on/submit'));
  const state: JsonObject = {
    ...createNewStateDefinition(added, before),
    // Redirects to the previous step if the path is opened directly, because the values of that step would be missing.
    ...(added.path !== '' && needed !== undefined && { requires: { guard: `context.${needed}`, else: added.after } }),
    ...(!inherits && {
      on: {
        submit: end ? createFinalTransition(end, storedVariables) : takesOver ? (on['submit'] ?? { leave: '/' }) : next,
      },
    }),
  };
  const at = journey?.steps.indexOf(added.after) ?? -1;
  const beside = readFileValue(set, file, `${journey?.pointer}/${at}`);
  // The new step has the same guard as the previous one.
  const entry: Json = isObject(beside) ? { ...asObject(beside), state: added.name } : added.name;
  const folder = before.pointer.slice(0, before.pointer.lastIndexOf('/'));
  const names = Object.keys(readFileObject(set, file, folder));
  const following = names[names.indexOf(added.after) + 1];
  const edits: readonly JsonEdit[] = [
    ...(end
      ? [
          ...createTransitionTargetEdits(end, { target: added.name, notice: '' }),
          ...createStoreEdits(end, storedVariables),
        ]
      : (takesOver ? ['/submit'] : incoming).map((place) => ({
          pointer: `${before.pointer}/on${place}`,
          value: added.name,
        }))),
    {
      pointer: `${folder}/${escapePointer(added.name)}`,
      value: state,
      ...(following !== undefined && { before: following }),
    },
    journey
      ? { pointer: `${journey.pointer}/-`, value: entry, before: String(at + 1) }
      : { pointer: '/progress', value: [added.after, added.name], before: 'states' },
  ];
  return [...buildFileChanges(set, file, edits), ...createNewScreenChanges(added, ['submit', 'back'])];
}

/** A final transition leaves the journey and is neither a back transition nor an error. */
export function listFinalTransitions(
  set: StudioDefinitions,
  flow: string,
  step: string,
): readonly EditableTransitionBranch[] {
  const own = listFlowStates(set, flow).find(({ name }) => name === step);
  const journeys = listProgressStepLists(readFileValue(set, buildFlowFilePath(flow), '/progress')).filter(({ steps }) =>
    steps.includes(step),
  );
  if (!own || (journeys.length > 0 && journeys[0]?.steps.at(-1) !== step)) return [];
  const ends = listEditableTransitionBranches(set, flow).filter(({ pointer, target, leaves }) => {
    if (!pointer.startsWith(`${own.pointer}/on/`) || /\/on\/back(\/|$)|\/onError(\/|$)/.test(pointer)) return false;
    return leaves !== '' || (target !== '' && !journeys.some(({ steps }) => steps.includes(target)));
  });
  return ends.length > 1 ? ends : [];
}

/** Replaces values that only the final transition can read with the variables in `kept`. */
function createFinalTransition({ value, target, notice }: EditableTransitionBranch, kept: VariableNames): Json {
  if (notice === '' && target !== '') return target;
  const { leave } = asObject(value);
  return {
    ...(notice !== '' && { notice }),
    ...(leave === undefined ? { target } : { leave: replaceByVariables(leave, kept) }),
  };
}

/** Names of variables by the path of the value that they store, for example `next` by `result.next`. */
type VariableNames = Readonly<Record<string, string>>;

/** Names variables for the values that a final transition reads but the next step cannot. */
function createStoredVariables({ value }: EditableTransitionBranch, taken: readonly string[]): VariableNames {
  const { leave = null, assign } = asObject(value);
  const passing =
    assign === undefined ? /^(?:result|error|form)(?:\.\w+)+$/ : /^(?:result|error|form|context)(?:\.\w+)+$/;
  const names = [...taken];
  const createUniqueName = (path: string): string => {
    const name = makeNameUnique(path.slice(path.lastIndexOf('.') + 1), '', names);
    names.push(name);
    return name;
  };
  const texts = [...walkJson(leave)].flatMap(([, part]) => (typeof part === 'string' ? part : []));
  const paths = new Set(texts.filter((text) => passing.test(text)));
  return Object.fromEntries([...paths].map((path) => [path, createUniqueName(path)]));
}

function createStoreEdits({ pointer, value }: EditableTransitionBranch, kept: VariableNames): readonly JsonEdit[] {
  if (Object.keys(kept).length === 0) return [];
  const own: JsonObject = Object.fromEntries(Object.entries(kept).map(([path, name]) => [name, path]));
  const { assign } = asObject(value);
  const both = assign === undefined ? own : [...(Array.isArray(assign) ? asListOrEmpty(assign) : [assign]), own];
  return [{ pointer: `${pointer}/assign`, value: both }];
}

function replaceByVariables(value: Json, kept: VariableNames): Json {
  if (typeof value === 'string') return Object.hasOwn(kept, value) ? `context.${kept[value]}` : value;
  if (Array.isArray(value)) return value.map((one: Json) => replaceByVariables(one, kept));
  if (!isObject(value)) return value;
  return mapValues(value, (own) => replaceByVariables(own, kept));
}
