import type { Localized } from '../../localized.ts';
import { say } from '../../sources/say.ts';
import { type Finding, groupBy, type Subject, type LintedScreen, screenRule, setRule } from '../subject.ts';
import { locateTranslation, placeInSchema } from '../places.ts';
import { mayMeet } from './ui-twice.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import type { LinkText } from '../../../core/definition.ts';
import { listFieldLinks, readFieldUi, uiText } from '../../../core/ui.ts';
import { listAllFields, listRequired } from '../../screen/fields-of-schema.ts';
import { buildUiPointer } from '../../screen/fields-of-ui.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import { wordsIn } from '../wording/own-words.ts';

/** Reports consent boxes that are ticked by default or not required. */
export const uiConsent = screenRule('ui/consent', 'E', (screen, subject) => [
  ...checkConsentFields(screen, subject),
  ...checkPrefills(screen, subject),
]);

/** Reports consent without a link to its subject, or with a link to something else. */
export const uiConsentLink = screenRule('ui/consent-link', 'W', (screen, subject) =>
  listConsentFields(screen, subject).flatMap(([name]) => {
    const file = screen.files.ui;
    if (file === null) return [];
    const links = listFieldLinks(readFieldUi(screen.ui, name));
    if (links.length > 0)
      return links.flatMap((link, index) => elsewhere(link, file, `${buildUiPointer(name)}/ui:links/${index}/to`));
    return {
      file,
      pointer: buildUiPointer(name),
      message: say`"${name}" asks to agree to something that cannot be read here.`,
      hint: say`Add "ui:links" to the text: [{ "to": "/…", "text": "…" }].`,
    };
  }),
);

/** Reports a link whose address and text have no word in common. */
function elsewhere({ to = '', text }: LinkText, file: SourceFile, pointer: string): readonly Finding[] {
  const longWords = (words: string) => wordsIn(words).filter((word) => word.length > 3);
  const [said, named] = [longWords(text), longWords(to.replaceAll(/[/_-]/g, ' '))];
  if (!to.startsWith('/') || said.length < 2 || named.some((word) => said.includes(word))) return []; // "Leer" does not describe a page
  return [
    {
      file,
      pointer,
      message: say`"${text}" leads to ${to}: an agreement is given to what can be read there.`,
      hint: say`Write the address of the page that the text names.`,
    },
  ];
}

/** Returns the checkboxes whose label begins with words of consent. */
function listConsentFields({ schema, ui }: LintedScreen, { contract, set }: Subject) {
  const beginnings = (contract.wording?.[set.baseLanguage]?.consent ?? []).map(wordsIn);
  return listAllFields(schema ?? {}).filter(([name, { type }]) => {
    const label = wordsIn(uiText(ui, name, 'ui:title') ?? '');
    return type === 'boolean' && beginnings.some((words) => words.every((word, index) => label[index] === word));
  });
}

function checkConsentFields(screen: LintedScreen, subject: Subject): readonly Finding[] {
  const { schema, files } = screen;
  const file = files.schema;
  if (!schema || !file) return [];
  return listConsentFields(screen, subject).flatMap(([name, field, needed, pointer]) => {
    if (field.const !== true) {
      const place = placeInSchema(subject, file, `${pointer}/type`);
      const at = `${place.pointer.slice(0, place.pointer.lastIndexOf('/'))}/const`;
      return {
        file: place.file,
        pointer: at,
        message: say`"${name}" asks to agree, and goes on without.`,
        hint: say`Write "const": true: the box must be ticked.`,
        fix: [{ file: place.file.path, pointer: at, value: true }],
      };
    }
    if (needed) return [];
    const isOwn = !name.includes('.');
    return {
      file,
      pointer: isOwn ? '/required' : pointer,
      message: say`"${name}" asks to agree, and may be left out.`,
      hint: say`Name it in "required".`,
      ...(isOwn && { fix: [{ file: file.path, pointer: '/required', value: [...listRequired(schema), name] }] }),
    };
  });
}

function checkPrefills(screen: LintedScreen, subject: Subject): readonly Finding[] {
  const names = listAllFields(screen.schema ?? {}).flatMap(([name, field]) => (field.const === true ? [name] : []));
  return subject.flows.flatMap(({ flow, file, toSourcePointer }) =>
    Object.entries(flow.states).flatMap(([state, { screen: shown, prefill = {} }]) =>
      Object.keys(shown === screen.id ? prefill : {})
        .filter((name) => names.includes(name) && prefill[name] !== false)
        .map((name) => {
          const pointer = toSourcePointer(`/states/${escapePointer(state)}/prefill/${escapePointer(name)}`);
          return {
            file,
            pointer,
            message: say`"${name}" must be ticked by whoever reads it, and is ticked beforehand.`,
            hint: say`Remove it from "prefill".`,
            fix: [{ file: file.path, pointer }],
          };
        }),
    ),
  );
}

/** Reports wrong primary and warning buttons, two buttons with the same event, and texts that other screens use for the opposite event. */
export const uiButtons = setRule('ui/buttons', 'W', (subject) => [
  ...exchanged(subject),
  ...severalMain(subject),
  ...misplaced(subject),
]);

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
        pointer: file === base ? pointer : locateTranslation(base, pointer),
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

/** Reports a primary or warning button that goes back, a form without a primary button, and two buttons with the same event. */
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
