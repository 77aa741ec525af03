import { useEffect } from 'react';
import { portalConstants } from '../../contract/constants.ts';
import type { FlowBlockProps } from '../../engine/react/flow/flow-route.tsx';
import { HiddenLogoutFrames } from '../shell/hidden-frames.tsx';
import { usePortal } from '../portal-context.ts';
import { useFlowState } from '../navigation/use-flow-runner.ts';
import { useDocumentTitle } from '../shell/use-document-title.ts';

export default function SamlLogoutPage({ runner }: FlowBlockProps) {
  const { t } = usePortal();
  const { context, view } = useFlowState(runner) ?? {};
  const forced = context?.forceLogin === 'True';
  const text = t(forced ? 'redirecting' : 'loggingOut');
  const longer = context?.espera === true;
  const ready = view !== null && view !== undefined && context?.avisos !== undefined;
  useDocumentTitle(text);
  useEffect(() => {
    if (!ready) return;
    const waitMs = forced ? portalConstants.logoutWaitMs : portalConstants.samlLogoutWaitMs;
    const timer = window.setTimeout(
      () => void runner.raise('waited'),
      longer ? portalConstants.logoutLongWaitMs : waitMs,
    );
    return () => window.clearTimeout(timer);
  }, [runner, ready, forced, longer]);
  return (
    <section className="screen screen-loading">
      <p role="status">
        <span className="spinner" />
        {text}
      </p>
      <HiddenLogoutFrames urls={Array.isArray(context?.avisos) ? context.avisos.map(String) : []} />
    </section>
  );
}
