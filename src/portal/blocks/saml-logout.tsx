import { useEffect } from 'react';
import { portalConstants } from '../../contract/constants.ts';
import type { FlowBlockProps } from '../../engine/react/flow/flow-route.tsx';
import { HiddenLogoutFrames, LeavingScreen } from '../shell/leaving-screen.tsx';
import { usePortal } from '../portal-context.ts';
import { useFlowState } from '../navigation/use-flow-runner.ts';

export default function SamlLogoutPage({ runner }: FlowBlockProps) {
  const { t } = usePortal();
  const { context, view } = useFlowState(runner) ?? {};
  const forced = context?.forceLogin === 'True';
  const longer = context?.espera === true;
  const ready = view !== null && view !== undefined && context?.avisos !== undefined;
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
    <LeavingScreen text={t(forced ? 'redirecting' : 'loggingOut')}>
      <HiddenLogoutFrames urls={Array.isArray(context?.avisos) ? context.avisos.map(String) : []} />
    </LeavingScreen>
  );
}
