import { permits, type Permisos } from '../api/access.ts';
import type { Flags } from '../api/flags.ts';
import type { Route } from '../engine/core/manifest.ts';

/** Who stands before a route. */
export interface Visitor {
  readonly authenticated: boolean;
  /** Came by a foreign identity provider. */
  readonly foreign: boolean;
  readonly permisos: Permisos;
}

/** Why a route is refused: nobody is signed in, a foreign user may not manage an account here, a permission is missing. */
export type Refusal = 'signed-out' | 'foreign' | 'permission';

/** The guard of every route, from its row in the flows (section 2.2 of the specification); null: it may be opened. The server decides for itself. */
export function refusalOf({ access, permissions }: Pick<Route, 'access' | 'permissions'>, visitor: Visitor, flags: Flags): Refusal | null {
  if (access !== 'citizen' && access !== 'account') return null;
  if (!visitor.authenticated) return 'signed-out';
  if (access === 'account' && visitor.foreign && !flags.idp_autogestion) return 'foreign';
  return permissions && !permits(visitor.permisos, permissions) ? 'permission' : null;
}
