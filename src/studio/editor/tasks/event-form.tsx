import { useState } from 'react';
import { keyOf } from '../../key-of.ts';
import { t } from '../../texts.ts';
import { ChoiceField, Task, TextField } from '../controls.tsx';
import { stateChoices } from '../titles.ts';
import type { Studio } from '../use-studio.ts';
import type { Done } from './use-arrival.ts';
import { addEvent, type NewEvent, type NewState } from './event-tasks.ts';
import { addressFor, statesOf } from './flow-tasks.ts';

/** Asks for a button of a state's screen and where it leads: to a state that is there, or to a new one with its screen. */
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
  const [path, setPath] = useState<string | null>(null); // null: as its title says
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
