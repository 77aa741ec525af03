import { escapePointer } from '../../../core/json-pointer.ts';
import { everyFieldOf, propertiesOf } from '../../screen/fields-of-schema.ts';
import { guess } from '../../sources/near.ts';
import { nameOfPointer, stepsOfName } from '../../../core/field-path.ts';
import { uiText } from '../../../core/ui.ts';
import type { AnalysisRule, Finding } from '../finding.ts';
import type { Subject } from '../subject.ts';
import { say } from '../../sources/say.ts';

/** What is emptied on the way back and is no field of the screen. */
export const uiClear: AnalysisRule<Subject> = {
  id: 'ui/clear',
  severity: 'E',
  find: ({ flows, screens }) =>
    flows.flatMap(({ flow, file, placeOf }) =>
      Object.entries(flow.states).flatMap(([name, { clear = [], screen, block }]): readonly Finding[] => {
        const fields = Object.keys(propertiesOf(screens.get(screen ?? '')?.schema ?? {}));
        return clear.flatMap((pointer, index) => {
          const field = nameOfPointer(pointer);
          if (block !== undefined || fields.includes(field)) return [];
          const near = guess(field, fields);
          return [
            {
              file,
              pointer: placeOf(`/states/${escapePointer(name)}/clear/${index}`),
              message: say`The screen "${screen ?? ''}" has no field "${field}".`,
              hint: say`${near}Fields: ${fields.join(', ') || '–'}.`,
            },
          ];
        });
      }),
    ),
};

/** A field that must be filled in and that nobody can: it is hidden, and no state fills it. */
export const uiHidden: AnalysisRule<Subject> = {
  id: 'ui/hidden',
  severity: 'E',
  find: ({ flows, screens }) =>
    flows.flatMap(({ flow, file, placeOf }) =>
      Object.entries(flow.states).flatMap(([name, { screen, block, prefill }]): readonly Finding[] => {
        const { schema, ui } = screens.get(screen ?? '') ?? {};
        if (!schema || !ui || block !== undefined) return [];
        return everyFieldOf(schema)
          .flatMap(([field, , needed]) => (needed && uiText(ui, field, 'ui:widget') === 'hidden' ? [field] : []))
          .filter((field) => !Object.hasOwn(prefill ?? {}, stepsOfName(field)[0] ?? ''))
          .map((field) => ({
            file,
            pointer: placeOf(`/states/${escapePointer(name)}/screen`),
            message: say`"${field}" must be filled in, is hidden, and nothing fills it.`,
            hint: say`Give it a value in "prefill".`,
          }));
      }),
    ),
};
