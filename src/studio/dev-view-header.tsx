import { devPagePaths } from './dev-page-data.ts';
import { t } from './texts.ts';
import { useState, type ReactNode } from 'react';
import { CrashBoundary } from '../portal/shell/crash-boundary.tsx';

const views = ['studio', 'gallery', 'flows', 'operations'] as const;

export function DevViewHeader({ at, children }: { at: (typeof views)[number]; children?: ReactNode }) {
  return (
    <header className="dev-header">
      <h1 tabIndex={-1}>{t(at)}</h1>
      <nav aria-label={t('views')} className="dev-views">
        {views.map((view) => (
          <a key={view} href={devPagePaths[view]} aria-current={view === at ? 'page' : undefined}>
            {t(view)}
          </a>
        ))}
      </nav>
      {children}
    </header>
  );
}

export function groupByArea<Item extends { readonly area: string | null }>(items: readonly Item[]) {
  const areas = items.flatMap(({ area }) => area ?? []);
  return [...[...new Set(areas)].sort((a, b) => a.localeCompare(b)), null]
    .map((area) => ({ area, items: items.filter((item) => item.area === area) }))
    .filter(({ items: own }) => own.length > 0);
}

export function StudioLinks() {
  return (
    <main className="gallery">
      <h1 tabIndex={-1}>{t('views')}</h1>
      <dl>
        {views.map((view) => (
          <div key={view}>
            <dt>
              <a href={devPagePaths[view]}>{t(view)}</a>
            </dt>
            <dd>{t(`${view}Purpose`)}</dd>
          </div>
        ))}
      </dl>
    </main>
  );
}

interface RetryBoundaryProps {
  /** Key of the content. A new key resets the boundary. */
  readonly at: string;
  readonly children: ReactNode;
}

export function RetryBoundary({ at, children }: RetryBoundaryProps) {
  const [attempt, setAttempt] = useState(0);
  return (
    <CrashBoundary
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
    </CrashBoundary>
  );
}
