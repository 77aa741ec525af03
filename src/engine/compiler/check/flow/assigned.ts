import { escapePointer } from '../../../core/json-pointer.ts';
import { isDeclared, variablesRead } from '../../flow/variables-read.ts';
import { nearest } from '../../sources/near.ts';
import type { FlowCheck } from './flow-check.ts';
import { say } from '../../sources/say.ts';

/**
 * Tells of a variable that a branch assigns, that nothing reads, and whose name is almost another one's. Where a block is drawn, whose code may
 * read any, only almost one of `context`.
 */
export function checkAssigned({ flow, around, report }: FlowCheck): void {
  const variables = Object.entries(flow.context ?? {});
  const declared = variables.flatMap(([name, variable]) => (isDeclared(variable) ? [name] : []));
  const read = variablesRead(flow, (screen) => around.screens.get(screen)?.ui);
  const isOpen = Object.values(flow.states).some(({ block }) => block !== undefined);
  for (const [name] of variables) {
    if (declared.includes(name) || read.has(name)) continue;
    const meant = nearest(name, isOpen ? declared : [...declared, ...read]);
    if (meant !== undefined)
      report(
        `/context/${escapePointer(name)}`,
        say`"${name}" is assigned, and nothing reads it.`,
        say`Did you mean "${meant}"? What a block alone reads, name in "defaults" of "context".`,
      );
  }
}
