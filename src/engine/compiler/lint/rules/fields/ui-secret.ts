import { uiText } from '../../../../core/ui.ts';
import { ownWidgets } from '../../../../core/widgets.ts';
import { everyFieldOf } from '../../../screen/fields-of-schema.ts';
import { say } from '../../../sources/say.ts';
import type { LintRule, Finding } from '../../finding.ts';
import { placeOfFieldText } from '../../places.ts';
import type { Subject } from '../../subject.ts';

/** A password that is typed in a control that shows it. */
export const uiSecret: LintRule<Subject> = {
  id: 'ui/secret',
  severity: 'E',
  find: (subject) =>
    [...subject.screens.values()].flatMap((screen) =>
      everyFieldOf(screen.schema ?? {}).flatMap(([field, , , pointer]): readonly Finding[] => {
        const widget = uiText(screen.ui, field, 'ui:widget');
        const isPassword = /password$/.test(uiText(screen.ui, field, 'ui:autocomplete') ?? '');
        if (!isPassword || widget === undefined || widget === 'hidden' || !Object.hasOwn(ownWidgets, widget)) return [];
        const { baseLanguage: language } = subject.set;
        const place = placeOfFieldText(subject, screen, { field, pointer, part: 'ui', key: 'ui:widget', language });
        return place
          ? [
              {
                ...place,
                message: say`"${field}" is a password, and "${widget}" shows what is typed.`,
                hint: say`Write "ui:widget": "password".`,
                fix: [{ file: place.file.path, pointer: place.pointer, value: 'password' }],
              },
            ]
          : [];
      }),
    ),
};
