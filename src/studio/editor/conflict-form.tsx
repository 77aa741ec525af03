import { useState } from 'react';
import { t } from '../texts.ts';
import type { Conflict } from './conflicts.ts';
import type { Studio } from './use-studio.ts';

/** What was typed beside what the files hold now: for each of them one is chosen. */
export function ConflictForm({ studio, conflicts }: { studio: Studio; conflicts: readonly Conflict[] }) {
  const [given, setGiven] = useState<ReadonlySet<string>>(new Set());
  const choose = (key: string, isGiven: boolean): void => {
    const next = new Set(given);
    if (isGiven) next.add(key);
    else next.delete(key);
    setGiven(next);
  };
  const differing = conflicts.filter(({ mine, now }) => mine !== now);
  const files = [...new Set(conflicts.map(({ file }) => file))].join(', ');
  return (
    <form
      role="alert"
      className="studio-told studio-conflict"
      onSubmit={(event) => {
        event.preventDefault();
        studio.takeNow(given);
      }}
    >
      <p>{t('conflict', { files })}</p>
      {differing.map(({ key, file, place, mine, now }) => (
        <fieldset key={key}>
          <legend>
            <code>{file}</code> {place}
          </legend>
          {(
            [
              ['mine', mine],
              ['now', now],
            ] as const
          ).map(([side, text]) => (
            <label key={side}>
              <input
                type="radio"
                name={key}
                checked={given.has(key) === (side === 'now')}
                onChange={() => choose(key, side === 'now')}
              />
              <span>
                {t(side)} <q>{text ?? t('sayNothing')}</q>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
      <button type="submit" className="button">
        {t('takeChosen')}
      </button>
    </form>
  );
}
