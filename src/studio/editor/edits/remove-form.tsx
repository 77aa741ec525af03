import { useState } from 'react';
import { t } from '../../texts.ts';
import { ChoiceField } from '../controls.tsx';
import { useCases } from '../panels/preview.tsx';
import type { Studio } from '../use-studio.ts';
import { casesGone } from './flow-removals.ts';
import { LookedTask } from './looked-task.tsx';
import type { Removal } from './removals.ts';

interface RemoveFormProps {
  readonly studio: Studio;
  readonly removals: readonly Removal[];
  readonly onDone: () => void;
}

export function RemoveForm({ studio, removals, onDone }: RemoveFormProps) {
  const [chosen, setChosen] = useState(0);
  const removal = removals[chosen];
  const cases = useCases(studio, removal?.screen ?? '');
  if (!removal) return null;
  // Wait for the test cases, which are removed too.
  const isRead = removal.screen === undefined || cases !== null;
  const changes = isRead ? [...removal.changes, ...(cases ? casesGone(cases) : [])] : [];
  return (
    <LookedTask studio={studio} title={t('remove')} changes={changes} action={t('remove')} onDone={onDone}>
      <ChoiceField
        label={t('removeWhat')}
        value={String(chosen)}
        options={removals.map(({ name }, index) => [String(index), name])}
        onChange={(next) => setChosen(Number(next))}
      />
    </LookedTask>
  );
}
