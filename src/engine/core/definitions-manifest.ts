import type { AccessLevelName, Flow, JsonLogic, StateDefinition } from './flow-and-screen-types.ts';

export interface DefinitionsManifest {
  readonly version: string;
  readonly languages: readonly string[];
  /** Version and URL of the module of each screen. The version is a hash of the screen's rules, excluding its texts. */
  readonly screens: Readonly<Record<string, { readonly version: string; readonly url: string }>>;
  readonly flows: Readonly<Record<string, string>>;
  readonly routes: readonly PageRoute[];
  /** File from which a page reloads the manifest. Defaults to `manifest`. */
  readonly file?: string;
}

export interface PageRoute {
  /** Path pattern, e.g. `/registro/exito` or `/ayuda/:slug`. `*` is the not-found route. */
  readonly path: string;
  readonly flow: string;
  readonly state: string;
  readonly screen?: string;
  readonly block?: string;
  readonly source?: StateDefinition['source'];
  readonly access: AccessLevelName;
  readonly permissions?: StateDefinition['permissions'];
  /** Operations of the state and of the other steps of its journey. */
  readonly operations?: readonly string[];
  /** Whether the page has a header and a footer: `full`, `none`, or a rule over facts and the flow's context that returns one of them. */
  readonly chrome: JsonLogic;
  readonly load?: 'document';
}

export function filterManifestByFlows(manifest: DefinitionsManifest, flows: readonly Flow[]): DefinitionsManifest {
  const ids = new Set(flows.map(({ id }) => id));
  const screens = new Set(flows.flatMap(({ states }) => Object.values(states).flatMap(({ screen }) => screen ?? [])));
  return {
    ...manifest,
    routes: manifest.routes.filter(({ flow }) => ids.has(flow)),
    flows: pickEntries(manifest.flows, ids),
    screens: pickEntries(manifest.screens, screens),
  };
}

function pickEntries<Value>(
  all: Readonly<Record<string, Value>>,
  names: ReadonlySet<string>,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)));
}

export const anyoneAccess: AccessLevelName = 'anyone';

/** Whether a flow belongs to the separate portal of a kind of visitor. Either all states of a flow belong to it, or none. */
export function belongsToSeparatePortal(
  { states }: Pick<Flow, 'states'>,
  visitor: AccessLevelName | undefined,
): boolean {
  return visitor !== undefined && Object.values(states).some(({ access }) => access === visitor);
}
