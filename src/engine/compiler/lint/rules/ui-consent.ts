import { escapePointer } from '../../../core/json-pointer.ts';
import type { LinkText } from '../../../core/definition.ts';
import { linksOfField, uiOf, uiText } from '../../../core/ui.ts';
import { everyFieldOf, requiredOf } from '../../screen/fields-of-schema.ts';
import { pointerOfUi } from '../../screen/fields-of-ui.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import { say } from '../../sources/say.ts';
import { type Finding, type LintedScreen, type Subject, screenRule } from '../subject.ts';
import { placeInSchema } from '../places.ts';
import { wordsIn } from '../wording/own-words.ts';

/** Reports consent that is given by default or not required. */
export const uiConsent = screenRule('ui/consent', 'E', (screen, subject) => [
  ...ofSchema(screen, subject),
  ...ofPrefills(screen, subject),
]);

/** Reports consent without a link to its subject, or with a link to something else. */
export const uiConsentLink = screenRule('ui/consent-link', 'W', (screen, subject) =>
  consentsOf(screen, subject).flatMap(([name]) => {
    const file = screen.files.ui;
    if (file === null) return [];
    const links = linksOfField(uiOf(screen.ui, name));
    if (links.length > 0)
      return links.flatMap((link, index) => elsewhere(link, file, `${pointerOfUi(name)}/ui:links/${index}/to`));
    return {
      file,
      pointer: pointerOfUi(name),
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
function consentsOf({ schema, ui }: LintedScreen, { contract, set }: Subject) {
  const beginnings = (contract.wording?.[set.baseLanguage]?.consent ?? []).map(wordsIn);
  return everyFieldOf(schema ?? {}).filter(([name, { type }]) => {
    const label = wordsIn(uiText(ui, name, 'ui:title') ?? '');
    return type === 'boolean' && beginnings.some((words) => words.every((word, index) => label[index] === word));
  });
}

function ofSchema(screen: LintedScreen, subject: Subject): readonly Finding[] {
  const { schema, files } = screen;
  const file = files.schema;
  if (!schema || !file) return [];
  return consentsOf(screen, subject).flatMap(([name, field, needed, pointer]) => {
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
      ...(isOwn && { fix: [{ file: file.path, pointer: '/required', value: [...requiredOf(schema), name] }] }),
    };
  });
}

function ofPrefills(screen: LintedScreen, subject: Subject): readonly Finding[] {
  const names = everyFieldOf(screen.schema ?? {}).flatMap(([name, field]) => (field.const === true ? [name] : []));
  return subject.flows.flatMap(({ flow, file, placeOf }) =>
    Object.entries(flow.states).flatMap(([state, { screen: shown, prefill = {} }]) =>
      Object.keys(shown === screen.id ? prefill : {})
        .filter((name) => names.includes(name) && prefill[name] !== false)
        .map((name) => {
          const pointer = placeOf(`/states/${escapePointer(state)}/prefill/${escapePointer(name)}`);
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
