import type { Flow, FlowDescriptions } from '../engine/core/flow-and-screen-types.ts';

/** Returns the title of a flow. Falls back to the title of its initial screen, then to its id. */
export function resolveFlowTitle(
  flow: Pick<Flow, 'id' | 'initial' | 'states'>,
  descriptions: FlowDescriptions | undefined,
  resolveScreenTitle: (screen: string) => string,
): string {
  if (descriptions?.title !== undefined) return descriptions.title;
  const screen = flow.states[flow.initial]?.screen;
  return screen === undefined ? flow.id : resolveScreenTitle(screen);
}
