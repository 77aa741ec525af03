import { devAddresses } from './dev-data.ts';
import { t } from './texts.ts';

/** The views of development, in the order of their links. */
const views = ['studio', 'gallery', 'flows', 'operations'] as const;

/** The links from one view of development to the others. */
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

/** The page that leads to each view, with a line about what it is for. */
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
