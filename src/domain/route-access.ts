import { callRefusal, permits, type Standing } from '../contract/access.ts';
import { contract, isCallName } from '../contract/contract.ts';
import type { Flags } from '../contract/flags.ts';
import type { Route } from '../engine/core/manifest.ts';

/** Why a route is refused: nobody is signed in, a foreign user may not manage an account here, the role or a restricted citizen may not make what it is for, a permission is missing. */
export type Refusal = 'signed-out' | 'foreign' | 'role' | 'restricted' | 'permission';

/**
 * The guard of every route, from its row in the flows and those of its calls in the contract (section 2.2 of the specification); null: it may
 * be opened. The server decides for itself.
 */
export function refusalOf(
  { access, permissions, calls = [] }: Pick<Route, 'access' | 'permissions' | 'calls'>,
  visitor: Standing,
  flags: Flags,
): Refusal | null {
  if (access !== 'citizen' && access !== 'account') return null;
  if (visitor.role === 'anonymous') return 'signed-out';
  if (access === 'account' && visitor.role === 'foreign' && !flags.idp_autogestion) return 'foreign';
  const refusals = calls.flatMap((name) =>
    isCallName(name) ? (callRefusal(contract[name], visitor, flags) ?? []) : [],
  );
  for (const refusal of ['role', 'restricted'] as const) if (refusals.includes(refusal)) return refusal;
  return permissions && !permits(visitor.permisos, permissions) ? 'permission' : null;
}
