import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { PortalStore } from '../../domain/root-store.ts';
import type { FlowBlockProps } from '../../engine/react/flow/flow-route.tsx';
import type { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import { LoadingPlaceholder } from '../../engine/react/flow/loading-placeholder.tsx';
import { pagePaths } from '../../contract/page-paths.ts';
import { AccountAlerts } from '../overview/account-alerts.tsx';
import { CredentialsSection, SecondFactorSection } from '../overview/credentials-section.tsx';
import { listElevationMethods } from '../overview/next-step.tsx';
import {
  applicationsAnchor,
  OverviewSection,
  PanelPlaceholders,
  OperationLink,
  PanelLoadStatus,
} from '../overview/overview-section.tsx';
import { AccountIdentity } from '../overview/account-identity.tsx';
import { usePortal } from '../portal-context.ts';
import { PortalLink } from '../shell/portal-link.tsx';
import { scrollToAnchor } from '../shell/scroll-to-anchor.ts';
import { usePortalStore } from '../session/use-portal-store.ts';
import { useDocumentTitle } from '../shell/use-document-title.ts';
import { formatShortDateTime } from '../../contract/format/dates.ts';
import { ActionButton, FlowNotice } from '../shell/block-layout.tsx';

const Activity = observer(function Activity({ store, runner }: { store: PortalStore; runner: FlowRunner }) {
  const { t } = usePortal();
  const [open, setOpen] = useState(false);
  const { user, actions } = store;
  const toggle = () => {
    if (!open) void runner.raise('actions');
    setOpen(!open);
  };
  return (
    <OverviewSection title={t('seguridad.activity')}>
      {user?.ultimo_login != null && (
        <p>
          {t('seguridad.lastLogin')}: {formatShortDateTime(user.ultimo_login)}
        </p>
      )}
      <ul className="rows">
        <li>
          <button type="button" aria-expanded={open} onClick={toggle}>
            {t(open ? 'seguridad.actions.hide' : 'seguridad.actions.show')}
          </button>
        </li>
      </ul>
      {open && actions === null && (
        <PanelLoadStatus store={store} call="getActions" onRetry={() => void runner.raise('actions')} />
      )}
      {open &&
        actions !== null &&
        (actions.length === 0 ? (
          <p className="empty">{t('seguridad.actions.none')}</p>
        ) : (
          <ul className="rows">
            {actions.map(({ id, timestamp_access: when, descripcion, responsable, dispositivo, red }) => (
              <li key={id}>
                <strong>{descripcion}</strong>
                <span>
                  {[formatShortDateTime(when), responsable, dispositivo, red]
                    .filter((part) => part !== null)
                    .join(' · ')}
                </span>
              </li>
            ))}
          </ul>
        ))}
      <ul className="rows">
        <li>
          <PortalLink to={pagePaths.sessions}>{t('seguridad.more.sessions')}</PortalLink>
        </li>
      </ul>
    </OverviewSection>
  );
});

const LinkedProviders = observer(function LinkedProviders({
  store,
  runner,
}: {
  store: PortalStore;
  runner: FlowRunner;
}) {
  const { t } = usePortal();
  if (store.linked === null || store.linked.length === 0) return null;
  return (
    <OverviewSection title={t('seguridad.linked')}>
      <ul className="rows">
        {store.linked.map(({ identificador, nombre, desde }) => (
          <li key={identificador} className="row">
            <div>
              <h3>{nombre}</h3>
              <p>{t('seguridad.apps.since', { date: formatShortDateTime(desde) })}</p>
            </div>
            <ActionButton
              look="small"
              text={t('seguridad.linked.unlink')}
              label={t('seguridad.linked.unlinkOf', { name: nombre })}
              onAct={() => void runner.raise('unlink', { id: identificador, name: nombre })}
            />
          </li>
        ))}
      </ul>
    </OverviewSection>
  );
});

const Applications = observer(function Applications({ store, runner }: { store: PortalStore; runner: FlowRunner }) {
  const { t } = usePortal();
  const { applications } = store;
  return (
    <OverviewSection anchor={applicationsAnchor} title={t('seguridad.apps')}>
      {applications === null && (
        <PanelLoadStatus store={store} call="getApplications" onRetry={() => void store.perform('getApplications')} />
      )}
      {applications?.length === 0 && <p className="empty">{t('seguridad.apps.none')}</p>}
      {applications !== null && applications.length > 0 && (
        <ul className="rows">
          {applications.map(({ id, client, scopes, date_given: given }) => (
            <li key={id}>
              <div className="row">
                {client.logo !== null && <img src={client.logo} alt="" width={40} height={40} />}
                <div>
                  <h3>{client.name}</h3>
                  <p>{t('seguridad.apps.since', { date: formatShortDateTime(given) })}</p>
                </div>
                <ActionButton
                  look="small"
                  text={t('seguridad.apps.revoke')}
                  label={t('seguridad.apps.revokeOf', { name: client.name })}
                  onAct={() => void runner.raise('revoke', { id, name: client.name })}
                />
              </div>
              {scopes.length > 0 && <p>{t('seguridad.apps.scopes')}</p>}
              <ul className="scopes">
                {scopes.map(({ scope, name }) => (
                  <li key={name} className="row">
                    <span>{name}</span>
                    {scopes.length > 1 && scope !== undefined && (
                      <button
                        type="button"
                        className="link-button"
                        aria-label={t('seguridad.apps.withdrawOf', { scope: name, name: client.name })}
                        onClick={() =>
                          void runner.raise('revokeScope', { id, scope, scopeName: name, name: client.name })
                        }
                      >
                        {t('seguridad.apps.withdraw')}
                      </button>
                    )}
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      )}
    </OverviewSection>
  );
});

export default function SecurityOverview({ runner }: FlowBlockProps) {
  const store = usePortalStore();
  const { t, config } = usePortal();
  const { identityProviders } = config;
  const [answered, setAnswered] = useState(false);
  useDocumentTitle(t('seguridad.title'));
  useEffect(
    () => void store?.loadOverview(identityProviders).then(() => setAnswered(true)),
    [store, identityProviders],
  );
  return store && <Overview store={store} runner={runner} answered={answered} />;
}

interface OverviewProps {
  readonly store: PortalStore;
  readonly runner: FlowRunner;
  readonly answered: boolean;
}

const Overview = observer(function Overview({ store, runner, answered }: OverviewProps) {
  const { t, config } = usePortal();
  const { user, visitor } = store;
  const { hash } = useLocation();
  const known = store.mfa && store.applications && (store.linked || !config.identityProviders);
  const isReady = Boolean(user && (answered || known));
  useEffect(() => {
    if (isReady) scrollToAnchor(hash);
  }, [hash, isReady]);
  if (!user) return <LoadingPlaceholder text={t('loading')} />;
  return (
    <div className="overview">
      <h1 tabIndex={-1}>{t('seguridad.title')}</h1>
      <AccountIdentity user={user} />
      <FlowNotice runner={runner} />
      <AccountAlerts user={user} foreign={visitor.role === 'foreign'} />
      {isReady ? (
        <>
          {store.mfa && (
            <p className="safety" data-level={store.mfa.estado.activado ? 'on' : 'off'}>
              {t(store.mfa.estado.activado ? 'seguridad.safe' : 'seguridad.unsafe')}
            </p>
          )}
          <div className="panels">
            <SecondFactorSection store={store} />
            <CredentialsSection store={store} user={user} />
            <LevelBox store={store} user={user} />
            <Applications store={store} runner={runner} />
            <LinkedProviders store={store} runner={runner} />
            <Activity store={store} runner={runner} />
            <OverviewSection title={t('seguridad.more')}>
              <ul className="rows">
                <li>
                  <PortalLink to={pagePaths.ownData}>{t('seguridad.more.data')}</PortalLink>
                </li>
                <li>
                  <PortalLink to={pagePaths.closeAccount}>{t('seguridad.more.closure')}</PortalLink>
                </li>
              </ul>
            </OverviewSection>
          </div>
        </>
      ) : (
        <PanelPlaceholders panels={5} />
      )}
    </div>
  );
});

function LevelBox({ store, user }: { store: PortalStore; user: NonNullable<PortalStore['user']> }) {
  const { t } = usePortal();
  return (
    <OverviewSection title={t('seguridad.level')} state={['plain', t(`seguridad.${user.level}`)]}>
      {user.level === 'intermediate' ? (
        <LevelSource user={user} />
      ) : (
        <>
          <p>{t('seguridad.level.raise')}</p>
          <ul className="rows">
            <ElevationMethods store={store} user={user} />
          </ul>
        </>
      )}
    </OverviewSection>
  );
}

function LevelSource({ user }: { user: NonNullable<PortalStore['user']> }) {
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

function ElevationMethods({ store, user }: { store: PortalStore; user: NonNullable<PortalStore['user']> }) {
  const { t, config } = usePortal();
  const { inPerson } = config;
  const ways = listElevationMethods(store, user, config);
  return (
    <>
      {ways.call && (
        <li>
          <OperationLink look="row" to={pagePaths.elevation} store={store} call="bookElevation">
            {t('seguridad.level.byCall')}
          </OperationLink>
        </li>
      )}
      {ways.signature && (
        <li>
          <OperationLink look="row" to={pagePaths.signature} store={store} call="requestSignature">
            {t('seguridad.level.bySignature')}
          </OperationLink>
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
