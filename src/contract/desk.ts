import type { Permission } from './operation.ts';

/** The resource of agents' permissions. `npx portal account grant DOCUMENT agentes ACTION` grants one of its actions. */
export const deskResource = 'agentes';

/** Permissions of agents: attend calls, set the hours, act on accounts, answer messages, read the figures. */
export const deskActions = ['videollamadas', 'horarios', 'cuentas', 'mensajes', 'cifras'] as const;
export type DeskAction = (typeof deskActions)[number];

/** Common properties of a desk operation. Agents with one of these permissions may invoke it. Other callers get a 404. */
/* @__NO_SIDE_EFFECTS__ */
export function requireDeskPermission(...actions: readonly DeskAction[]) {
  const permissions: readonly Permission[] = actions.map((action) => [deskResource, action]);
  return { auth: 'agent', roles: ['agent'], unrestricted: true, permissions } as const;
}
