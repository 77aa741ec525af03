import { pages } from '../../../contract/pages.ts';
import { baseLanguage } from '../../../contract/portal-config.ts';
import type { Definitions } from '../../../engine/compiler/definitions.ts';
import type { Flow } from '../../../engine/core/definition.ts';
import { isOfSeparatePortal } from '../../../engine/core/manifest.ts';
import { manifestOf } from '../../../engine/core/manifest.ts';
import type { Manifest } from '../../../engine/core/manifest.ts';

/** The file that a page of the desk reads its manifest anew from. */
export const deskManifestFile = 'agentes';

/** Pages beside the desk on a host of its own: the ways in and out, each with its whole flow, and what a sign-in leads through. */
const entrancePaths: readonly string[] = [
  pages.login,
  pages.sessionEnded,
  pages.logout,
  pages.error,
  pages.secondFactorReminder,
];
/** Of those flows the addresses that belong to citizens alone. */
const citizensOwn: readonly string[] = [pages.home, pages.sessions, pages.secondFactor];

/** What a set of definitions holds for each face of the portal. */
export interface Sides {
  /** All but the desk. */
  citizens(language: string): Manifest;
  /** The desk alone: it speaks the language of those who attend. */
  readonly desk: Manifest;
  /** The ways in and out, on a host that has nothing but the desk. */
  entrance(language: string): Manifest;
}

const known = new WeakMap<Definitions, Sides>();

/** The sides of a set, made once. */
export function sidesOf(set: Definitions): Sides {
  const made = known.get(set) ?? makeSides(set);
  known.set(set, made);
  return made;
}

function makeSides(set: Definitions): Sides {
  const flows = Object.values(set.flows);
  const desk = flows.filter((flow) => isOfSeparatePortal(flow, 'agent'));
  const others = flows.filter((flow) => !isOfSeparatePortal(flow, 'agent'));
  const entrance = others.filter((flow) => pathsOf(flow).some((path) => entrancePaths.includes(path)));
  const byLanguage = (make: (manifest: Manifest) => Manifest) => {
    const made = new Map<string, Manifest>();
    return (language: string): Manifest => {
      const manifest = made.get(language) ?? make(set.manifest(language));
      made.set(language, manifest);
      return manifest;
    };
  };
  return {
    citizens: byLanguage((manifest) => (desk.length === 0 ? manifest : manifestOf(manifest, others))),
    desk: { ...manifestOf(set.manifest(baseLanguage), desk), file: deskManifestFile },
    entrance: byLanguage((manifest) => {
      const part = manifestOf(manifest, entrance);
      return {
        ...part,
        routes: part.routes.filter(
          ({ path }) => !citizensOwn.some((own) => path === own || (path.startsWith(`${own}/`) && own !== '/')),
        ),
      };
    }),
  };
}

function pathsOf({ states }: Flow): readonly string[] {
  return Object.values(states).flatMap(({ path }) => path ?? []);
}
