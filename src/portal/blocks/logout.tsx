import { useEffect, useState } from 'react';
import { portalConstants } from '../../contract/constants.ts';
import { LoadError } from '../../engine/react/flow/load-error.tsx';
import type { FlowBlockProps } from '../../engine/react/flow/flow-route.tsx';
import { pagePaths } from '../../contract/page-paths.ts';
import { HiddenLogoutFrames, LeavingScreen } from '../shell/leaving-screen.tsx';
import { usePortal } from '../portal-context.ts';
import type { Portal } from '../portal.ts';
import { useFlowState } from '../navigation/use-flow-runner.ts';

interface LogoutResult {
  readonly location: string;
  readonly urls: readonly string[];
  readonly unreachable: readonly string[];
  readonly waitMs: number;
}

/**
 * Ends the session at the broker, then in storage, then at each application in a hidden frame. Redirects after a delay
 * (section 9 of the specification). If an application cannot be notified, lists it and redirects later.
 */
export default function LogoutPage({ runner }: FlowBlockProps) {
  const portal = usePortal();
  const [ended, setEnded] = useState<LogoutResult | 'failed' | null>(null);
  const ready = useFlowState(runner)?.view !== null;
  useEffect(() => {
    if (!ready) return;
    let timer = 0;
    void endSession(portal, runner.state.context).then(
      (outcome) => {
        setEnded(outcome);
        timer = window.setTimeout(() => portal.navigation.replace(outcome.location), outcome.waitMs);
      },
      () => setEnded('failed'),
    );
    return () => window.clearTimeout(timer);
  }, [portal, runner, ready]);
  if (ended === 'failed') return <LoadError />;
  const unreachable = ended?.unreachable ?? [];
  return (
    <LeavingScreen text={portal.t('loggingOut')}>
      {unreachable.length > 0 && (
        <div className="notice" data-intent="warning" role="alert">
          <p>{portal.t('logout.unreachable', { names: unreachable.join(', ') })}</p>
        </div>
      )}
      <HiddenLogoutFrames urls={ended?.urls ?? []} />
    </LeavingScreen>
  );
}

async function endSession(
  portal: Portal,
  { redirect_uri: redirectUri, state }: Readonly<Record<string, unknown>>,
): Promise<LogoutResult> {
  const store = await portal.store();
  const target = typeof redirectUri === 'string' && redirectUri !== '' ? redirectUri : null;
  const answer = await store.logOut({ redirect_uri: target, state: typeof state === 'string' ? state : null });
  const unreachable = answer?.unreachable ?? [];
  return {
    location: answer?.location ?? target ?? pagePaths.home,
    urls: answer?.logout_urls ?? [],
    unreachable,
    waitMs:
      answer?.wait_longer || unreachable.length > 0 ? portalConstants.logoutLongWaitMs : portalConstants.logoutWaitMs,
  };
}
