import { usePortal } from '../portal-context.ts';
import { LoadError } from '../../engine/react/flow/load-error.tsx';
import type { OperationResponseState } from '../../engine/react/widget.ts';
import { LoadingPlaceholder } from '../../engine/react/flow/loading-placeholder.tsx';

export function SourceLoadStatus({ source }: { source: OperationResponseState }) {
  const { t } = usePortal();
  if (source.state !== 'failed' || source.status >= 400) return <LoadingPlaceholder text={t('loading')} />;
  return <LoadError text={t('offline')} />;
}
