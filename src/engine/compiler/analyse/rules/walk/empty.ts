import { placeholders } from '../../../../core/messages.ts';
import type { AnalysisRule, Finding } from '../../finding.ts';
import type { AnalysedFlow, Subject } from '../../subject.ts';
import { partsOf, textsOfNotice } from '../../walk/drawn.ts';
import { decide } from '../../walk/rules-of-world.ts';
import { isTrue } from '../../walk/world.ts';
import { trailOf } from '../../walk/moment.ts';
import { say } from '../../../sources/say.ts';

/** A text that is drawn while one of its variables holds nothing. */
export const walkEmpty: AnalysisRule<Subject> = {
  id: 'walk/empty',
  severity: 'W',
  find: (subject) => subject.flows.flatMap((analysed) => ofFlow(analysed, subject)),
};

function ofFlow({ flow, walked }: AnalysedFlow, { screens }: Subject): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const moment of walked.moments) {
    const { screen: id = '', block } = flow.states[moment.state] ?? {};
    const screen = screens.get(id);
    if (!screen?.files.ui || !moment.open || moment.rough) continue;
    const drawn =
      block === undefined ? partsOf(screen.ui).filter(({ visible }) => decide(visible, moment.world) === true) : [];
    const notice = moment.notice ? textsOfNotice(screen.ui, moment.notice.name) : [];
    for (const [pointer, text] of [...drawn.flatMap(({ texts }) => texts), ...notice])
      for (const name of placeholders(text)) {
        const value = flow.context?.[name] ? moment.world.at(`context.${name}`) : null;
        const key = `${id} ${pointer} ${name}`;
        if (!value || !('constant' in value) || isTrue(value.constant) || value.constant === 0 || found.has(key))
          continue;
        found.set(key, {
          file: screen.files.ui,
          pointer,
          message: say`"{${name}}" is empty when this text is drawn.`,
          hint: say`Assign "${name}" before, or give the text "visible": { "var": "context.${name}" }.`,
          walk: `${flow.id}: ${trailOf(moment)}`,
        });
      }
  }
  return [...found.values()];
}
