import { guess } from '../../sources/near.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { linksOf } from '../../screen/links-of-ui.ts';
import type { LintRule, Finding } from '../finding.ts';
import type { Subject } from '../subject.ts';
import { say } from '../../sources/say.ts';

/** An event that a state with a block answers, and that neither the block nor its screen raises. */
export const eventBlock: LintRule<Subject> = {
  id: 'event/block',
  severity: 'E',
  find: ({ flows, screens, contract }) =>
    flows.flatMap(({ flow, file, placeOf }) =>
      Object.entries(flow.states).flatMap(([name, state]): readonly Finding[] => {
        const events = contract.blocks[state.block ?? '']?.events;
        if (!events) return [];
        const ui = screens.get(state.screen ?? '')?.ui;
        const ofScreen = ui
          ? [...(ui.actions ?? []), ...linksOf(ui).map(([, link]) => link)].flatMap(({ event }) => event ?? [])
          : [];
        const raised = [...events, ...ofScreen, ...(state.after ? [state.after.event] : [])];
        return Object.keys(state.on ?? {})
          .filter((event) => !raised.includes(event))
          .map((event) => {
            const near = guess(event, raised);
            return {
              file,
              pointer: placeOf(`/states/${escapePointer(name)}/on/${escapePointer(event)}`),
              message: say`The block "${state.block ?? ''}" raises no "${event}".`,
              hint: say`${near}It raises: ${raised.join(', ') || '–'}.`,
            };
          });
      }),
    ),
};
