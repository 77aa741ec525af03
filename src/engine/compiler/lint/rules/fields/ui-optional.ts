import { uiText } from '../../../../core/ui.ts';
import { everyFieldOf } from '../../../screen/fields-of-schema.ts';
import { say } from '../../../sources/say.ts';
import type { LintRule, Finding } from '../../finding.ts';
import { placeOfFieldText } from '../../places.ts';
import type { Subject } from '../../subject.ts';
import { wordFinder } from '../../wording/own-words.ts';

/** A field that is required and whose text says that it may be left empty. */
export const uiOptional: LintRule<Subject> = {
  id: 'ui/optional',
  severity: 'W',
  find: (subject) =>
    Object.entries(subject.contract.wording ?? {}).flatMap(([language, { optional = [] }]) => {
      const saidIn = wordFinder(optional);
      return [...subject.screens.values()].flatMap((screen) =>
        everyFieldOf(screen.schema ?? {}).flatMap(([field, , needed, pointer]): readonly Finding[] => {
          const ui = screen.uis.get(language);
          if (!needed || !ui) return [];
          return (['ui:title', 'ui:help', 'ui:placeholder'] as const).flatMap((key): readonly Finding[] => {
            const [said] = saidIn(uiText(ui, field, key) ?? '');
            const place = said && placeOfFieldText(subject, screen, { field, pointer, part: 'ui', key, language });
            if (!place) return [];
            return [
              {
                ...place,
                message: say`This says "${said.word}", and "${field}" is required.`,
                hint: say`Remove the word, or take "${field}" out of "required".`,
              },
            ];
          });
        }),
      );
    }),
};
