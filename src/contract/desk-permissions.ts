import type { Permission } from './operation.ts';

/** Permission resource of agents. `npx portal account grant DOCUMENT agentes ACTION` grants one of its actions. */
export const deskPermissionResource = 'agentes';

/** Permitted actions of agents, in this order: attend calls, set the hours, manage accounts, answer messages, read the figures. */
export const deskPermissionActions = ['videollamadas', 'horarios', 'cuentas', 'mensajes', 'cifras'] as const;
export type DeskPermissionAction = (typeof deskPermissionActions)[number];

/** Properties of a desk operation that requires one of these permissions. Callers without one get a 404. */
/* @__NO_SIDE_EFFECTS__ */
export function buildDeskOperationAccess(...actions: readonly DeskPermissionAction[]) {
  const permissions: readonly Permission[] = actions.map((action) => [deskPermissionResource, action]);
  return { auth: 'agent', roles: ['agent'], rejectsRestricted: true, permissions } as const;
}
