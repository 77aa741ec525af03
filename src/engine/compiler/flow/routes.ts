import { anyone } from '../../core/separate-portal.ts';
import type { Flow, State } from '../../core/definition.ts';
import type { Route } from '../../core/manifest.ts';
import { effectsOfState } from './branches-of-state.ts';

/** The addresses of a flow, each with what is needed before the flow itself is there. */
export function routesOf(flow: Flow): readonly Route[] {
  return Object.entries(flow.states).flatMap(([state, declared]) => {
    const { path, screen, block, source, access, permissions, chrome, load } = declared;
    const operations = [...new Set(wayOf(flow, state).flatMap((own) => effectsOfState(own).map(({ src }) => src)))];
    return path === undefined
      ? []
      : [
          {
            path: path.normalize('NFC'),
            flow: flow.id,
            state,
            access: access ?? anyone,
            chrome: chrome ?? 'full',
            ...(screen === undefined ? {} : { screen }),
            ...(block === undefined ? {} : { block }),
            ...(load === undefined ? {} : { load }),
            ...(permissions === undefined ? {} : { permissions }),
            ...(source === undefined ? {} : { source }),
            ...(operations.length === 0 ? {} : { operations }),
          },
        ];
  });
}

/** The states of a way through a wizard, whose end is why its first step is opened; else the state alone. */
function wayOf({ states, progress = [] }: Flow, state: string): readonly State[] {
  const way = progress.find((steps) => steps.some((step) => step.state === state)) ?? [{ state }];
  return way.flatMap((step) => states[step.state] ?? []);
}
