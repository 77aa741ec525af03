import { observer } from 'mobx-react-lite';
import type { OperationResponse } from '../../contract/contract.ts';
import type { FlowBlockProps } from '../../engine/react/flow/flow-route.tsx';
import { LoadingPlaceholder } from '../../engine/react/flow/loading-placeholder.tsx';
import { formatShortDateTime } from '../../contract/format/dates.ts';
import { pagePaths } from '../../contract/page-paths.ts';
import { usePortal } from '../portal-context.ts';
import { useFlowState } from '../navigation/use-flow-runner.ts';
import { usePortalStore } from '../session/use-portal-store.ts';
import { PortalLink } from '../shell/portal-link.tsx';
import { DescriptionList } from '../shell/description-list.tsx';
import { useDocumentTitle } from '../shell/use-document-title.ts';
import { ActionButton, BlockLayout } from '../shell/block-layout.tsx';

type Sessions = OperationResponse<'getSessions'>;

export default observer(function SessionsPage({ runner }: FlowBlockProps) {
  const { t } = usePortal();
  const sessions = usePortalStore()?.sessions;
  const busy = useFlowState(runner)?.busy ?? false;
  useDocumentTitle(t('sessions.title'));
  if (!sessions) return <LoadingPlaceholder text={t('loading')} />;
  const hasOthers = sessions.pendientes.length > 0 || sessions.sesiones.some(({ actual }) => !actual);
  return (
    <BlockLayout id="sessions-title" title={t('sessions.title')} runner={runner} className="screen overview">
      <p>
        {t('sessions.intro')} <ChangePassword />
      </p>
      <ul className="rows">
        {sessions.sesiones.map((session) => (
          <Session
            key={session.id}
            session={session}
            busy={busy}
            onEnd={() => void runner.raise('end', { id: session.id, device: session.dispositivo })}
          />
        ))}
      </ul>
      {sessions.pendientes.length > 0 && <PendingSignIns sessions={sessions} />}
      <div className="screen-actions">
        <ActionButton look="quiet" text={t('back')} onAct={() => void runner.raise('back')} />
        {hasOthers && (
          <ActionButton
            look="primary"
            busy={busy}
            text={t('sessions.endOthers')}
            onAct={() => void runner.raise('endOthers')}
          />
        )}
      </div>
    </BlockLayout>
  );
});

interface SessionProps {
  readonly session: Sessions['sesiones'][number];
  readonly busy: boolean;
  readonly onEnd: () => void;
}

function Session({
  session: { id, dispositivo, red, inicio, visto, actual, aplicaciones },
  busy,
  onEnd,
}: SessionProps) {
  const { t } = usePortal();
  const title = `session-${id}`;
  return (
    <li>
      <h2 id={title}>
        {dispositivo}
        {actual && (
          <>
            {' '}
            <span className="badge">{t('sessions.current')}</span>
          </>
        )}
      </h2>
      <DescriptionList
        facts={[
          [t('sessions.network'), red],
          [t('sessions.started'), formatShortDateTime(inicio)],
          [t('sessions.seen'), formatShortDateTime(visto)],
          [t('sessions.applications'), aplicaciones.join(', ')],
        ]}
      />
      {!actual && <ActionButton busy={busy} text={t('sessions.end')} describedBy={title} onAct={onEnd} />}
    </li>
  );
}

function ChangePassword() {
  const { t, config } = usePortal();
  return config.flags.contrasena ? (
    <PortalLink to={pagePaths.changePassword}>{t('sessions.changePassword')}</PortalLink>
  ) : null;
}

function PendingSignIns({ sessions }: { sessions: Sessions }) {
  const { t } = usePortal();
  return (
    <>
      <h2>{t('sessions.pending')}</h2>
      <p>
        {t('sessions.pendingHelp')} <ChangePassword />
      </p>
      <ul className="rows">
        {sessions.pendientes.map(({ dispositivo, red, inicio }) => (
          <li key={inicio + dispositivo}>
            <DescriptionList
              facts={[
                [t('sessions.device'), dispositivo],
                [t('sessions.network'), red],
                [t('sessions.started'), formatShortDateTime(inicio)],
              ]}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
