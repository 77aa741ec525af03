import type { Flow, State, Step } from '../../core/definition.ts';
import { anyone, type Route } from '../../core/manifest.ts';
import { listStateEffects } from './flow-parts.ts';
import { exclude } from './exclude.ts';

/** Returns the routes of a flow, with everything that is needed before the flow is loaded. */
export function listRoutes(flow: Flow): readonly Route[] {
  return Object.entries(flow.states).flatMap(([state, declared]) => {
    const { path, screen, block, source, access, permissions, chrome, load } = declared;
    const operations = [
      ...new Set(listJourneyStates(flow, state).flatMap((own) => listStateEffects(own).map(({ src }) => src))),
    ];
    return path === undefined
      ? []
      : {
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
        };
  });
}

/** Returns the states of the journey that contains a state, except steps that exclude it by their guard. Otherwise returns only the state. */
function listJourneyStates({ states, progress = [] }: Flow, state: string): readonly State[] {
  const journey: readonly Pick<Step, 'state' | 'guard'>[] = progress.find((steps) =>
    steps.some((step) => step.state === state),
  ) ?? [{ state }];
  const guard = journey.find((step) => step.state === state)?.guard;
  return journey.flatMap((step) => (exclude([guard, step.guard]) ? [] : (states[step.state] ?? [])));
}
