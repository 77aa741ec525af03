import type { Access, Flow } from './definition.ts';

/** Who may open a state that says nothing: the engine's one word of its own. */
export const anyone: Access = 'anyone';

/** Whether a flow is of the portal that one kind of visitor has for itself: one that has states for them has no others. */
export function isOfSeparatePortal({ states }: Pick<Flow, 'states'>, visitor: Access | undefined): boolean {
  return visitor !== undefined && Object.values(states).some(({ access }) => access === visitor);
}
