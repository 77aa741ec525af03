import { pages } from '../../../contract/pages.ts';
import { baseLanguage } from '../../../contract/portal-config.ts';
import type { Definitions } from '../../../engine/compiler/definitions.ts';
import type { Flow } from '../../../engine/core/definition.ts';
import { filterManifest, belongsToSeparatePortal, type Manifest } from '../../../engine/core/manifest.ts';

/** File name of the manifest that pages of the desk reload. */
export const deskManifestFile = 'agentes';

/** Paths that a desk's own host serves in addition to the desk: the pages to sign in and out. Each is served with its complete flow. */
const entrancePaths: readonly string[] = [
  pages.login,
  pages.sessionEnded,
  pages.logout,
  pages.error,
  pages.secondFactorReminder,
];
/** Paths of these flows that are only for citizens. A desk's own host omits them. */
const citizensOwn: readonly string[] = [pages.home, pages.sessions, pages.secondFactor];

/** Manifests of a set of definitions, one for each `Face`. */
interface Sides {
  /** All routes except those of the desk. */
  citizens(language: string): Manifest;
  /** Only the routes of the desk, in its only language. */
  readonly desk: Manifest;
  /** The pages to sign in and out, for a host that serves only the desk. */
  entrance(language: string): Manifest;
}

const known = new WeakMap<Definitions, Sides>();

/** Returns the manifests of a set of definitions, cached per set. */
export function findSides(set: Definitions): Sides {
  const made = known.get(set) ?? makeSides(set);
  known.set(set, made);
  return made;
}

function makeSides(set: Definitions): Sides {
  const flows = Object.values(set.flows);
  const desk = flows.filter((flow) => belongsToSeparatePortal(flow, 'agent'));
  const others = flows.filter((flow) => !belongsToSeparatePortal(flow, 'agent'));
  const entrance = others.filter((flow) => listPaths(flow).some((path) => entrancePaths.includes(path)));
  const byLanguage = (make: (manifest: Manifest) => Manifest) => {
    const made = new Map<string, Manifest>();
    return (language: string): Manifest => {
      const manifest = made.get(language) ?? make(set.manifest(language));
      made.set(language, manifest);
      return manifest;
    };
  };
  return {
    citizens: byLanguage((manifest) => (desk.length === 0 ? manifest : filterManifest(manifest, others))),
    desk: { ...filterManifest(set.manifest(baseLanguage), desk), file: deskManifestFile },
    entrance: byLanguage((manifest) => {
      const part = filterManifest(manifest, entrance);
      const isCitizens = (path: string) =>
        citizensOwn.some((own) => path === own || (path.startsWith(`${own}/`) && own !== '/'));
      return { ...part, routes: part.routes.filter(({ path }) => !isCitizens(path)) };
    }),
  };
}

function listPaths({ states }: Flow): readonly string[] {
  return Object.values(states).flatMap(({ path }) => path ?? []);
}
