import { needsProofing, findOperationRefusal, hasAnyPermission, type CallerState } from '../contract/access.ts';
import { contract, isOperationName } from '../contract/contract.ts';
import type { Flags } from '../contract/flags.ts';
import type { Route } from '../engine/core/manifest.ts';
import { isSignedInRoute } from './signed-in-route.ts';

/** Reason why a route is refused. `proofing`: an agent must verify the identity first. `factor`: a second factor must be set up first. */
export type Refusal = 'signed-out' | 'foreign' | 'proofing' | 'role' | 'restricted' | 'permission' | 'factor';

/**
 * Returns why a user may not open a route, from its required access, permissions and operations (section 2.2 of the
 * specification). Returns `null` if they may. Only for navigation, because the server enforces access.
 */
export function findRefusal(
  { access, permissions, operations = [] }: Pick<Route, 'access' | 'permissions' | 'operations'>,
  visitor: CallerState,
  flags: Flags,
): Refusal | null {
  if (!isSignedInRoute(access)) return null;
  if (visitor.role === 'anonymous') return 'signed-out';
  if (access !== 'citizen' && visitor.role === 'foreign' && !flags.idp_autogestion) return 'foreign';
  if (needsProofing(visitor)) return 'proofing';
  const refusals = operations.flatMap((name) =>
    isOperationName(name) ? (findOperationRefusal(contract[name], visitor, flags) ?? []) : [],
  );
  for (const refusal of ['role', 'restricted'] as const) if (refusals.includes(refusal)) return refusal;
  if (permissions && !hasAnyPermission(visitor.permisos, permissions)) return 'permission';
  return access === 'account' && visitor.factorDue ? 'factor' : null;
}
