import type { Flow, State } from '../core/definition.ts';
import type { Route } from '../core/manifest.ts';
import { effectOf } from '../core/transition.ts';

/** The addresses of a flow, each with what is needed before the flow itself is there. */
export function routesOf(flow: Flow): readonly Route[] {
  return Object.entries(flow.states).flatMap(([state, declared]) => {
    const { path, screen, block, source, access, permissions, chrome, load } = declared;
    const calls = callsOf(declared);
    return path === undefined
      ? []
      : [
          {
            path: path.normalize('NFC'),
            flow: flow.id,
            state,
            access: access ?? 'anyone',
            chrome: chrome ?? 'full',
            ...(screen === undefined ? {} : { screen }),
            ...(block === undefined ? {} : { block }),
            ...(load === undefined ? {} : { load }),
            ...(permissions === undefined ? {} : { permissions }),
            ...(source === undefined ? {} : { source }),
            ...(calls.length === 0 ? {} : { calls }),
          },
        ];
  });
}

function callsOf({ invoke, on }: State): readonly string[] {
  const effects = [invoke, ...Object.values(on ?? {}).map(effectOf)];
  return [...new Set(effects.flatMap((effect) => effect?.src ?? []))];
}
