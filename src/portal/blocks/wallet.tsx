import { QRCodeSVG } from 'qrcode.react';
import { useEffect } from 'react';
import { isObject } from '../../engine/core/json.ts';
import { resolveIntroParagraphs, resolveHeadingText } from '../../engine/core/screen-ui-queries.ts';
import type { FlowBlockProps } from '../../engine/react/flow/flow-route.tsx';
import { LoadingPlaceholder } from '../../engine/react/flow/loading-placeholder.tsx';
import { usePortal } from '../portal-context.ts';
import { useFlowState } from '../navigation/use-flow-runner.ts';
import { useDocumentTitle } from '../shell/use-document-title.ts';
import es from '../../../schemas/_shared/texts/wallet.json';
import pt from '../../../schemas/_shared/texts/wallet.pt.json';
import { ActionButton, BlockLayout } from '../shell/block-layout.tsx';

const texts = { es, pt };
const pollMs = 2_000;
const sizePx = 240;
const quietModules = 4;

/** Presentation request to a digital wallet: a QR code for another device and a link for this device. The flow polls for the response. */
export default function WalletSignIn({ runner }: FlowBlockProps) {
  const { t, page } = usePortal();
  const { context = {}, view } = useFlowState(runner) ?? {};
  const ui = view?.screen?.validator.screen.ui;
  const title = ui ? resolveHeadingText(ui, { context }) : '';
  const links = isObject(context.opciones) ? context.opciones : null;
  const waits = links !== null;
  useDocumentTitle(title);
  useEffect(() => {
    if (!waits) return;
    const timer = window.setInterval(() => void runner.raise('poll'), pollMs);
    return () => window.clearInterval(timer);
  }, [runner, waits]);
  if (!ui || links === null) return <LoadingPlaceholder text={t('loading')} />;
  const own = texts[page.language];
  return (
    <BlockLayout id="wallet-title" title={title} runner={runner}>
      {resolveIntroParagraphs(ui, { context }).map(({ text }) => (
        <p key={text} className="screen-intro">
          {text}
        </p>
      ))}
      <QRCodeSVG
        className="wallet-code"
        value={String(links['elsewhere'])}
        size={sizePx}
        marginSize={quietModules}
        title={own.code}
        role="img"
      />
      <p role="status">{ui.busy}</p>
      <div className="screen-actions screen-actions-stacked">
        <a className="button" href={String(links['here'])}>
          {own.open}
        </a>
        {ui.actions?.map(({ event, text }) => (
          <ActionButton key={event} text={text} onAct={() => void runner.raise(event)} />
        ))}
      </div>
    </BlockLayout>
  );
}
