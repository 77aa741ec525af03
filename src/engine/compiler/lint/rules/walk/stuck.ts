import { decide } from '../../../explore/evaluate-rules.ts';
import { escapePointer } from '../../../../core/json-pointer.ts';
import type { LintRule, Finding } from '../../finding.ts';
import { anything } from '../../shapes.ts';
import type { LintedFlow, Subject } from '../../subject.ts';
import { listParts } from '../../../explore/drawn.ts';
import { formatPath, type Node } from '../../../explore/node.ts';
import { say } from '../../../sources/say.ts';

/** A node at which nothing can be pressed, or nothing is drawn at all. */
export const walkStuck: LintRule<Subject> = {
  id: 'walk/stuck',
  severity: 'E',
  find: (subject) => subject.flows.flatMap((linted) => [...stuck(linted, subject), ...blank(linted)]),
};

function stuck({ flow, file, placeOf, exploration }: LintedFlow, { screens }: Subject): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const node of exploration.nodes) {
    const state = flow.states[node.state];
    const ui = screens.get(state?.screen ?? '')?.ui;
    if (!state || !ui || !node.open || node.rough || state.block !== undefined || state.after) continue;
    const ways = listParts(ui).filter(({ leads }) => leads);
    const assignment = node.assignment.enterRoots([['form', anything]]);
    const notice = ui.notices?.[node.notice?.name ?? ''];
    if (ways.length === 0 || found.has(node.state) || notice?.link) continue; // a screen without any says so by "final"
    if (ways.some(({ visible }) => decide(visible, assignment) !== false)) continue;
    found.set(node.state, {
      file,
      pointer: placeOf(`/states/${escapePointer(node.state)}`),
      message: say`Nothing can be pressed in "${node.state}": all of it is hidden.`,
      hint: say`Leave a button or a link visible in each case.`,
      walk: formatPath(node),
    });
  }
  return [...found.values()];
}

function blank({ file, placeOf, exploration }: LintedFlow): readonly Finding[] {
  const first = new Map<string, { node: Node; by: string }>();
  for (const one of exploration.blank) if (!first.has(one.node.state)) first.set(one.node.state, one);
  return [...first.values()].map(({ node, by }) => ({
    file,
    pointer: placeOf(`/states/${escapePointer(node.state)}`),
    message: say`The walk stays in "${node.state}", which draws nothing.`,
    hint: say`Give each case a target or an address.`,
    walk: by === '' ? formatPath(node) : `${formatPath(node)} ${by}→`,
  }));
}
