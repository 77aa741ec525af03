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
  readonly action: string;
  /** Result of a dry run, if it was requested before. */
  readonly known?: WriteAnswer;
  readonly onDone: () => void;
  readonly children?: ReactNode;
}

/** Task with a preview of its changes, their dependents, and the cases with other results. Writes only after that. */
export function LookedTask({ studio, title, changes, action, known, onDone, children }: LookedTaskProps) {
  const of = JSON.stringify(changes);
  const [looked, setLooked] = useState(known && { of, answer: known });
  const answer = looked?.of === of ? looked.answer : null; // a result for other changes does not count
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

/** Describes the places of edits. For rules and cases, which have no visible place, their number. */
function placesOf({ set }: Studio, file: string, edits: readonly StudioEdit[]): string {
  if (file.startsWith('tests/') || file.endsWith('/schema.json'))
    return edits.length === 1 ? t('removeOne') : t('removeCount', { count: edits.length });
  const placeOf = placesIn(set, file);
  return edits.map(({ pointer }) => placeOf(pointer)).join('; ');
}
