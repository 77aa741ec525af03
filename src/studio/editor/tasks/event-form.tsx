import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { keyOf } from '../../key-of.ts';
import type { FileChange, StudioSet } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { BothFields, ChoiceField, Task, TextField, useFields, type Done } from '../controls.tsx';
import { changesTo, filesOf, flowFile, noText, valueIn, type Both } from '../files.ts';
import { stateChoices } from '../titles.ts';
import type { Studio } from '../use-studio.ts';
import { completeState, newScreen, stateFor, statesOf, transitionAt, type NewState } from './flow-tasks.ts';
import { StateFields } from './step-form.tsx';

export function EventForm({ studio, flow, onDone }: { studio: Studio; flow: string; onDone: Done }) {
  const states = statesOf(studio.set, flow);
  const drawn = states.filter(({ state }) => state['screen'] !== undefined);
  const first = drawn[0]?.name ?? '';
  const [added, change] = useFields({ state: first, name: '', text: noText, target: first });
  const [made, changeMade] = useFields({
    name: '',
    screen: '',
    path: null as string | null, // `null`: derived from the title
    title: noText,
    intro: noText,
  });
  const { state, text, target } = added;
  const name = added.name === '' ? keyOf(text.es, '_') : added.name;
  const whole = completeState(studio.set, flow, { ...made, after: state });
  return (
    <Task
      studio={studio}
      title={t('addEvent')}
      changes={addEvent(studio.set, flow, { ...added, name, made: whole })}
      added={state}
      onDone={onDone}
    >
      <ChoiceField
        label={t('eventOf')}
        value={state}
        options={stateChoices(studio.set, drawn)}
        onChange={(own) => change({ state: own })}
      />
      <BothFields
        label={{ es: t('buttonEs'), pt: t('buttonPt') }}
        value={text}
        required
        onChange={(own) => change({ text: own })}
      />
      <TextField label={t('eventName')} value={name} required onChange={(own) => change({ name: own })} />
      <ChoiceField
        label={t('leadsTo')}
        value={target}
        options={[...stateChoices(studio.set, states), ['', t('newState')]]}
        onChange={(own) => change({ target: own })}
      />
      {target === '' && <StateFields state={whole} onChange={changeMade} />}
    </Task>
  );
}

interface NewEvent {
  readonly state: string;
  readonly name: string;
  readonly text: Both;
  /** Target state. Empty for a new one. */
  readonly target: string;
  readonly made: NewState;
}

/** Changes to add a button and its transition. A new target state also gets a screen in both languages and a test case. */
export function addEvent(set: StudioSet, flow: string, added: NewEvent): readonly FileChange[] {
  const { name, text, made, target } = added;
  const own = statesOf(set, flow).find((state) => state.name === added.state);
  const screen = own?.state['screen'];
  if (!own || typeof screen !== 'string') return [];
  const isNew = target === '';
  const folder = own.pointer.slice(0, own.pointer.lastIndexOf('/'));
  const { ui, pt } = filesOf(screen);
  const address = `/actions/${escapePointer(name)}`;
  const translated = valueIn(set, pt, address);
  return [
    ...changesTo(set, flowFile(flow), [
      { pointer: transitionAt(own, name), value: isNew ? made.name : target },
      ...(isNew ? [{ pointer: `${folder}/${escapePointer(made.name)}`, value: stateFor(made, own) }] : []),
    ]),
    ...changesTo(set, ui, [{ pointer: '/actions/-', value: { event: name, text: text.es } }]),
    ...changesTo(set, pt, [
      { pointer: address, value: translated === undefined ? text.pt : [translated, text.pt].flat() },
    ]),
    ...(isNew ? newScreen(made, ['back']) : []),
  ];
}
