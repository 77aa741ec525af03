import { anyone } from '../../core/apart.ts';
import type { Flow } from '../../core/definition.ts';
import type { Route } from '../../core/manifest.ts';
import { effectsOfState } from './branches-of-state.ts';

/** The addresses of a flow, each with what is needed before the flow itself is there. */
export function routesOf(flow: Flow): readonly Route[] {
  return Object.entries(flow.states).flatMap(([state, declared]) => {
    const { path, screen, block, source, access, permissions, chrome, load } = declared;
    const calls = [...new Set(effectsOfState(declared).map(({ src }) => src))];
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
            ...(calls.length === 0 ? {} : { calls }),
          },
        ];
  });
}
