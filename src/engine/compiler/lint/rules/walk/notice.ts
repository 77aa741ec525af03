import type { LintRule, Finding } from '../../finding.ts';
import type { LintedFlow, Subject } from '../../subject.ts';
import { formatPath } from '../../../explore/node.ts';
import { say } from '../../../sources/say.ts';

/** A notice that is lost on its way, for another screen is drawn, which has none of its name. */
export const walkNotice: LintRule<Subject> = {
  id: 'walk/notice',
  severity: 'W',
  find: (subject) => subject.flows.flatMap((linted) => ofFlow(linted, subject)),
};

function ofFlow({ flow, file, pointers, exploration }: LintedFlow, { screens }: Subject): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const node of exploration.nodes) {
    const { notice, state, rough } = node;
    const at = notice && pointers.get(notice.branch);
    const screen = flow.states[state]?.screen;
    if (!notice || at === undefined || rough || found.has(at)) continue;
    if (Object.hasOwn(screens.get(screen ?? '')?.ui.notices ?? {}, notice.name)) continue;
    const shown = screen === undefined ? say`there is no screen` : say`the screen "${screen}" has none`;
    found.set(at, {
      file,
      pointer: `${at}/notice`,
      message: say`The notice "${notice.name}" is lost: the walk ends in "${state}", and ${shown}.`,
      hint: say`Lead to a state that opens, or add the notice to its screen.`,
      walk: formatPath(node),
    });
  }
  return [...found.values()];
}
