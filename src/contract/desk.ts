import type { Permission } from './operation.ts';

/** The resource of what agents may do; `npx portal account grant DOCUMENT agentes ACTION` grants an action of it. */
export const deskResource = 'agentes';

/** What an agent may be granted: to attend calls, set the hours, act on accounts, answer messages, read the figures. */
export const deskActions = ['videollamadas', 'horarios', 'cuentas', 'mensajes', 'cifras'] as const;
export type DeskAction = (typeof deskActions)[number];

/** What the row of a desk operation begins with: agents with one of these permissions may invoke it, and for nobody else it exists. */
/* @__NO_SIDE_EFFECTS__ */
export function ofDesk(...actions: readonly DeskAction[]) {
  const permissions: readonly Permission[] = actions.map((action) => [deskResource, action]);
  return { auth: 'agent', host: 'backend', roles: ['agent'], unrestricted: true, permissions } as const;
}
