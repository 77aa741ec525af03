import { useState, type ReactNode } from 'react';
import { Crash } from '../portal/shell/crash.tsx';
import { t } from './texts.ts';

interface PartProps {
  /** What it is drawn from: what could not be drawn of one is tried again with another. */
  readonly at: string;
  readonly children: ReactNode;
}

/** A part of a page that may fail alone: in its place stands a sentence and a button, and all around it stays with what was typed there. */
export function Part({ at, children }: PartProps) {
  const [attempt, setAttempt] = useState(0);
  return (
    <Crash
      at={`${at} ${attempt}`}
      fallback={
        <div role="alert" className="screen">
          <p>{t('crashed')}</p>
          <button type="button" className="button" onClick={() => setAttempt(attempt + 1)}>
            {t('again')}
          </button>
        </div>
      }
    >
      {children}
    </Crash>
  );
}
