import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';
import type { PageRoute } from '../../engine/core/definitions-manifest.ts';
import { evaluateJsonLogic } from '../../engine/core/json-logic.ts';
import type { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import type { RunningFlowState } from '../../engine/runtime/flow-state.ts';
import { usePortal } from '../portal-context.ts';

export function useFlowRunner(flow: string): FlowRunner | 'failed' | null {
  const portal = usePortal();
  const [loaded, setLoaded] = useState<{ readonly flow: string; readonly runner: FlowRunner | 'failed' } | null>(null);
  useEffect(() => {
    if (flow === '') return;
    let current = true;
    portal.definitions.loadRunner(flow, portal.flows).then(
      (runner) => current && setLoaded({ flow, runner }),
      () => current && setLoaded({ flow, runner: 'failed' }),
    );
    return () => void (current = false);
  }, [portal, flow]);
  return portal.definitions.getLoadedRunner(flow) ?? (loaded?.flow === flow ? loaded.runner : null);
}

export function useFlowState(runner: FlowRunner | null): RunningFlowState | null {
  const state = () => runner?.state ?? null;
  return useSyncExternalStore(runner?.subscribe ?? subscribeToNothing, state, state);
}

/** Evaluates the rule with the query parameters, which the flow reads into its context later. */
export function usePageChrome(route: PageRoute | undefined, runner: FlowRunner | null): 'full' | 'none' {
  const portal = usePortal();
  const { search } = useLocation();
  const known = Object.entries(useFlowState(runner)?.context ?? {}).filter(([, value]) => value !== null);
  const context = { ...Object.fromEntries(new URLSearchParams(search)), ...Object.fromEntries(known) };
  return evaluateJsonLogic(route?.chrome ?? 'full', { ...portal.flows.facts(), context }) === 'none' ? 'none' : 'full';
}

function subscribeToNothing(): () => void {
  return () => undefined;
}
