import { placeholders } from '../../../core/messages.ts';
import type { Json } from '../../../core/json.ts';
import { textsOf } from '../../shared/texts.ts';
import type { LintRule, Finding } from '../finding.ts';
import type { Subject } from '../subject.ts';
import { say } from '../../sources/say.ts';

/** A text of ours that says what an address gave: whoever makes a link makes the portal say it. */
export const dataAddress: LintRule<Subject> = {
  id: 'data/address',
  severity: 'W',
  find: ({ flows, screens }) =>
    [...screens.values()].flatMap(({ id, ui, files }): readonly Finding[] => {
      const { ui: file } = files;
      const given = flows.flatMap(({ flow }) =>
        Object.values(flow.states).some(({ screen }) => screen === id)
          ? Object.entries(flow.context ?? {}).flatMap(([name, { from }]) => (from === 'query' ? [name] : []))
          : [],
      );
      if (!file) return [];
      return [...textsOf(ui as unknown as Json)].flatMap(([pointer, text]) =>
        placeholders(text)
          .filter((name) => given.includes(name))
          .map((name) => ({
            file,
            pointer,
            message: say`This text says what the address has as "${name}": any link can make it say something else.`,
            hint: say`Choose among own texts by a code.`,
          })),
      );
    }),
};
