import { useState, type ReactNode } from 'react';
import { Crash } from '../portal/shell/crash.tsx';
import { t } from './texts.ts';

interface PartProps {
  /** Key of the content. A change resets the boundary. */
  readonly at: string;
  readonly children: ReactNode;
}

/** Error boundary for a part of a page, with a retry button. The rest of the page keeps its state. */
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
