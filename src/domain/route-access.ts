import { callRefusal, permits, type Permisos, type Standing } from '../contract/access.ts';
import { contract, isCallName, type Call } from '../contract/contract.ts';
import type { Flags } from '../contract/flags.ts';
import type { Route } from '../engine/core/manifest.ts';

/** Who stands before a route. */
export interface Visitor {
  readonly authenticated: boolean;
  /** Came by a foreign identity provider. */
  readonly foreign: boolean;
  readonly permisos: Permisos;
  readonly restricted: boolean;
}

/** Why a route is refused: nobody is signed in, a foreign user may not manage an account here, a restricted one may not make what it is for, a permission is missing. */
export type Refusal = 'signed-out' | 'foreign' | 'restricted' | 'permission';

/**
 * The guard of every route, from its row in the flows and those of its calls in the contract (section 2.2 of the specification); null: it may
 * be opened. The server decides for itself.
 */
export function refusalOf(
  { access, permissions, calls = [] }: Pick<Route, 'access' | 'permissions' | 'calls'>,
  visitor: Visitor,
  flags: Flags,
): Refusal | null {
  if (access !== 'citizen' && access !== 'account') return null;
  if (!visitor.authenticated) return 'signed-out';
  if (access === 'account' && visitor.foreign && !flags.idp_autogestion) return 'foreign';
  if (calls.some((name) => isCallName(name) && refusalOfCall(contract[name], visitor, flags) === 'restricted'))
    return 'restricted';
  return permissions && !permits(visitor.permisos, permissions) ? 'permission' : null;
}

/** Why the server will refuse a call, which its button then says; null: it will not. */
export function refusalOfCall(
  call: Call,
  { authenticated, foreign, permisos, restricted }: Visitor,
  flags: Flags,
): ReturnType<typeof callRefusal> {
  const role: Standing['role'] = foreign ? 'foreign' : 'citizen';
  return callRefusal(call, { role: authenticated ? role : 'anonymous', permisos, restricted }, flags);
}
