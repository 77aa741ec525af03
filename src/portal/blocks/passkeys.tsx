import { observer } from 'mobx-react-lite';
import type { BlockProps } from '../../engine/react/flow/flow-route.tsx';
import { Waiting } from '../../engine/react/flow/waiting.tsx';
import { formatMoment } from '../../contract/written/dates.ts';
import { FlowNotice } from '../shell/flow-notice.tsx';
import { usePortal } from '../portal-context.ts';
import { useFlowState } from '../navigation/use-flow.ts';
import { useStore } from '../session/use-store.ts';
import { useTitle } from '../shell/use-title.ts';

export default observer(function Passkeys({ runner }: BlockProps) {
  const { t, flows } = usePortal();
  const passkeys = useStore()?.mfa?.llaves;
  const busy = useFlowState(runner)?.busy ?? false;
  useTitle(t('passkeys.title'));
  if (!passkeys) return <Waiting text={t('loading')} />;
  return (
    <section className="screen overview" aria-labelledby="passkeys-title">
      <h1 id="passkeys-title" tabIndex={-1}>
        {t('passkeys.title')}
      </h1>
      <FlowNotice runner={runner} />
      <p>{t('passkeys.intro')}</p>
      {passkeys.length === 0 && <p>{t('passkeys.none')}</p>}
      <ul className="actions-list">
        {passkeys.map(({ id, nombre, creada, usada, sincronizada }) => (
          <li key={id}>
            <strong>{nombre}</strong>
            <span>{t('passkeys.created', { when: formatMoment(creada) })}</span>
            <span>{usada === null ? t('passkeys.unused') : t('passkeys.used', { when: formatMoment(usada) })}</span>
            {sincronizada && <span>{t('passkeys.synced')}</span>}
            <div className="screen-actions">
              <button
                type="button"
                className="button button-small"
                aria-label={t('passkeys.renameOf', { name: nombre })}
                aria-disabled={busy || undefined}
                onClick={() => void runner.raise('rename', { id, nombre })}
              >
                {t('passkeys.rename')}
              </button>
              <button
                type="button"
                className="button button-small"
                aria-label={t('passkeys.removeOf', { name: nombre })}
                aria-disabled={busy || undefined}
                onClick={() => void runner.raise('remove', { id, nombre })}
              >
                {t('passkeys.remove')}
              </button>
            </div>
          </li>
        ))}
      </ul>
      <div className="screen-actions screen-actions-stacked">
        {flows.facts()['passkeys'] === true && (
          <button
            type="button"
            className="button button-primary"
            aria-disabled={busy || undefined}
            onClick={() => void runner.raise('add')}
          >
            {t('passkeys.add')}
          </button>
        )}
        <button type="button" className="button" onClick={() => void runner.raise('back')}>
          {t('back')}
        </button>
      </div>
    </section>
  );
});
