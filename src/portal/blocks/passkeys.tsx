import { observer } from 'mobx-react-lite';
import type { FlowBlockProps } from '../../engine/react/flow/flow-route.tsx';
import { LoadingPlaceholder } from '../../engine/react/flow/loading-placeholder.tsx';
import { formatShortDateTime } from '../../contract/format/dates.ts';
import { usePortal } from '../portal-context.ts';
import { useFlowState } from '../navigation/use-flow-runner.ts';
import { usePortalStore } from '../session/use-portal-store.ts';
import { useDocumentTitle } from '../shell/use-document-title.ts';
import { ActionButton, BlockLayout } from '../shell/block-layout.tsx';

export default observer(function Passkeys({ runner }: FlowBlockProps) {
  const { t, flows } = usePortal();
  const passkeys = usePortalStore()?.mfa?.llaves;
  const busy = useFlowState(runner)?.busy ?? false;
  useDocumentTitle(t('passkeys.title'));
  if (!passkeys) return <LoadingPlaceholder text={t('loading')} />;
  return (
    <BlockLayout id="passkeys-title" title={t('passkeys.title')} runner={runner} className="screen overview">
      <p>{t('passkeys.intro')}</p>
      {passkeys.length === 0 && <p className="empty">{t('passkeys.none')}</p>}
      <ul className="rows">
        {passkeys.map(({ id, nombre, creada, usada, sincronizada }) => (
          <li key={id}>
            <strong>{nombre}</strong>
            <span>{t('passkeys.created', { when: formatShortDateTime(creada) })}</span>
            <span>
              {usada === null ? t('passkeys.unused') : t('passkeys.used', { when: formatShortDateTime(usada) })}
            </span>
            {sincronizada && <span>{t('passkeys.synced')}</span>}
            <div className="screen-actions">
              <ActionButton
                look="small"
                busy={busy}
                text={t('passkeys.rename')}
                label={t('passkeys.renameOf', { name: nombre })}
                onAct={() => void runner.raise('rename', { id, nombre })}
              />
              <ActionButton
                look="small"
                busy={busy}
                text={t('passkeys.remove')}
                label={t('passkeys.removeOf', { name: nombre })}
                onAct={() => void runner.raise('remove', { id, nombre })}
              />
            </div>
          </li>
        ))}
      </ul>
      <div className="screen-actions">
        <ActionButton look="quiet" text={t('back')} onAct={() => void runner.raise('back')} />
        {flows.facts()['passkeys'] === true && (
          <ActionButton look="primary" busy={busy} text={t('passkeys.add')} onAct={() => void runner.raise('add')} />
        )}
      </div>
    </BlockLayout>
  );
});
