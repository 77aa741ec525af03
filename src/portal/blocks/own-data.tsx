import { useEffect } from 'react';
import type { FlowBlockProps } from '../../engine/react/flow/flow-route.tsx';
import { usePortal } from '../portal-context.ts';
import { useFlowState } from '../navigation/use-flow-runner.ts';
import { downloadFile } from '../shell/download-file.ts';
import { useDocumentTitle } from '../shell/use-document-title.ts';
import { ActionButton, BlockLayout } from '../shell/block-layout.tsx';

/** Download of all data about the citizen, which the flow has loaded. The data is kept in memory and never in a URL. */
export default function OwnDataDownload({ runner }: FlowBlockProps) {
  const { t } = usePortal();
  const state = useFlowState(runner);
  const busy = state?.busy ?? false;
  const file = state?.context.archivo;
  const data = state?.context.datos;
  useDocumentTitle(t('data.title'));
  useEffect(() => {
    if (typeof file !== 'string' || !data) return;
    downloadFile(file, 'application/json', JSON.stringify(data, null, 2));
    void runner.raise('saved');
  }, [runner, file, data]);
  return (
    <BlockLayout id="data-title" title={t('data.title')} runner={runner}>
      <p>{t('data.intro')}</p>
      <p>{t('data.content')}</p>
      <p>{t('data.law')}</p>
      <div className="screen-actions">
        <ActionButton look="quiet" text={t('back')} onAct={() => void runner.raise('back')} />
        <ActionButton
          look="primary"
          busy={busy}
          text={t(busy ? 'busy' : 'data.download')}
          onAct={() => void runner.raise('download')}
        />
      </div>
    </BlockLayout>
  );
}
