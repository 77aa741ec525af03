import { observer } from 'mobx-react-lite';
import type { OperationName } from '../../contract/contract.ts';
import type { Store } from '../../domain/root-store.ts';
import { usePortal } from '../portal-context.ts';

interface PanelLoadProps {
  readonly store: Store;
  readonly call: OperationName;
  readonly onRetry: () => void;
}

export const PanelLoad = observer(function PanelLoad({ store, call, onRetry }: PanelLoadProps) {
  const { t } = usePortal();
  if (store.log.operations.get(call)?.state !== 'error') return <p role="status">{t('loading')}</p>;
  return (
    <div role="alert">
      <p>{t('seguridad.failed')}</p>
      <button type="button" className="button button-small" onClick={onRetry}>
        {t('retry')}
      </button>
    </div>
  );
});
