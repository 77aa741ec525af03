import { placeholders } from '../../../../core/messages.ts';
import type { LintRule, Finding } from '../../finding.ts';
import type { LintedFlow, Subject } from '../../subject.ts';
import { listParts, listNoticeTexts } from '../../../explore/drawn.ts';
import { decide } from '../../../explore/evaluate-rules.ts';
import { isTrue } from '../../../explore/assignment.ts';
import { formatPath } from '../../../explore/node.ts';
import { say } from '../../../sources/say.ts';

/** A text that is drawn while one of its variables holds nothing. */
export const walkEmpty: LintRule<Subject> = {
  id: 'walk/empty',
  severity: 'W',
  find: (subject) => subject.flows.flatMap((linted) => ofFlow(linted, subject)),
};

function ofFlow({ flow, exploration }: LintedFlow, { screens }: Subject): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const node of exploration.nodes) {
    const { screen: id = '', block } = flow.states[node.state] ?? {};
    const screen = screens.get(id);
    if (!screen?.files.ui || !node.open || node.rough) continue;
    const drawn =
      block === undefined ? listParts(screen.ui).filter(({ visible }) => decide(visible, node.assignment) === true) : [];
    const notice = node.notice ? listNoticeTexts(screen.ui, node.notice.name) : [];
    for (const [pointer, text] of [...drawn.flatMap(({ texts }) => texts), ...notice])
      for (const name of placeholders(text)) {
        const value = flow.context?.[name] ? node.assignment.at(`context.${name}`) : null;
        const key = `${id} ${pointer} ${name}`;
        if (!value || !('constant' in value) || isTrue(value.constant) || value.constant === 0 || found.has(key))
          continue;
        found.set(key, {
          file: screen.files.ui,
          pointer,
          message: say`"{${name}}" is empty when this text is drawn.`,
          hint: say`Assign "${name}" before, or give the text "visible": { "var": "context.${name}" }.`,
          walk: `${flow.id}: ${formatPath(node)}`,
        });
      }
  }
  return [...found.values()];
}
