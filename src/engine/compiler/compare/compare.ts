import type { AccessWords } from '../../core/definition.ts';
import type { ReadDefinitions } from '../load-definitions.ts';
import type { Change } from './change.ts';
import { flowChanges } from './flow-changes.ts';
import { screenChanges } from './screen-changes.ts';

type Compared = Pick<ReadDefinitions, 'screens' | 'flows'>;

/** What changed between two versions of a set, what breaks something first. `access`: the words for who may open a state. */
export function compareDefinitions(before: Compared, after: Compared, access: AccessWords): readonly Change[] {
  const changes = [...flowChanges(before.flows, after.flows, access), ...screenChanges(before.screens, after.screens)];
  return [...changes.filter(({ breaking }) => breaking), ...changes.filter(({ breaking }) => !breaking)];
}
