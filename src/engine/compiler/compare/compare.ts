import type { ReadDefinitions } from '../load-definitions.ts';
import type { Said } from '../said.ts';
import { flowChanges } from './flow-changes.ts';
import { screenChanges } from './screen-changes.ts';

/** One difference between two versions of a set. */
export interface Change {
  /** It may refuse what was accepted, or lose an address, a field or a way in. */
  readonly breaking: boolean;
  /** The screen or the flow. */
  readonly where: string;
  readonly text: Said;
}

/** What changed between two versions of a set, what breaks something first. */
export function compareDefinitions(before: ReadDefinitions, after: ReadDefinitions): readonly Change[] {
  const changes = [...flowChanges(before.flows, after.flows), ...screenChanges(before.screens, after.screens)];
  return [...changes.filter(({ breaking }) => breaking), ...changes.filter(({ breaking }) => !breaking)];
}
