import type { Store } from '../../domain/root-store.ts';
import { pages } from '../../contract/pages.ts';
import { usePortal } from '../portal-context.ts';
import { PortalLink } from '../shell/portal-link.tsx';
import { Section, Way } from './section.tsx';
import { waysUp } from './ways-up.ts';

export function LevelBox({ store, user }: { store: Store; user: NonNullable<Store['user']> }) {
  const { t } = usePortal();
  return (
    <Section title={t('seguridad.level')} action={<p className="level">{t(`seguridad.${user.level}`)}</p>}>
      <p>{t(`seguridad.level.${user.level}.opens`)}</p>
      {user.level === 'intermediate' ? <Source user={user} /> : <p>{t('seguridad.level.raise')}</p>}
      <ul className="rows">
        {user.level === 'basic' && <WaysUp store={store} user={user} />}
        <li>
          <PortalLink to={pages.methods}>{t('seguridad.level.methods')}</PortalLink>
        </li>
      </ul>
    </Section>
  );
}

function Source({ user }: { user: NonNullable<Store['user']> }) {
  const { t } = usePortal();
  return (
    <p>
      {t('seguridad.level.source', { source: t(`seguridad.level.${user.levelSource}`) })}
      {user.firma_validada && (
        <>
          {' '}
          · <PortalLink to={user.firma_validada}>{t('seguridad.level.signed')}</PortalLink>
        </>
      )}
    </p>
  );
}

function WaysUp({ store, user }: { store: Store; user: NonNullable<Store['user']> }) {
  const {
    t,
    page: { config },
  } = usePortal();
  const { inPerson } = config;
  const ways = waysUp(store, user, config);
  return (
    <>
      {ways.call && (
        <li>
          <Way look="row" to={pages.elevation} store={store} call="bookElevation">
            {t('seguridad.level.byCall')}
          </Way>
        </li>
      )}
      {ways.signature && (
        <li>
          <Way look="row" to={pages.signature} store={store} call="requestSignature">
            {t('seguridad.level.bySignature')}
          </Way>
        </li>
      )}
      <li>
        {inPerson.url === '' ? (
          t('seguridad.level.inPerson')
        ) : (
          <a href={inPerson.url}>{t('seguridad.level.inPerson')}</a>
        )}
        {inPerson.address !== '' && <p>{t('seguridad.level.address', { address: inPerson.address })}</p>}
        {inPerson.hours !== '' && <p>{t('seguridad.level.hours', { hours: inPerson.hours })}</p>}
      </li>
    </>
  );
}
