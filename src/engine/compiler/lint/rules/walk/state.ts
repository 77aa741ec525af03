import type { Flow, Logic } from '../../../../core/definition.ts';
import { variablesOf } from '../../../../core/logic.ts';
import { escapePointer } from '../../../../core/json-pointer.ts';
import { branchesOfState } from '../../../flow/branches-of-state.ts';
import type { LintRule, Finding } from '../../finding.ts';
import type { Localized } from '../../../localized.ts';
import type { LintedFlow, Subject } from '../../subject.ts';
import { say } from '../../../sources/say.ts';

/** A state that no walk reaches, because what it requires, or what leads to it, never holds. */
export const walkState: LintRule<Subject> = {
  id: 'walk/state',
  severity: 'E',
  find: ({ flows }) => flows.flatMap(ofFlow),
};

function ofFlow({ flow, file, placeOf, exploration }: LintedFlow): readonly Finding[] {
  if (exploration.capped) return [];
  const stood = exploration.passed;
  return Object.entries(flow.states).flatMap(([name, { requires }]): Finding[] => {
    if (stood.has(name) || (!exploration.tried.has(name) && !isLedTo(flow, name, stood))) return [];
    const why = requires && exploration.tried.has(name) ? reasonOf(flow, requires.guard) : nothingLeads;
    return [
      {
        file,
        pointer: placeOf(`/states/${escapePointer(name)}`),
        message: say`No walk reaches "${name}": ${why}.`,
        hint: say`Let something before it make that hold, or remove the state.`,
      },
    ];
  });
}

const nothingLeads = say`the branches that lead there are never taken`;

function reasonOf(flow: Flow, guard: Logic): Localized {
  const assigned = new Set(
    Object.values(flow.states).flatMap((state) =>
      branchesOfState(state).flatMap(({ assign }) =>
        Object.entries(assign ?? {}).flatMap(([name, value]) => (value === null ? [] : [`context.${name}`])),
      ),
    ),
  );
  const never = variablesOf(guard).filter((path) => path.startsWith('context.') && !assigned.has(path));
  if (never.length === 0) return say`what it requires never holds`;
  return say`nothing sets ${never.join(', ')}`;
}

// What only unreachable states lead to is their fault.
function isLedTo(flow: Flow, name: string, stood: ReadonlySet<string>): boolean {
  return Object.entries(flow.states).some(
    ([from, state]) => stood.has(from) && branchesOfState(state).some(({ target }) => target === name),
  );
}
