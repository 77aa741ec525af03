import { devAddresses } from './dev-data.ts';
import { t } from './texts.ts';

const views = ['studio', 'gallery', 'flows', 'operations'] as const;

export function ViewLinks({ at }: { readonly at: (typeof views)[number] }) {
  return (
    <nav aria-label={t('views')} className="dev-views">
      {views.map((view) => (
        <a key={view} href={devAddresses[view]} aria-current={view === at ? 'page' : undefined}>
          {t(view)}
        </a>
      ))}
    </nav>
  );
}

const purposes = {
  studio: 'studioPurpose',
  gallery: 'galleryPurpose',
  flows: 'flowsPurpose',
  operations: 'operationsPurpose',
} as const;

export function Door() {
  return (
    <main className="gallery">
      <h1 tabIndex={-1}>{t('views')}</h1>
      <dl>
        {views.map((view) => (
          <div key={view}>
            <dt>
              <a href={devAddresses[view]}>{t(view)}</a>
            </dt>
            <dd>{t(purposes[view])}</dd>
          </div>
        ))}
      </dl>
    </main>
  );
}
