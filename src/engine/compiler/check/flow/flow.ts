import type { ExpandedFlow } from '../../flow/expand-flow.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import type { Report } from '../../sources/report.ts';
import { checkAssigned } from './assigned.ts';
import { circlesOf } from './circles.ts';
import { FlowCheck, type FlowSurroundings } from './flow-check.ts';
import { checkPathVariables } from './path-variables.ts';
import { checkProgress } from './progress.ts';
import { reachedStates } from './reached.ts';
import { checkSave } from './save.ts';
import { checkState } from './state.ts';
import { say } from '../../sources/say.ts';

/** Checks one flow whose form is right. */
export function checkFlow(expanded: ExpandedFlow, around: FlowSurroundings, report: Report): void {
  const check = new FlowCheck(expanded, around, report);
  const { initial, states, challenges = {} } = expanded.flow;
  check.target('/initial', initial);
  for (const [name, target] of Object.entries(challenges)) check.target(`/challenges/${escapePointer(name)}`, target);
  for (const [name, state] of Object.entries(states)) checkState(check, name, state);
  checkProgress(check);
  checkSave(check);
  checkPathVariables(check);
  checkAssigned(check);
  for (const [first = '', ...more] of circlesOf(expanded.flow)) {
    report(
      `/states/${escapePointer(first)}`,
      say`The flow goes round: ${[first, ...more, first].join(' → ')}.`,
      say`Let one of these states be drawn, or lead elsewhere.`,
    );
  }
  const reached = reachedStates(expanded.flow);
  for (const name of Object.keys(states)) {
    if (!reached.has(name))
      report(
        `/states/${escapePointer(name)}`,
        say`No way leads to the state "${name}".`,
        say`Give it a path, target it, or remove it.`,
      );
  }
}
