import type { Access, Flow } from './definition.ts';

/** Who may open a state that says nothing: the engine's one word of its own. */
export const anyone: Access = 'anyone';

/** Whether a flow is of a side of its own: one that has states for this kind of visitor has no others. */
export function isApart({ states }: Pick<Flow, 'states'>, side: Access | undefined): boolean {
  return side !== undefined && Object.values(states).some(({ access }) => access === side);
}
