import { useSyncExternalStore } from 'react';
import type { ValuesByName } from '../../core/json.ts';
import type { RunningFlow } from '../../runtime/create-flow.ts';
import type { RunningFlowState } from '../../runtime/flow-state.ts';
import type { LiveScreenProps } from './screen-view.tsx';

/** Re-renders when the state changes. `shown` are the props of `<Screen>`. Also set `key={view?.name}`, so that each state has its own instance. */
export function useFlow(
  flow: RunningFlow,
  facts?: ValuesByName,
): RunningFlowState & { readonly shown: LiveScreenProps | null } {
  const read = () => flow.state;
  const state = useSyncExternalStore(flow.subscribe, read, read);
  const { view, context, notice, busy } = state;
  if (!view?.screen || view.pending) return { ...state, shown: null };
  const { screen, form, direction } = view;
  const onEvent = (event: string) => void flow.send(event);
  const onDismiss = () => flow.runner.dismiss();
  const { bar, answers } = flow;
  const shown = { screen, form, direction, context, facts: facts ?? noFacts, notice, busy, bar, answers };
  return { ...state, shown: { ...shown, onEvent, onDismiss } };
}

const noFacts = {};
