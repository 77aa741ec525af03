import { escapePointer } from '../../../core/json-pointer.ts';
import { everyFieldOf, propertiesOf } from '../../screen/fields-of-schema.ts';
import { guess } from '../../sources/near.ts';
import { nameOfPointer, stepsOfName } from '../../../core/field-path.ts';
import { isObject } from '../../../core/json.ts';
import { uiOf } from '../../../core/ui.ts';
import type { LintRule, Finding } from '../finding.ts';
import type { Subject } from '../subject.ts';
import { say } from '../../sources/say.ts';

/** What is emptied on the way back and is no field of the screen. */
export const uiClear: LintRule<Subject> = {
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

/** A field that must be filled in and that nobody can: it is hidden or fixed, or a list that takes no items, and no state fills it. */
export const uiHidden: LintRule<Subject> = {
  id: 'ui/hidden',
  severity: 'E',
  find: ({ flows, screens }) =>
    flows.flatMap(({ flow, file, placeOf }) =>
      Object.entries(flow.states).flatMap(([name, { screen, block, prefill }]): readonly Finding[] => {
        const { schema, ui } = screens.get(screen ?? '') ?? {};
        if (!schema || !ui || block !== undefined) return [];
        return everyFieldOf(schema)
          .filter(([field]) => !Object.hasOwn(prefill ?? {}, stepsOfName(field)[0] ?? ''))
          .flatMap(([field, { minItems = 0, maxItems }, needed]) => {
            const { 'ui:options': options, ...own } = uiOf(ui, field);
            if (maxItems === 0 || (isObject(options) && options['addable'] === false))
              return [say`Nobody can add anything to the list "${field}", and nothing fills it.`];
            if (!needed && Number(minItems) === 0) return [];
            if (own['ui:widget'] === 'hidden')
              return [say`"${field}" must be filled in, is hidden, and nothing fills it.`];
            const isFixed = own['ui:readonly'] === true || own['ui:disabled'] === true;
            return isFixed ? [say`"${field}" must be filled in, cannot be changed, and nothing fills it.`] : [];
          })
          .map((message) => ({
            file,
            pointer: placeOf(`/states/${escapePointer(name)}/screen`),
            message,
            hint: say`Give it a value in "prefill".`,
          }));
      }),
    ),
};
