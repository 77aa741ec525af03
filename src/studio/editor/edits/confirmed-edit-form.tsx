import { useState, type ReactNode } from 'react';
import type { FileChange, JsonEdit, StudioDefinitions, DefinitionWriteResult } from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import { EditTaskFrame, IndexSelectField } from '../form-controls.tsx';
import { useScreenCases } from '../panels/preview-panel.tsx';
import { MismatchedCaseList, DryRunResult } from '../sorted-table.tsx';
import { createTextPlaceDescriber } from '../titles.ts';
import { useStudio } from '../use-studio.ts';
import { buildCaseFileRemovals, type ElementRemoval } from './screen-removals.ts';

interface ConfirmTaskProps {
  readonly title: string;
  readonly changes: readonly FileChange[];
  readonly action?: string;
  readonly initialAnswer?: DefinitionWriteResult;
  readonly onDone: () => void;
  readonly children?: ReactNode;
}

/** Form of an edit. The first submit shows the changes and the test cases that they break. The second submit writes the changes. */
export function ConfirmedEditForm({ title, changes, action, initialAnswer, onDone, children }: ConfirmTaskProps) {
  const studio = useStudio();
  const of = JSON.stringify(changes);
  const [looked, setLooked] = useState(initialAnswer && { of, answer: initialAnswer });
  const answer = looked?.of === of ? looked.answer : null; // ignores a result that belongs to other changes
  const isFine = answer?.outcome === 'fine';
  const submit = async (): Promise<void> => {
    if (!isFine) setLooked({ of, answer: await studio.look(changes) });
    else if (await studio.write(changes)) onDone();
    else setLooked(undefined);
  };
  return (
    <EditTaskFrame
      title={title}
      action={isFine ? (action ?? t('apply')) : t('lookFirst')}
      disabled={studio.busy || changes.length === 0}
      onSubmit={() => void submit()}
      onCancel={onDone}
    >
      {children}
      {answer && (
        <div role="status">
          <p>{t('willChange')}</p>
          <ul>
            {changes.map(({ file, edits = [], deleted }) => (
              <li key={file}>
                <code>{file}</code>: {deleted ? t('fileGoes') : describePlaces(studio.set, file, edits)}
              </li>
            ))}
          </ul>
          {isFine && answer.breaks.length > 0 && (
            <>
              <p>{t('breaksCases')}</p>
              <MismatchedCaseList cases={answer.breaks} />
            </>
          )}
        </div>
      )}
      {answer && <DryRunResult answer={answer} problems={t('removeHeld')} />}
    </EditTaskFrame>
  );
}

function describePlaces(set: StudioDefinitions, file: string, edits: readonly JsonEdit[]): string {
  if (file.startsWith('tests/') || file.endsWith('/schema.json'))
    return edits.length === 1 ? t('removeOne') : t('removeCount', { count: edits.length });
  const describePlace = createTextPlaceDescriber(set, file);
  return edits.map(({ pointer }) => describePlace(pointer)).join('; ');
}

export function RemovalForm({ removals, onDone }: { removals: readonly ElementRemoval[]; onDone: () => void }) {
  const [chosen, setChosen] = useState(0);
  const removal = removals[chosen];
  const cases = useScreenCases(removal?.screen ?? '');
  if (!removal) return null;
  // The removal of a screen also removes its test cases, so they must have loaded.
  const isReady = removal.screen === undefined || cases !== null;
  const changes = isReady ? [...removal.changes, ...(cases ? buildCaseFileRemovals(cases) : [])] : [];
  return (
    <ConfirmedEditForm title={t('remove')} changes={changes} action={t('remove')} onDone={onDone}>
      <IndexSelectField
        label={t('removeWhat')}
        value={chosen}
        options={removals.map(({ name }) => name)}
        onChange={setChosen}
      />
    </ConfirmedEditForm>
  );
}
