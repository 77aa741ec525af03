import type { Flow } from '../../../core/definition.ts';
import { variablesOf } from '../../../core/logic.ts';
import { branchesOfState } from '../../flow/branches-of-state.ts';
import { templatesOf } from '../../flow/templates-of-flow.ts';
import type { LintRule, Finding } from '../finding.ts';
import type { LintedFlow, Subject } from '../subject.ts';
import { listScreenReads } from '../../explore/drawn.ts';
import { say } from '../../sources/say.ts';

/** A variable that a step shows or decides by, that an earlier one assigned, and that is gone where the journey goes on another day. */
export const dataUnsaved: LintRule<Subject> = {
  id: 'data/unsaved',
  severity: 'E',
  find: (subject) => subject.flows.filter(({ flow }) => flow.save).flatMap((linted) => ofFlow(linted, subject)),
};

function ofFlow({ flow, file, pointers }: LintedFlow, { screens }: Subject): readonly Finding[] {
  return (flow.progress ?? []).flatMap((journey) =>
    journey.flatMap((step, index) => {
      const before = new Set(journey.slice(0, index).flatMap(({ state }) => assignedIn(flow, state)));
      const ui = screens.get(flow.states[step.state]?.screen ?? '')?.ui;
      const read = [...(ui ? listScreenReads(ui) : []), ...readsOf(flow, step.state)];
      const names = new Set(read.flatMap((path) => /^context\.(\w+)/.exec(path)?.[1] ?? []));
      return [...names]
        .filter((name) => before.has(name) && !flow.context?.[name]?.saved)
        .map((name) => ({
          file,
          pointer: pointers.get(step) ?? '/progress',
          message: say`The step "${step.state}" reads "${name}", which an earlier step assigns and which is not saved: who goes on another day lacks it.`,
          hint: say`Write "${name}" in "saved" of "context".`,
        }));
    }),
  );
}

function assignedIn({ states }: Flow, name: string): readonly string[] {
  return branchesOfState(states[name] ?? {}).flatMap(({ assign = {} }) => Object.keys(assign));
}

function readsOf(flow: Flow, name: string): readonly string[] {
  const own: Flow = { id: flow.id, initial: name, states: { [name]: flow.states[name] ?? {} } };
  return templatesOf(own).flatMap(variablesOf);
}
