import { escapePointer } from '../../../engine/core/json-pointer.ts';
import {
  deriveKeyFromLabel,
  buildFileChanges,
  buildScreenFilePaths,
  buildFlowFilePath,
  emptyBilingualText,
  readFileValue,
  type BilingualText,
} from '../definition-set.ts';
import type { FileChange, StudioDefinitions, JsonEdit } from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import {
  BilingualFields,
  ChoiceField,
  IndexSelectField,
  EditTaskForm,
  TextField,
  useFormFields,
} from '../form-controls.tsx';
import { listStateOptions, resolveEventLabel } from '../titles.ts';
import {
  fillNewStateDefaults,
  createNewScreenChanges,
  createNewStateDefinition,
  listFlowStates,
  buildTransitionPointer,
  type NewFlowState,
  listStateOperations,
} from './flow-states.ts';
import { NewStateFields, emptyNewFlowState, type FlowTaskProps } from './new-step-form.tsx';
import { useState } from 'react';
import type { JsonObject } from '../../../engine/core/json.ts';
import { useStudio } from '../use-studio.ts';

export function NewEventForm({ flow, onDone }: FlowTaskProps) {
  const { set } = useStudio();
  const states = listFlowStates(set, flow);
  const drawnStates = states.filter(({ state }) => state['screen'] !== undefined);
  const first = drawnStates[0]?.name ?? '';
  const [added, , bind] = useFormFields({ state: first, name: '', text: emptyBilingualText, target: first });
  const [made, changeMade] = useFormFields(emptyNewFlowState);
  const { state, text, target } = added;
  const name = added.name === '' ? deriveKeyFromLabel(text.es, '_') : added.name;
  const completeNewState = fillNewStateDefaults(set, flow, { ...made, after: state });
  return (
    <EditTaskForm
      title={t('addEvent')}
      changes={createNewEventChanges(set, flow, { ...added, name, made: completeNewState })}
      added={state}
      onDone={onDone}
    >
      <ChoiceField label={t('eventOf')} {...bind('state')} options={listStateOptions(set, drawnStates)} />
      <BilingualFields label={t('newButtonText')} {...bind('text')} required />
      <TextField label={t('eventName')} {...bind('name')} value={name} required />
      <ChoiceField
        label={t('leadsTo')}
        {...bind('target')}
        options={[...listStateOptions(set, states), ['', t('newState')]]}
      />
      {target === '' && <NewStateFields state={completeNewState} onChange={changeMade} />}
    </EditTaskForm>
  );
}

interface NewEvent {
  readonly state: string;
  readonly name: string;
  readonly text: BilingualText;
  /** Target state. Empty for a new state. */
  readonly target: string;
  readonly made: NewFlowState;
}

export function createNewEventChanges(set: StudioDefinitions, flow: string, added: NewEvent): readonly FileChange[] {
  const { name, text, made, target } = added;
  const own = listFlowStates(set, flow).find((state) => state.name === added.state);
  const screen = own?.state['screen'];
  if (!own || typeof screen !== 'string') return [];
  const isNew = target === '';
  const folder = own.pointer.slice(0, own.pointer.lastIndexOf('/'));
  const { ui, pt } = buildScreenFilePaths(screen);
  const address = `/actions/${escapePointer(name)}`;
  const translated = readFileValue(set, pt, address);
  return [
    ...buildFileChanges(set, buildFlowFilePath(flow), [
      { pointer: buildTransitionPointer(own, name), value: isNew ? made.name : target },
      ...(isNew
        ? [{ pointer: `${folder}/${escapePointer(made.name)}`, value: createNewStateDefinition(made, own) }]
        : []),
    ]),
    ...buildFileChanges(set, ui, [{ pointer: '/actions/-', value: { event: name, text: text.es } }]),
    ...buildFileChanges(set, pt, [
      { pointer: address, value: translated === undefined ? text.pt : [translated, text.pt].flat() },
    ]),
    ...(isNew ? createNewScreenChanges(made, ['back']) : []),
  ];
}

