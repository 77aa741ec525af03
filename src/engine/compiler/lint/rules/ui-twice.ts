import { escapePointer, valueAt } from '../../../core/json-pointer.ts';
import { listGroupNames } from '../../../core/field-path.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { Logic, Ui } from '../../../core/definition.ts';
import { listFieldLinks, readFieldUi, uiText } from '../../../core/ui.ts';
import { listAllFields } from '../../screen/fields-of-schema.ts';
import { buildUiPointer, visibleRules, listLinks, listParagraphs } from '../../screen/fields-of-ui.ts';
import { say } from '../../sources/say.ts';
import { type Finding, groupBy, type LintedScreen, type Subject, screenRule } from '../subject.ts';
import { locateTranslation, locateFieldText } from '../places.ts';
import { countWords, splitSentences } from '../wording/own-words.ts';
import { evaluateGuard } from '../../explore/evaluate-rules.ts';
import { Assignment } from '../../explore/assignment.ts';

/** Reports elements of a screen with the same text, which users of screen readers in particular cannot distinguish. */
export const uiTwice = screenRule('ui/twice', 'W', (screen, subject) =>
  [...screen.uis].flatMap(([language, ui]) => [
    ...alike([...labelsIn(subject, screen, ui, language), ...partsIn(screen, ui, language)]),
    ...helpsAlike(subject, screen, ui, language),
  ]),
);

/** Shorter sentences may be repeated. */
const fewWords = 4;

/** An element that users identify by its text. */
interface NamedElement {
  readonly text: string;
  /** Elements of the same kind must differ. */
  readonly kind: string;
  /** Target or event. Elements that share it may have the same text. */
  readonly does?: string;
  readonly visible: readonly Logic[];
  readonly place: Pick<Finding, 'file' | 'pointer'>;
}

function alike(all: readonly NamedElement[]): readonly Finding[] {
  const groups = groupBy(all, ({ kind, text }) => `${kind} ${text.trim().toLowerCase()}`);
  return [...groups.values()].flatMap(([first, ...others]) =>
    others
      .filter((other) => first && (first.does === undefined || first.does !== other.does) && mayMeet(first, other))
      .map(({ place, text, kind }) => ({
        ...place,
        ...(kind === 'paragraph'
          ? {
              message: say`"${text}" is read twice, in two paragraphs at once.`,
              hint: say`Say it in one, or let each be seen in another case.`,
            }
          : {
              message: say`"${text}" stands twice on this screen, for two things.`,
              hint: say`Say in each what it is for.`,
            }),
        related: first ? [{ file: first.place.file.path, pointer: first.place.pointer }] : [],
      })),
  );
}

/** Whether two parts may be visible at the same time. */
export function mayMeet(one: Pick<NamedElement, 'visible'>, other: Pick<NamedElement, 'visible'>): boolean {
  const rules = [...one.visible, ...other.visible];
  if (one.visible.length === 0 || other.visible.length === 0) return true;
  const form = { schema: { type: 'object' } as JsonObject, optional: false };
  return evaluateGuard({ and: rules }, new Assignment(new Map()).enterRoots([['form', form]])).some(
    ({ holds }) => holds,
  );
}

/** Reports help texts and placeholders that only repeat the label. */
function helpsAlike(subject: Subject, screen: LintedScreen, ui: Ui, language: string): readonly Finding[] {
  return listAllFields(screen.schema ?? {}).flatMap(([field, , , pointer]): readonly Finding[] => {
    const title = uiText(ui, field, 'ui:title');
    return (['ui:help', 'ui:placeholder'] as const).flatMap((key): readonly Finding[] => {
      const isAgain = title !== undefined && title === uiText(ui, field, key);
      const place = isAgain && locateFieldText(subject, screen, { field, pointer, part: 'ui', key, language });
      return place
        ? [{ ...place, message: say`This says the label again.`, hint: say`Say what it does not, or remove it.` }]
        : [];
    });
  });
}

function labelsIn(subject: Subject, screen: LintedScreen, ui: Ui, language: string): readonly NamedElement[] {
  return listAllFields(screen.schema ?? {}).flatMap(([field, schema, , pointer]): readonly NamedElement[] => {
    const title = uiText(ui, field, 'ui:title');
    if (title === undefined || uiText(ui, field, 'ui:widget') === 'hidden') return [];
    const section = ui.sections?.findIndex(({ fields }) => fields.includes(field.split('.')[0] ?? '')) ?? -1;
    const at = (key: string) =>
      locateFieldText(subject, screen, { field, pointer, part: 'ui', key, language }) ?? {
        file: nowhere,
        pointer: '',
      };
    const names = readFieldUi(ui, field)['ui:enumNames'];
    const choices = Array.isArray(names) && Array.isArray(schema.enum) ? (names as readonly string[]) : [];
    return [
      {
        text: title,
        kind: `label ${listGroupNames(field).at(-1) ?? ''} ${section}`,
        visible: visibleRules(ui, field),
        place: at('ui:title'),
      },
      ...choices.map((text, index) => ({
        text,
        kind: `choice ${field}`,
        visible: [],
        place: { file: at('ui:enumNames').file, pointer: `${at('ui:enumNames').pointer}/${index}` },
      })),
    ];
  });
}

const nowhere = { path: '', text: '', tree: undefined };

function partsIn({ files }: LintedScreen, ui: Ui, language: string): readonly NamedElement[] {
  const base = files.ui;
  if (!base) return [];
  const file = files.translations.get(language) ?? base;
  const address = (pointer: string) => (file === base ? pointer : locateTranslation(base, pointer));
  const named = (
    pointer: string,
    text: string,
    visible: Logic | undefined,
    kind: string,
    does?: string,
  ): NamedElement => ({
    text,
    kind,
    visible: visible === undefined ? [] : [visible],
    place: { file, pointer: address(pointer) },
    ...(does !== undefined && { does }),
  });
  const ofFields = Object.keys(ui.fields ?? {}).flatMap((name) =>
    listFieldLinks(readFieldUi(ui, name)).map(
      (link, index) => [`${buildUiPointer(name)}/ui:links/${index}`, link] as const,
    ),
  );
  const links = [...listLinks(ui).filter(([pointer]) => !/^\/(?:notices|fields)\//.test(pointer)), ...ofFields];
  return [
    ...(ui.actions ?? []).map(({ text, event, visible }, index) =>
      named(`/actions/${index}/text`, text, visible, 'press', event),
    ),
    ...links.map(([pointer, { text, to, event = to, visible }]) =>
      named(`${pointer}/text`, text, visible, 'press', event),
    ),
    ...listParagraphs(ui.intro).flatMap(({ text, visible }, index) => {
      const [first = ''] = splitSentences(text);
      return countWords(first) < fewWords ? [] : [named(`/intro/${index}/text`, first, visible, 'paragraph')];
    }),
    ...Object.entries(ui.notices ?? {}).flatMap(([name, { text }]) => {
      const pointer = `/notices/${escapePointer(name)}/text`;
      const isOwn = valueAt(base.value, pointer) !== undefined; // otherwise it is from _shared/notices.json
      return isOwn ? [named(pointer, text, undefined, 'notice')] : [];
    }),
    ...(ui.sections ?? []).map(({ title, visible }, index) =>
      named(`/sections/${index}/title`, title, visible, 'section'),
    ),
    ...(ui.aside?.parts ?? []).map(({ title, visible }, index) =>
      named(`/aside/parts/${index}/title`, title, visible, 'aside'),
    ),
  ];
}
