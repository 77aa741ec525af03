import type { ContextVariable } from '../../../core/definition.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { branchesOfState } from '../../flow/branches-of-state.ts';
import { isDeclared, variablesRead } from '../../flow/variables-read.ts';
import type { LintRule } from '../finding.ts';
import type { LintedFlow, Subject } from '../subject.ts';
import { say } from '../../sources/say.ts';

/** A variable of `context` that nothing reads. */
export const dataUnread: LintRule<Subject> = { id: 'data/unread', severity: 'W', find: unread(isDeclared) };

/** A variable that is only assigned: a name with a slip, or a value that nobody wants. */
export const dataAssigned: LintRule<Subject> = {
  id: 'data/assigned',
  severity: 'E',
  find: unread((variable) => !isDeclared(variable)),
};

/** A variable that is read, and that nothing ever sets. */
export const dataUnset: LintRule<Subject> = {
  id: 'data/unset',
  severity: 'E',
  find: (subject) =>
    subject.flows.flatMap((linted) => {
      const { flow, file } = linted;
      const read = readIn(linted, subject);
      const assigned = new Set(
        Object.values(flow.states).flatMap((state) =>
          branchesOfState(state).flatMap(({ assign = {} }) =>
            Object.keys(assign).filter((name) => assign[name] !== null),
          ),
        ),
      );
      return Object.entries(flow.context ?? {})
        .filter(([name, variable]) => {
          const isGiven = ['query', 'path'].includes(variable.from) || variable.default !== undefined;
          return !isGiven && !assigned.has(name) && (read?.has(name) ?? false);
        })
        .map(([name]) => ({
          file,
          pointer: linted.placeOf(`/context/${escapePointer(name)}`),
          message: say`Nothing sets "${name}", which is read.`,
          hint: say`Assign it in a branch, or remove it.`,
        }));
    }),
};

function unread(isMeant: (variable: ContextVariable) => boolean): LintRule<Subject>['find'] {
  return (subject) =>
    subject.flows.flatMap((linted) => {
      const read = readIn(linted, subject);
      if (read === null) return [];
      return Object.entries(linted.flow.context ?? {})
        .filter(([name, variable]) => isMeant(variable) && !read.has(name))
        .map(([name]) => ({
          file: linted.file,
          pointer: linted.placeOf(`/context/${escapePointer(name)}`),
          message: say`Nothing reads the variable "${name}".`,
          hint: say`Remove it, and what assigns it.`,
        }));
    });
}

/** The variables that a flow, its screens and its blocks read; null: a block may read any. */
function readIn({ flow }: LintedFlow, { screens, contract }: Subject): ReadonlySet<string> | null {
  const ofBlocks = Object.values(flow.states).flatMap(({ block }) =>
    block === undefined ? [] : [contract.blocks[block]?.reads],
  );
  if (ofBlocks.includes(null)) return null;
  return new Set([
    ...variablesRead(flow, (screen) => screens.get(screen)?.ui),
    ...ofBlocks.flatMap((reads) => reads ?? []),
  ]);
}
