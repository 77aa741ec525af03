import { useState } from 'react';
import type { StudioEdit, WriteAnswer } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { ChoiceField, useOpened } from '../controls.tsx';
import { ProblemList } from '../panels/problem-list.tsx';
import { placesIn } from '../titles.ts';
import type { Studio } from '../use-studio.ts';
import type { Removal } from './removals.ts';

interface RemoveFormProps {
  readonly studio: Studio;
  readonly removals: readonly Removal[];
  readonly onDone: () => void;
}

/** Asks what is to be removed, shows from where it goes and what depends on it, and only then writes. */
export function RemoveForm({ studio, removals, onDone }: RemoveFormProps) {
  const [chosen, setChosen] = useState(0);
  const [answer, setAnswer] = useState<WriteAnswer | null>(null);
  const form = useOpened<HTMLFormElement>();
  const removal = removals[chosen];
  if (!removal) return null;
  const { changes } = removal;
  const isFine = answer?.outcome === 'fine';
  const submit = async (): Promise<void> => {
    if (!isFine) setAnswer(await studio.look(changes));
    else if (await studio.write(changes)) onDone();
    else setAnswer(null);
  };
  return (
    <form
      ref={form}
      className="studio-task"
      aria-label={t('remove')}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <ChoiceField
        label={t('removeWhat')}
        value={String(chosen)}
        options={removals.map(({ name }, index) => [String(index), name])}
        onChange={(next) => {
          setChosen(Number(next));
          setAnswer(null);
        }}
      />
      {answer && (
        <div role="status">
          <p>{t('removeGoes')}</p>
          <ul>
            {changes.map(({ file, edits = [] }) => (
              <li key={file}>
                <code>{file}</code>: {placesOf(studio, file, edits)}
              </li>
            ))}
          </ul>
        </div>
      )}
      {answer?.outcome === 'problems' && (
        <div role="alert" className="studio-told">
          <p>{t('removeHeld')}</p>
          <ProblemList problems={answer.problems} />
        </div>
      )}
      {(answer?.outcome === 'conflict' || answer?.outcome === 'refused') && <p role="alert">{t('renameAgain')}</p>}
      <p className="studio-buttons">
        <button type="submit" className="button" disabled={studio.busy}>
          {t(isFine ? 'remove' : 'removeLook')}
        </button>
        <button type="button" className="button" onClick={onDone}>
          {t('cancel')}
        </button>
      </p>
    </form>
  );
}

/** Where people see what goes; of rules and cases, which nobody sees, how much. */
function placesOf({ set }: Studio, file: string, edits: readonly StudioEdit[]): string {
  if (file.startsWith('tests/') || file.endsWith('/schema.json')) return t('removeCount', { count: edits.length });
  const placeOf = placesIn(set, file);
  return edits.map(({ pointer }) => placeOf(pointer)).join('; ');
}
