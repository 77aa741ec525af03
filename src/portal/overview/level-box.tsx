import type { Store } from '../../domain/root-store.ts';
import { pages } from '../../contract/pages.ts';
import { usePortal } from '../portal-context.ts';
import { PortalLink } from '../shell/portal-link.tsx';
import { Section, Way } from './section.tsx';
import { levelAnchor, waysUp } from './ways-up.ts';

const levels = ['basic', 'intermediate', 'advanced'] as const;

/** The level of the account among the three with what each allows, its source, or the ways to the next one (sections 4.1 and 6). */
export function LevelBox({ store, user }: { store: Store; user: NonNullable<Store['user']> }) {
  const {
    t,
    page: { config },
  } = usePortal();
  const { inPerson } = config;
  const ways = waysUp(store, user, config);
  const reached = levels.indexOf(user.level);
  return (
    <Section title={t('seguridad.level')} anchor={levelAnchor}>
      <ol className="level-steps">
        {levels.map((level, at) => (
          <li key={level} aria-current={at === reached ? 'step' : undefined} data-reached={at <= reached || undefined}>
            <h3>
              {t(level === user.level ? `seguridad.${level}` : `level.${level}`)}
              {at === reached && <span className="tag">{t('seguridad.level.here')}</span>}
            </h3>
            <p>{t(`seguridad.level.${level}.allows`)}</p>
          </li>
        ))}
      </ol>
      {user.level === 'intermediate' ? (
        <p>
          {t('seguridad.level.source', { source: t(`seguridad.level.${user.levelSource}`) })}
          {user.firma_validada && (
            <>
              {' '}
              · <PortalLink to={user.firma_validada}>{t('seguridad.level.signed')}</PortalLink>
            </>
          )}
        </p>
      ) : (
        <>
          <p>{t('seguridad.level.raise')}</p>
          <ul className="ways">
            {ways.signature && (
              <li>
                <Way to={pages.signature} store={store} call="requestSignature">
                  {t('seguridad.level.bySignature')}
                </Way>
              </li>
            )}
            {ways.call && (
              <li>
                <Way to={pages.elevation} store={store} call="bookElevation">
                  {t('seguridad.level.byCall')}
                </Way>
              </li>
            )}
            <li>
              {t('seguridad.level.inPerson')}
              {inPerson.address !== '' && <> {t('seguridad.level.address', { address: inPerson.address })}</>}
              {inPerson.hours !== '' && <> {t('seguridad.level.hours', { hours: inPerson.hours })}</>}
              {inPerson.url !== '' && (
                <>
                  {' '}
                  <a href={inPerson.url}>{t('seguridad.level.places')}</a>
                </>
              )}
            </li>
          </ul>
        </>
      )}
    </Section>
  );
}
