import type { Access, Flow, Logic, State } from './definition.ts';

/** What the page carries of the definitions: the routes, and where each module lies. */
export interface Manifest {
  /** Changes with every change of a definition. */
  readonly version: string;
  readonly languages: readonly string[];
  /** Hash of the rules of each screen, without its texts. */
  readonly screens: Readonly<Record<string, { readonly version: string; readonly url: string }>>;
  readonly flows: Readonly<Record<string, string>>;
  readonly routes: readonly Route[];
  /** Name of the file that a page reads it anew from; absent: `manifest`. */
  readonly file?: string;
}

/** One address of the portal, derived from the states that have a path. */
export interface Route {
  /** As written in the flow, e.g. `/registro/exito` or `/ayuda/:slug`; `*` is the not-found route. */
  readonly path: string;
  readonly flow: string;
  readonly state: string;
  readonly screen?: string;
  readonly block?: string;
  readonly source?: State['source'];
  readonly access: Access;
  readonly permissions?: State['permissions'];
  /** Names of the operations that the state makes, and the other steps of its way through a wizard. */
  readonly operations?: readonly string[];
  /** `full`, `none`, or a rule over facts and the flow's context that answers one of them. */
  readonly chrome: Logic;
  readonly load?: 'document';
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

/** Who may open a state that says nothing: the engine's one word of its own. */
export const anyone: Access = 'anyone';

/** Whether a flow is of the portal that one kind of visitor has for itself: one that has states for them has no others. */
export function isOfSeparatePortal({ states }: Pick<Flow, 'states'>, visitor: Access | undefined): boolean {
  return visitor !== undefined && Object.values(states).some(({ access }) => access === visitor);
}