export function NewErrorBranchForm({ flow, onDone }: FlowTaskProps) {
  const { set, referenceData } = useStudio();
  const states = listFlowStates(set, flow);
  const operations = states.flatMap((own) =>
    Object.entries(listStateOperations(own)).map(([event, operation]) => ({ own, state: own.name, event, operation })),
  );
  const titles = Object.fromEntries(listStateOptions(set, states));
  const [chosen, setChosen] = useState(0);
  const [added, , bind] = useFormFields({ code: '', notice: '', text: emptyBilingualText, target: '' });
  const place = operations[chosen];
  if (!place) return <p>{t('noCalls')}</p>;
  const codes = [...(referenceData.operations[place.operation] ?? []), ...referenceData.commonErrors];
  const code = codes.includes(added.code) ? added.code : (codes[0] ?? '');
  return (
    <EditTaskForm
      title={t('addError')}
      changes={createErrorBranchChanges(set, flow, { ...added, state: place.state, event: place.event, code })}
      added={place.state}
      onDone={onDone}
    >
      <IndexSelectField
        label={t('callOf')}
        value={chosen}
        options={operations.map(({ own, state, event, operation }) =>
          t('callAt', {
            state: titles[state] ?? state,
            press: resolveEventLabel(set, String(own.state['screen'] ?? ''), event),
            operation,
          }),
        )}
        onChange={setChosen}
      />
      <ChoiceField label={t('code')} {...bind('code')} value={code} options={codes.map((each) => [each, each])} />
      <TextField label={t('notice')} {...bind('notice')} required={added.target === ''} />
      {added.notice !== '' && <BilingualFields label={t('noticeText')} {...bind('text')} required />}
      <ChoiceField
        label={t('target')}
        {...bind('target')}
        options={[['', t('stay')], ...listStateOptions(set, states)]}
      />
    </EditTaskForm>
  );
}

interface NewErrorBranch {
  readonly state: string;
  /** Event that invokes the operation. `invoke` if the state invokes the operation on entry. */
  readonly event: string;
  readonly code: string;
  /** Name of the notice. The text of an existing notice is unchanged. */
  readonly notice: string;
  readonly text: BilingualText;
  /** Target state. Empty: the flow stays in the current state. */
  readonly target: string;
}

/** Adds a branch after a failed operation. It precedes the existing branches, because the engine takes the first branch whose guard is true. */
export function createErrorBranchChanges(set: StudioDefinitions, flow: string, added: NewErrorBranch) {
  const file = buildFlowFilePath(flow);
  const states = listFlowStates(set, flow);
  const own = states.find(({ name }) => name === added.state);
  if (!own) return [];
  const pointer = `${buildTransitionPointer(own, added.event)}/onError`;
  const branch: JsonObject = {
    guard: { 'error.code': added.code },
    ...(added.notice !== '' && { notice: added.notice }),
    ...(added.target !== '' && { target: added.target }),
  };
  const now = readFileValue(set, file, pointer);
  const edit: JsonEdit = Array.isArray(now)
    ? { pointer: `${pointer}/-`, value: branch, before: '0' }
    : { pointer, value: now === undefined ? branch : [branch, now] };
  const shown = states.find(({ name }) => name === (added.target || added.state))?.state['screen'];
  return [
    ...buildFileChanges(set, file, [edit]),
    ...(typeof shown === 'string' && added.notice !== '' ? createNoticeChanges(set, shown, added) : []),
  ];
}

function createNoticeChanges(set: StudioDefinitions, screen: string, { notice, text }: NewErrorBranch) {
  const { ui, pt } = buildScreenFilePaths(screen);
  const pointer = `/notices/${escapePointer(notice)}`;
  if (readFileValue(set, ui, pointer) !== undefined) return [];
  return [
    ...buildFileChanges(set, ui, [{ pointer, value: { intent: 'error', text: text.es } }]),
    ...buildFileChanges(set, pt, [{ pointer, value: { text: text.pt } }]),
  ];
}
