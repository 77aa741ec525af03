import type { Localized } from '../../localized.ts';
import { say } from '../../sources/say.ts';
import { type LintRule, type Finding, groupBy, type Subject } from '../subject.ts';
import { addressOf } from '../places.ts';
import { mayMeet } from './ui-twice.ts';

/** Reports buttons whose text means the opposite elsewhere, no or several primary buttons, and two buttons with the same event. */
export const uiButtons: LintRule<Subject> = {
  id: 'ui/buttons',
  severity: 'W',
  find: (subject) => [...exchanged(subject), ...severalMain(subject), ...misplaced(subject)],
};

/** Minimum number of other screens that use a text for an event. */
const known = 2;
const opposite = { submit: 'back', back: 'submit' } as const;

function exchanged({ screens, set }: Subject): readonly Finding[] {
  return set.languages.flatMap((language) => {
    const all = [...screens.values()].flatMap(({ id, uis, files }) =>
      (uis.get(language)?.actions ?? []).map(({ event, text }, index) => ({ id, event, text, index, files })),
    );
    const byText = groupBy(all, ({ text }) => text);
    return all.flatMap(({ id, event, text, index, files }) => {
      const other = event === 'submit' || event === 'back' ? opposite[event] : undefined;
      const base = files.ui;
      const file = files.translations.get(language) ?? base;
      const elsewhere = (byText.get(text) ?? []).filter((one) => one.id !== id);
      const saysOther = elsewhere.filter((one) => one.event === other).length >= known;
      if (other === undefined || !base || !file || !saysOther || elsewhere.some((one) => one.event === event))
        return [];
      const pointer = `/actions/${index}/text`;
      return {
        file,
        pointer: file === base ? pointer : addressOf(base, pointer),
        message: say`"${text}" is the text of "${other}" on other screens, and of "${event}" here.`,
        hint: say`Write the text of what the button does.`,
      };
    });
  });
}

function severalMain({ screens }: Subject): readonly Finding[] {
  return [...screens.values()].flatMap(({ ui, files }) => {
    const main = (ui.actions ?? []).flatMap(({ primary, danger, visible }, index) =>
      primary === true ? [{ index, danger, visible: visible === undefined ? [] : [visible] }] : [],
    );
    return main.flatMap((one, place) => {
      const other = main.slice(0, place).some((before) => mayMeet(before, one));
      if (!files.ui || (!other && one.danger !== true)) return [];
      return {
        file: files.ui,
        pointer: `/actions/${one.index}/primary`,
        message: other
          ? say`Two buttons of this screen are the main one.`
          : say`A button is the main one, or one that warns: not both.`,
        hint: say`Remove "primary" here.`,
        fix: [{ file: files.ui.path, pointer: `/actions/${one.index}/primary` }],
      };
    });
  });
}

/** Reports a primary button that goes back, a warning on going back, a form without a primary button, and two buttons with the same event. */
function misplaced({ screens }: Subject): readonly Finding[] {
  return [...screens.values()].flatMap(({ schema, ui, files }) => {
    const file = files.ui;
    if (!file) return [];
    const buttons = (ui.actions ?? []).map(({ visible, ...own }, index) => {
      return { ...own, index, visible: visible === undefined ? [] : [visible] };
    });
    const at = (index: number, key: string, message: Localized, hint: Localized): Finding => {
      return { file, pointer: `/actions/${index}/${key}`, message, hint };
    };
    const submit = buttons.find(({ event, danger }) => event === 'submit' && danger !== true);
    const main = buttons.filter(({ primary }) => primary === true);
    const isForm = Object.keys((schema?.['properties'] ?? {}) as object).length > 0;
    const [first] = main;
    return [
      ...(first?.event === 'back' && main.length === 1 && submit && mayMeet(first, submit)
        ? [
            at(
              first.index,
              'primary',
              say`The main button of this screen goes back.`,
              say`Write "primary" on the button that goes on.`,
            ),
          ]
        : []),
      ...(isForm && submit && !first
        ? [
            at(
              submit.index,
              'event',
              say`No button of this form is the main one.`,
              say`Write "primary": true on the button that sends it.`,
            ),
          ]
        : []),
      ...buttons.flatMap((one, place): readonly Finding[] => {
        if (one.event === 'back' && one.danger === true)
          return [
            at(
              one.index,
              'danger',
              say`Going back changes nothing, and this button warns of it.`,
              say`Remove "danger".`,
            ),
          ];
        const twin = buttons.slice(0, place).some((other) => other.event === one.event && mayMeet(other, one));
        return twin
          ? [
              at(
                one.index,
                'event',
                say`Two buttons raise "${one.event}".`,
                say`Give each an event of its own, or remove one.`,
              ),
            ]
          : [];
      }),
    ];
  });
}
