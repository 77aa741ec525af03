import {
  needsIdentityProofing,
  findOperationRefusal,
  hasAnyPermission,
  type CallerAttributes,
} from '../contract/operation-access.ts';
import { apiContract, isOperationName } from '../contract/contract.ts';
import type { FeatureFlags } from '../contract/feature-flags.ts';
import type { PageRoute } from '../engine/core/definitions-manifest.ts';
import { isSignedInRoute } from './is-signed-in-route.ts';

/** Reason why a route is refused. `proofing`: an agent must verify the identity first. `factor`: a second factor must be set up first. */
export type RouteRefusal = 'signed-out' | 'foreign' | 'proofing' | 'role' | 'restricted' | 'permission' | 'factor';

/** Used only for navigation: the server enforces access (section 2.2 of the specification). */
export function findRouteRefusal(
  { access, permissions, operations = [] }: Pick<PageRoute, 'access' | 'permissions' | 'operations'>,
  visitor: CallerAttributes,
  flags: FeatureFlags,
): RouteRefusal | null {
  if (!isSignedInRoute(access)) return null;
  if (visitor.role === 'anonymous') return 'signed-out';
  if (access !== 'citizen' && visitor.role === 'foreign' && !flags.idp_autogestion) return 'foreign';
  if (needsIdentityProofing(visitor)) return 'proofing';
  const refusals = operations.flatMap((name) =>
    isOperationName(name) ? (findOperationRefusal(apiContract[name], visitor, flags) ?? []) : [],
  );
  for (const refusal of ['role', 'restricted'] as const) if (refusals.includes(refusal)) return refusal;
  if (permissions && !hasAnyPermission(visitor.permisos, permissions)) return 'permission';
  return access === 'account' && visitor.factorDue ? 'factor' : null;
}
