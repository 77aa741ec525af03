import { useState, type ReactNode } from 'react';
import type { FileChange, StudioEdit, WriteAnswer } from '../../studio-data.ts';
import { describeFault } from '../../describe-fault.ts';
import { t } from '../../texts.ts';
import { Frame } from '../controls.tsx';
import { ProblemList } from '../panels/problem-list.tsx';
import { placesIn } from '../titles.ts';
import type { Studio } from '../use-studio.ts';

interface LookedTaskProps {
  readonly studio: Studio;
  readonly title: string;
  readonly changes: readonly FileChange[];
  /** What the button says that writes. */
  readonly action: string;
  /** What writing these changes would come to, where that was asked already. */
  readonly known?: WriteAnswer;
  readonly onDone: () => void;
  readonly children?: ReactNode;
}

/** A task that first shows what it changes, what depends on that and which cases expect something else then, and only then writes. */
export function LookedTask({ studio, title, changes, action, known, onDone, children }: LookedTaskProps) {
  const of = JSON.stringify(changes);
  const [looked, setLooked] = useState(known && { of, answer: known });
  const answer = looked?.of === of ? looked.answer : null; // of other changes it says nothing
  const isFine = answer?.outcome === 'fine';
  const submit = async (): Promise<void> => {
    if (!isFine) setLooked({ of, answer: await studio.look(changes) });
    else if (await studio.write(changes)) onDone();
    else setLooked(undefined);
  };
  return (
    <Frame
      title={title}
      action={isFine ? action : t('lookFirst')}
      disabled={studio.busy || changes.length === 0}
      onSubmit={() => void submit()}
      onCancel={onDone}
    >
      {children}
      {answer && (
        <div role="status">
          <p>{t('willChange')}</p>
          <ul>
            {changes.map(({ file, edits = [], gone }) => (
              <li key={file}>
                <code>{file}</code>: {gone ? t('fileGoes') : placesOf(studio, file, edits)}
              </li>
            ))}
          </ul>
          {isFine && answer.breaks.length > 0 && (
            <>
              <p>{t('breaksCases')}</p>
              <ul>
                {answer.breaks.map(({ file, name, fault }) => (
                  <li key={`${file} ${name} ${describeFault(fault)}`}>
                    <code>{file}</code> {name}: {describeFault(fault)}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
      {answer?.outcome === 'problems' && (
        <div role="alert" className="studio-told">
          <p>{t('removeHeld')}</p>
          <ProblemList problems={answer.problems} />
        </div>
      )}
      {(answer?.outcome === 'conflict' || answer?.outcome === 'refused') && <p role="alert">{t('renameAgain')}</p>}
    </Frame>
  );
}

/** Where people see what changes; of rules and cases, which nobody sees, how much. */
function placesOf({ set }: Studio, file: string, edits: readonly StudioEdit[]): string {
  if (file.startsWith('tests/') || file.endsWith('/schema.json'))
    return edits.length === 1 ? t('removeOne') : t('removeCount', { count: edits.length });
  const placeOf = placesIn(set, file);
  return edits.map(({ pointer }) => placeOf(pointer)).join('; ');
}
