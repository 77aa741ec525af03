import { useState } from 'react';
import { keyOf } from '../../key-of.ts';
import { t } from '../../texts.ts';
import { ChoiceField, Task, TextField } from '../controls.tsx';
import { addressFor, statesOf } from './flow-tasks.ts';
import { addStep, endsOf, type NewStep } from './step-tasks.ts';
import { namesOfFlow, stateChoices } from '../titles.ts';
import type { Studio } from '../use-studio.ts';
import type { Done } from './use-arrival.ts';

export function StepForm({ studio, flow, onDone }: { studio: Studio; flow: string; onDone: Done }) {
  const screens = statesOf(studio.set, flow).filter(({ state }) => state['screen'] !== undefined);
  const [added, setAdded] = useState<NewStep>({
    after: screens[0]?.name ?? '',
    end: '',
    name: '',
    screen: '',
    path: '',
    title: { es: '', pt: '' },
    intro: { es: '', pt: '' },
  });
  const [path, setPath] = useState<string | null>(null); // `null`: derived from the title
  const change = (part: Partial<NewStep>): void => setAdded((before) => ({ ...before, ...part }));
  const taken = statesOf(studio.set, flow).map(({ name }) => name);
  const name = added.name === '' ? keyOf(added.title.es, '-', taken) : added.name;
  const address = path ?? addressFor(studio.set, flow, { after: added.after, title: added.title.es });
  const whole = { ...added, name, path: address, screen: added.screen === '' ? `${flow}-${name}` : added.screen };
  const ends = endsOf(studio.set, flow, added.after);
  const { stateOf } = namesOfFlow(studio.set, flow);
  const changes = addStep(studio.set, flow, whole);
  return (
    <Task
      title={t('addStep')}
      files={changes.map(({ file }) => file)}
      busy={studio.busy}
      onSubmit={() => void studio.write(changes).then((isWritten) => isWritten && onDone(name))}
      onCancel={() => onDone()}
    >
      <ChoiceField
        label={t('after')}
        value={added.after}
        options={stateChoices(studio.set, screens)}
        onChange={(after) => change({ after, end: '' })}
      />
      {ends.length > 0 && (
        <ChoiceField
          label={t('stepEnd')}
          value={added.end}
          options={ends.map(({ pointer, place, target, leaves }) => [
            pointer,
            `${place}: ${target === '' ? leaves : stateOf(target)}`,
          ])}
          onChange={(end) => change({ end })}
        />
      )}
      <TextField
        label={t('titleEs')}
        value={added.title.es}
        required
        onChange={(es) => change({ title: { ...added.title, es } })}
      />
      <TextField
        label={t('titlePt')}
        value={added.title.pt}
        required
        onChange={(pt) => change({ title: { ...added.title, pt } })}
      />
      <TextField label={t('stepName')} value={name} required onChange={(own) => change({ name: own })} />
      <TextField label={t('screenName')} value={whole.screen} required onChange={(screen) => change({ screen })} />
      <TextField label={t('path')} value={address} onChange={setPath} />
      <TextField
        label={t('introEs')}
        value={added.intro.es}
        long
        onChange={(es) => change({ intro: { ...added.intro, es } })}
      />
      <TextField
        label={t('introPt')}
        value={added.intro.pt}
        long
        onChange={(pt) => change({ intro: { ...added.intro, pt } })}
      />
    </Task>
  );
}
