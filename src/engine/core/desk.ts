import type { Flow } from './definition.ts';
import type { Manifest } from './manifest.ts';

/** Whether a flow is one of the agents' desk: its addresses are for agents. */
export function isOfDesk({ states }: Pick<Flow, 'states'>): boolean {
  return Object.values(states).some(({ access }) => access === 'agent');
}

/** The part of a manifest that some flows need: their addresses, their modules and their screens. */
export function manifestOf(manifest: Manifest, flows: readonly Flow[]): Manifest {
  const ids = new Set(flows.map(({ id }) => id));
  const screens = new Set(flows.flatMap(({ states }) => Object.values(states).flatMap(({ screen }) => screen ?? [])));
  return {
    ...manifest,
    routes: manifest.routes.filter(({ flow }) => ids.has(flow)),
    flows: kept(manifest.flows, ids),
    screens: kept(manifest.screens, screens),
  };
}

function kept<Value>(
  all: Readonly<Record<string, Value>>,
  names: ReadonlySet<string>,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)));
}
