import { pagePaths } from '../../../contract/page-paths.ts';
import { baseLanguage } from '../../../contract/portal-config.ts';
import type { Definitions } from '../../../engine/compiler/definitions.ts';
import type { Flow } from '../../../engine/core/definition.ts';
import { filterManifest, belongsToSeparatePortal, type DefinitionsManifest } from '../../../engine/core/manifest.ts';

/** File name of the manifest that pages of the desk reload. */
export const deskManifestFile = 'agentes';

/**
 * Paths that a separate desk host serves besides those of the desk: the pages to sign in and out. It serves the complete flow of each path, except
 * `citizenOnlyPaths`.
 */
const entrancePaths: readonly string[] = [
  pagePaths.login,
  pagePaths.sessionEnded,
  pagePaths.logout,
  pagePaths.error,
  pagePaths.secondFactorReminder,
];
/** Paths in the flows of `entrancePaths` that only citizens use. A separate desk host omits them. */
const citizenOnlyPaths: readonly string[] = [pagePaths.home, pagePaths.sessions, pagePaths.secondFactor];

/** Manifests of one set of definitions, by `PageAudience`. */
interface AudienceManifests {
  /** Returns all routes except those of the desk. */
  citizens(language: string): DefinitionsManifest;
  /** Routes of the desk, in its only language. */
  readonly desk: DefinitionsManifest;
  /** Returns the pages to sign in and out, for a host that serves only the desk. */
  entrance(language: string): DefinitionsManifest;
}

const cachedManifests = new WeakMap<Definitions, AudienceManifests>();

/** Returns the manifests of a set of definitions, cached per set. */
export function getAudienceManifests(set: Definitions): AudienceManifests {
  const made = cachedManifests.get(set) ?? createAudienceManifests(set);
  cachedManifests.set(set, made);
  return made;
}

function createAudienceManifests(set: Definitions): AudienceManifests {
  const flows = Object.values(set.flows);
  const desk = flows.filter((flow) => belongsToSeparatePortal(flow, 'agent'));
  const others = flows.filter((flow) => !belongsToSeparatePortal(flow, 'agent'));
  const entrance = others.filter((flow) => listPaths(flow).some((path) => entrancePaths.includes(path)));
  const mapLanguages = (make: (manifest: DefinitionsManifest) => DefinitionsManifest) => {
    const made = new Map<string, DefinitionsManifest>();
    return (language: string): DefinitionsManifest => {
      const manifest = made.get(language) ?? make(set.manifest(language));
      made.set(language, manifest);
      return manifest;
    };
  };
  return {
    citizens: mapLanguages((manifest) => (desk.length === 0 ? manifest : filterManifest(manifest, others))),
    desk: { ...filterManifest(set.manifest(baseLanguage), desk), file: deskManifestFile },
    entrance: mapLanguages((manifest) => {
      const part = filterManifest(manifest, entrance);
      const isCitizenOnlyPath = (path: string) =>
        citizenOnlyPaths.some((own) => path === own || (path.startsWith(`${own}/`) && own !== '/'));
      return { ...part, routes: part.routes.filter(({ path }) => !isCitizenOnlyPath(path)) };
    }),
  };
}

function listPaths({ states }: Flow): readonly string[] {
  return Object.values(states).flatMap(({ path }) => path ?? []);
}
