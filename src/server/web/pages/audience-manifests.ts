import { pagePaths } from '../../../contract/page-paths.ts';
import { baseLanguage } from '../../../contract/portal-config.ts';
import type { ServedDefinitions } from '../../../engine/compiler/definitions.ts';
import {
  filterManifestByFlows,
  belongsToSeparatePortal,
  type DefinitionsManifest,
} from '../../../engine/core/definitions-manifest.ts';

/** File name of the manifest that pages of the desk reload. */
export const deskManifestFile = 'agentes';

/** Paths outside the desk whose complete flows a separate desk host also serves, except `citizenOnlyPaths`. */
const entrancePaths: readonly string[] = [
  pagePaths.login,
  pagePaths.sessionEnded,
  pagePaths.logout,
  pagePaths.error,
  pagePaths.secondFactorReminder,
];
/** Paths in the flows of `entrancePaths` that a separate desk host omits. */
const citizenOnlyPaths: readonly string[] = [pagePaths.home, pagePaths.sessions, pagePaths.secondFactor];

const cachedManifests = new WeakMap<ServedDefinitions, ReturnType<typeof createAudienceManifests>>();

/** Returns the manifests by `PageAudience`, cached per set of definitions. */
export function getAudienceManifests(set: ServedDefinitions) {
  const made = cachedManifests.get(set) ?? createAudienceManifests(set);
  cachedManifests.set(set, made);
  return made;
}

function createAudienceManifests(set: ServedDefinitions) {
  const flows = Object.values(set.flows);
  const desk = flows.filter((flow) => belongsToSeparatePortal(flow, 'agent'));
  const others = flows.filter((flow) => !belongsToSeparatePortal(flow, 'agent'));
  const entrance = others.filter(({ states }) =>
    Object.values(states).some(({ path }) => path !== undefined && entrancePaths.includes(path)),
  );
  const mapLanguages = (make: (manifest: DefinitionsManifest) => DefinitionsManifest) => {
    const made = new Map<string, DefinitionsManifest>();
    return (language: string): DefinitionsManifest => {
      const manifest = made.get(language) ?? make(set.manifest(language));
      made.set(language, manifest);
      return manifest;
    };
  };
  return {
    /** All routes except those of the desk. */
    citizens: mapLanguages((manifest) => (desk.length === 0 ? manifest : filterManifestByFlows(manifest, others))),
    /** Routes of the desk, in its only language. */
    desk: { ...filterManifestByFlows(set.manifest(baseLanguage), desk), file: deskManifestFile } as DefinitionsManifest,
    /** Pages to sign in and out, for a host that serves only the desk. */
    entrance: mapLanguages((manifest) => {
      const part = filterManifestByFlows(manifest, entrance);
      const isCitizenOnlyPath = (path: string) =>
        citizenOnlyPaths.some((own) => path === own || (path.startsWith(`${own}/`) && own !== '/'));
      return { ...part, routes: part.routes.filter(({ path }) => !isCitizenOnlyPath(path)) };
    }),
  };
}
