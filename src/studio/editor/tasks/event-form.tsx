import { useState } from 'react';
import { keyOf } from '../../key-of.ts';
import { t } from '../../texts.ts';
import { ChoiceField, Task, TextField } from '../controls.tsx';
import { stateChoices } from '../titles.ts';
import type { Studio } from '../use-studio.ts';
import type { Done } from './use-arrival.ts';
import { addressFor, statesOf, flowFile, newScreen } from './flow-tasks.ts';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import type { JsonObject } from '../../../engine/core/json.ts';
import type { FileChange, StudioEdit, StudioSet } from '../../studio-data.ts';
import { valueIn } from '../pending.ts';
import { filesOf, type Both } from './screen-tasks.ts';

export function EventForm({ studio, flow, onDone }: { studio: Studio; flow: string; onDone: Done }) {
  const states = statesOf(studio.set, flow);
  const drawn = states.filter(({ state }) => state['screen'] !== undefined);
  const [added, setAdded] = useState<NewEvent>({
    state: drawn[0]?.name ?? '',
    name: '',
    text: { es: '', pt: '' },
    target: drawn[0]?.name ?? '',
    made: { name: '', screen: '', path: '', title: { es: '', pt: '' } },
  });
  const [path, setPath] = useState<string | null>(null); // `null`: derived from the title
  const change = (part: Partial<NewEvent>): void => setAdded((before) => ({ ...before, ...part }));
  const changeMade = (part: Partial<NewState>): void => change({ made: { ...added.made, ...part } });
  const { text } = added;
  const name = added.name === '' ? keyOf(text.es, '_') : added.name;
  const named =
    added.made.name === ''
      ? keyOf(
          added.made.title.es,
          '-',
          states.map((own) => own.name),
        )
      : added.made.name;
  const screen = added.made.screen === '' ? `${flow}-${named}` : added.made.screen;
  const address = path ?? addressFor(studio.set, flow, { after: added.state, title: added.made.title.es });
  const made = { ...added.made, name: named, screen, path: address };
  const changes = addEvent(studio.set, flow, { ...added, name, made });
  return (
    <Task
      title={t('addEvent')}
      files={changes.map(({ file }) => file)}
      busy={studio.busy}
      onSubmit={() => void studio.write(changes).then((isWritten) => isWritten && onDone(added.state))}
      onCancel={() => onDone()}
    >
      <ChoiceField
        label={t('eventOf')}
        value={added.state}
        options={stateChoices(studio.set, drawn)}
        onChange={(state) => change({ state })}
      />
      <TextField label={t('buttonEs')} value={text.es} required onChange={(es) => change({ text: { ...text, es } })} />
      <TextField label={t('buttonPt')} value={text.pt} required onChange={(pt) => change({ text: { ...text, pt } })} />
      <TextField label={t('eventName')} value={name} required onChange={(own) => change({ name: own })} />
      <ChoiceField
        label={t('leadsTo')}
        value={added.target}
        options={[...stateChoices(studio.set, states), ['', t('newState')]]}
        onChange={(target) => change({ target })}
      />
      {added.target === '' && (
        <>
          <TextField
            label={t('titleEs')}
            value={made.title.es}
            required
            onChange={(es) => changeMade({ title: { ...made.title, es } })}
          />
          <TextField
            label={t('titlePt')}
            value={made.title.pt}
            required
            onChange={(pt) => changeMade({ title: { ...made.title, pt } })}
          />
          <TextField label={t('stepName')} value={named} required onChange={(own) => changeMade({ name: own })} />
          <TextField label={t('screenName')} value={screen} required onChange={(own) => changeMade({ screen: own })} />
          <TextField label={t('path')} value={address} onChange={setPath} />
        </>
      )}
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

interface NewState {
  readonly name: string;
  readonly screen: string;
  /** Empty if it has no address. */
  readonly path: string;
  readonly title: Both;
}

/** Changes to add a button and its transition. A new target state also gets a screen in both languages and a test case. */
export function addEvent(set: StudioSet, flow: string, added: NewEvent): readonly FileChange[] {
  const { name, text, made } = added;
  const own = statesOf(set, flow).find((state) => state.name === added.state);
  const screen = own?.state['screen'];
  if (!own || typeof screen !== 'string') return [];
  const isNew = added.target === '';
  const { access, permissions } = own.state;
  const state: JsonObject = {
    ...(made.path !== '' && { path: made.path }),
    screen: made.screen,
    // Restrict access as in the state of the button.
    ...(made.path !== '' && access !== undefined && { access }),
    ...(made.path !== '' && permissions !== undefined && { permissions }),
  };
  const folder = own.pointer.slice(0, own.pointer.lastIndexOf('/'));
  const edits: readonly StudioEdit[] = [
    { pointer: `${own.pointer}/on/${escapePointer(name)}`, value: isNew ? made.name : added.target },
    ...(isNew ? [{ pointer: `${folder}/${escapePointer(made.name)}`, value: state }] : []),
  ];
  const { ui, pt } = filesOf(screen);
  const address = `/actions/${escapePointer(name)}`;
  const said = valueIn(set, pt, address);
  const change = (file: string, own: readonly StudioEdit[]): FileChange => ({
    file,
    base: set.files[file]?.version ?? null,
    edits: own,
  });
  return [
    change(flowFile(flow), edits),
    change(ui, [{ pointer: '/actions/-', value: { event: name, text: text.es } }]),
    change(pt, [{ pointer: address, value: said === undefined ? text.pt : [said, text.pt].flat() }]),
    ...(isNew ? newScreen({ ...made, intro: { es: '', pt: '' } }, ['back']) : []),
  ];
}
