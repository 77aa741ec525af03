import { useState } from 'react';
import type { StudioFacts } from '../../dev-data.ts';
import { t } from '../../texts.ts';
import { ChoiceField, Task, TextField } from '../controls.tsx';
import { addErrorBranch, operationsOf, statesOf, type NewErrorBranch } from './flow-tasks.ts';
import { pressOf, stateChoices } from '../titles.ts';
import type { Studio } from '../use-studio.ts';
import type { Done } from './use-arrival.ts';

interface ErrorFormProps {
  readonly studio: Studio;
  readonly facts: StudioFacts;
  readonly flow: string;
  readonly onDone: Done;
}

export function ErrorForm({ studio, facts, flow, onDone }: ErrorFormProps) {
  const states = statesOf(studio.set, flow);
  const operations = states.flatMap((own) =>
    Object.entries(operationsOf(own)).map(([event, operation]) => ({ state: own.name, event, operation })),
  );
  const titles = Object.fromEntries(stateChoices(studio.set, states));
  const screens = Object.fromEntries(states.map(({ name, state: { screen } }) => [name, String(screen ?? '')]));
  const [chosen, setChosen] = useState(0);
  const [added, setAdded] = useState<Omit<NewErrorBranch, 'state' | 'event'>>({
    code: '',
    notice: '',
    text: { es: '', pt: '' },
    target: '',
  });
  const place = operations[chosen];
  if (!place) return <p>{t('noCalls')}</p>;
  const codes = [...(facts.operations[place.operation] ?? []), ...facts.commonErrors];
  const change = (part: Partial<typeof added>): void => setAdded((before) => ({ ...before, ...part }));
  const code = codes.includes(added.code) ? added.code : (codes[0] ?? '');
  const changes = addErrorBranch(studio.set, flow, { ...added, ...place, code });
  return (
    <Task
      title={t('addError')}
      files={changes.map(({ file }) => file)}
      busy={studio.busy}
      onSubmit={() => void studio.write(changes).then((isWritten) => isWritten && onDone(place.state))}
      onCancel={() => onDone()}
    >
      <ChoiceField
        label={t('callOf')}
        value={String(chosen)}
        options={operations.map(({ state, event, operation }, index) => [
          String(index),
          t('callAt', {
            state: titles[state] ?? state,
            press: pressOf(studio.set, screens[state] ?? '', event),
            operation,
          }),
        ])}
        onChange={(next) => setChosen(Number(next))}
      />
      <ChoiceField
        label={t('code')}
        value={code}
        options={codes.map((each) => [each, each])}
        onChange={(next) => change({ code: next })}
      />
      <TextField
        label={t('notice')}
        value={added.notice}
        required={added.target === ''}
        onChange={(notice) => change({ notice })}
      />
      {added.notice !== '' && (
        <>
          <TextField
            label={t('noticeEs')}
            value={added.text.es}
            required
            onChange={(es) => change({ text: { ...added.text, es } })}
          />
          <TextField
            label={t('noticePt')}
            value={added.text.pt}
            required
            onChange={(pt) => change({ text: { ...added.text, pt } })}
          />
        </>
      )}
      <ChoiceField
        label={t('target')}
        value={added.target}
        options={[['', t('stay')], ...stateChoices(studio.set, states)]}
        onChange={(target) => change({ target })}
      />
    </Task>
  );
}
