import { observer } from 'mobx-react-lite';
import type { BlockProps } from '../../engine/react/flow/flow-route.tsx';
import { Waiting } from '../../engine/react/flow/waiting.tsx';
import { pages } from '../../contract/pages.ts';
import { formatMoment } from '../shell/dates.ts';
import { FlowNotice } from '../shell/flow-notice.tsx';
import { usePortal } from '../portal-context.ts';
import { PortalLink } from '../shell/portal-link.tsx';
import type { TextKey } from '../texts.ts';
import { useFlowState } from '../navigation/use-flow.ts';
import { useStore } from '../session/use-store.ts';
import { useTitle } from '../shell/use-title.ts';

/** The citizen's second factors: whether and since when there is one, and what can be done about it. The flow loads the status. */
export const Block = observer(function Block({ runner }: BlockProps) {
  const { t } = usePortal();
  const mfa = useStore()?.mfa;
  const busy = useFlowState(runner)?.busy ?? false;
  useTitle(t('mfa.title'));
  if (!mfa) return <Waiting text={t('loading')} />;
  const { estado, methods, obligatorio, codigos_de_recuperacion: codes } = mfa;
  const button = (event: string, text: TextKey, shown: boolean) =>
    shown && (
      <button
        type="button"
        className="button"
        aria-disabled={busy || undefined}
        onClick={() => void runner.raise(event)}
      >
        {t(text)}
      </button>
    );
  return (
    <section className="screen overview" aria-labelledby="mfa-title">
      <h1 id="mfa-title" tabIndex={-1}>
        {t('mfa.title')}
      </h1>
      <FlowNotice runner={runner} />
      <p>{t('mfa.intro')}</p>
      <dl>
        <div>
          <dt>{t('mfa.state')}</dt>
          <dd>{t(estado.activado ? 'mfa.on' : 'mfa.off')}</dd>
        </div>
        {estado.fecha_activado !== null && (
          <div>
            <dt>{t('mfa.since')}</dt>
            <dd>{formatMoment(estado.fecha_activado)}</dd>
          </div>
        )}
        {methods.totp && (
          <div>
            <dt>{t('mfa.app')}</dt>
            <dd>{t('mfa.on')}</dd>
          </div>
        )}
        {methods.email && (
          <div>
            <dt>{t('mfa.email')}</dt>
            <dd>{t('mfa.on')}</dd>
          </div>
        )}
        <div>
          <dt>{t('passkeys.title')}</dt>
          <dd>{mfa.llaves.length}</dd>
          <dd>
            <PortalLink to={pages.passkeys}>{t('mfa.passkeys')}</PortalLink>
          </dd>
        </div>
        {estado.activado && (
          <div>
            <dt>{t('mfa.codes')}</dt>
            <dd>{codes}</dd>
          </div>
        )}
      </dl>
      {mfa.errors !== null && (
        <p className="notice" data-intent="error" role="alert">
          {mfa.errors}
        </p>
      )}
      {!mfa.canMail && (
        <p className="notice" data-intent="warning" role="status">
          {t('mfa.noEmail')}
        </p>
      )}
      {estado.activado && obligatorio && <p>{t('mfa.mandatory')}</p>}
      <div className="screen-actions screen-actions-stacked">
        {button('email', 'mfa.setEmail', mfa.canMail && !methods.email)}
        {button('totp', 'mfa.setApp', true)}
        {button('codes', 'mfa.newCodes', estado.activado)}
        {button('disable', 'mfa.disable', mfa.canDisable)}
        {button('back', 'back', true)}
      </div>
    </section>
  );
});
