import { observer } from 'mobx-react-lite';
import type { FlowBlockProps } from '../../engine/react/flow/flow-route.tsx';
import { LoadingPlaceholder } from '../../engine/react/flow/loading-placeholder.tsx';
import { isHttpUrl } from '../../engine/core/values/http-url.ts';
import { usePortal } from '../portal-context.ts';
import { useFlowState } from '../navigation/use-flow-runner.ts';
import { usePortalStore } from '../session/use-portal-store.ts';
import { useDocumentTitle } from '../shell/use-document-title.ts';
import { ActionButton, BlockLayout } from '../shell/block-layout.tsx';

export default observer(function Consent({ runner }: FlowBlockProps) {
  const { t } = usePortal();
  const client = usePortalStore()?.consentClient;
  const busy = useFlowState(runner)?.busy ?? false;
  useDocumentTitle(t('consent.title'));
  if (!client) return <LoadingPlaceholder text={t('loading')} />;
  const { name, address, terms_url: terms, priv_url: privacy, logo, scopes, citizen } = client;
  const decide = (allow: boolean) => void runner.raise('decide', { allow });
  return (
    <BlockLayout id="consent-title" title={t('consent.title')} runner={runner}>
      <div className="consent-client">
        {logo && <img src={logo} alt="" width={64} height={64} />}
        <p>
          <ExternalLink address={address}>{name}</ExternalLink>
          {scopes.length > 0 && ` ${t('consent.asks')}`}
        </p>
      </div>
      {scopes.length === 0 ? (
        <p>{t('consent.nothing')}</p>
      ) : (
        <ul className="rows consent-scopes">
          {scopes.map((scope) => (
            <li key={scope.scope}>
              <strong>{t('consent.know', { name: scope.name })}</strong>
              {scope.value !== '' && <p className="consent-value">{scope.value}</p>}
              {scope.description !== '' && <p className="form-help">{scope.description}</p>}
            </li>
          ))}
        </ul>
      )}
      {citizen !== '' && !scopes.some(({ value }) => value === citizen) && (
        <p>
          {t('consent.citizen')} <strong>{citizen}</strong>
        </p>
      )}
      <ul className="consent-links">
        {address && (
          <li>
            {t('consent.website')} <ExternalLink address={address}>{address}</ExternalLink>
          </li>
        )}
        {terms && (
          <li>
            <ExternalLink address={terms}>{t('consent.terms')}</ExternalLink>
          </li>
        )}
        {privacy && (
          <li>
            <ExternalLink address={privacy}>{t('consent.privacy')}</ExternalLink>
          </li>
        )}
      </ul>
      <p className="form-help">{t('consent.law')}</p>
      <div className="screen-actions consent-actions">
        <ActionButton look="primary" busy={busy} text={t('consent.allow')} onAct={() => decide(true)} />
        <ActionButton busy={busy} text={t('consent.deny')} onAct={() => decide(false)} />
      </div>
    </BlockLayout>
  );
});

function ExternalLink({ address, children }: { address: string | null; children: string }) {
  const { t } = usePortal();
  if (address === null || !isHttpUrl(address)) return <strong>{children}</strong>;
  return (
    <a className="outside" href={address} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="visually-hidden"> {t('newTab')}</span>
    </a>
  );
}
