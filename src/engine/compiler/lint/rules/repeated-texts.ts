import type { CheckedScreen } from '../../intermediate-representation.ts';
import { escapePointer, findByPointer, walkJson } from '../../../core/json-pointer.ts';
import { listEnclosingObjectNames } from '../../../core/field-path.ts';
import { groupBy, type Json, type JsonObject } from '../../../core/json.ts';
import type { JsonLogic, StateDefinition, JourneyStep, ScreenUi } from '../../../core/flow-and-screen-types.ts';
import { readFieldUi, findFieldUiText } from '../../../core/screen-ui-queries.ts';
import { listUiLinks, listParagraphs, listVisibilityRules } from '../../screen/schema-fields.ts';
import { explain, localize } from '../../sources/localized-text.ts';
import type { LintedFlow, LintInput } from '../lint-input.ts';
import {
  type LintFinding,
  type LintedField,
  checkEachFlowWith,
  checkEachTextByRulesWith,
  listScreenFields,
  createFindingAt,
  createScreenLintRule,
  createDefinitionsLintRule,
  createLocalLintRule,
} from '../lint-rule.ts';
import type { SourceLocation } from '../../sources/source-file.ts';
import { countWords, splitSentences } from '../wording/words.ts';
import { listGuardOutcomes } from '../../explore/evaluate-rules.ts';
import { AbstractAssignment } from '../../explore/abstract-assignment.ts';
import { listStateBranches } from '../../flow/flow-queries.ts';
import type { DefinitionFiles } from '../../files/read-definition-files.ts';
import { isInScreenFiles, locateUiPart } from '../../shared/locate-parts.ts';
import { indexTextsByPointer } from '../../shared/translation.ts';

const uiTwice = createScreenLintRule('ui/twice', 'W', (screen, subject) => {
  const fields = listScreenFields(screen, subject);
  const found = [...screen.uis].flatMap(([language, ui]) => {
    const labels = fields.flatMap((field) => listLabels(field, ui, language));
    return [
      ...reportDuplicates([...labels, ...listElements(subject.set, screen, ui, language)]),
      ...fields.flatMap((field) => [...findRedundantHelp(field, ui, language)]),
    ];
  });
  const byPlace = groupBy(found, ({ file, pointer }) => `${file.path} ${pointer}`); // a field with a shared label has one place for all languages
  return [...byPlace.values()].flatMap((own) => own.slice(0, 1));
});

/** Minimum number of words at which a repeated sentence is reported. */
const minSentenceWords = 4;

/** An element that users identify by its text. */
interface NamedElement {
  readonly text: string;
  /** Kind of the element. Elements of the same kind must have different texts. */
  readonly kind: string;
  /** Target or event of the element. Elements with the same target or event may have the same text. */
  readonly target?: string;
  readonly visible: readonly JsonLogic[];
  readonly place: SourceLocation;
  /** Name of a field whose label is in a shared definition. Then `place` is the field in the screen's schema. */
  readonly field?: string;
}

function reportDuplicates(all: readonly NamedElement[]): readonly LintFinding[] {
  const groups = groupBy(all, ({ kind, text }) => `${kind} ${text.trim().toLowerCase()}`);
  return [...groups.values()].flatMap(([first, ...others]) =>
    others
      .filter(
        (other) =>
          first && (first.target === undefined || first.target !== other.target) && mayBeVisibleTogether(first, other),
      )
      .map(({ place, text, kind, field }) => {
        const related = first ? [{ file: first.place.file.path, pointer: first.place.pointer }] : [];
        const report = createFindingAt({ ...place, related });
        if (kind === 'paragraph')
          return report(explain`"${text}" appears in two paragraphs at the same time.
            Keep it in one of them, or show each of them in a different case.`);
        return report(explain`"${text}" appears twice on this screen, for two different things.
          ${field === undefined ? localize`Give each one a text that describes its purpose.` : localize`Give "${field}" its own "ui:title" in ui.json.`}`);
      }),
  );
}

/** Whether two elements may be visible at the same time. */
export function mayBeVisibleTogether(
  one: Pick<NamedElement, 'visible'>,
  other: Pick<NamedElement, 'visible'>,
): boolean {
  const rules = [...one.visible, ...other.visible];
  if (one.visible.length === 0 || other.visible.length === 0) return true;
  const form = { schema: { type: 'object' } as JsonObject, optional: false };
  const assignment = new AbstractAssignment({ roots: new Map([['form', form]]) });
  return listGuardOutcomes({ and: rules }, assignment).some(({ holds }) => holds);
}

/** Reports help texts and placeholders that only repeat the label. */
function* findRedundantHelp({ name, locateUi }: LintedField, ui: ScreenUi, language: string): Iterable<LintFinding> {
  const title = findFieldUiText(ui, name, 'ui:title');
  for (const key of ['ui:help', 'ui:placeholder'] as const)
    if (title !== undefined && title === findFieldUiText(ui, name, key))
      yield createFindingAt(locateUi(key, language))(explain`This repeats the label.
        Add information that the label does not give, or remove it.`);
}

function listLabels(field: LintedField, ui: ScreenUi, language: string): readonly NamedElement[] {
  const { name, schema, locateUi, screen, file, pointer } = field;
  const text = findFieldUiText(ui, name, 'ui:title');
  const [place, choicesAt] = [locateUi('ui:title', language), locateUi('ui:enumNames', language)];
  if (text === undefined || findFieldUiText(ui, name, 'ui:widget') === 'hidden') return [];
  const section = ui.sections?.findIndex(({ fields }) => fields.includes(name.split('.')[0] ?? '')) ?? -1;
  const names = readFieldUi(ui, name)['ui:enumNames'];
  const choices = Array.isArray(names) && Array.isArray(schema.enum) ? (names as readonly string[]) : [];
  const kind = `label ${listEnclosingObjectNames(name).at(-1) ?? ''} ${section}`;
  return [
    {
      ...{ text, kind, visible: listVisibilityRules(ui, name) },
      ...(isInScreenFiles(screen, place) ? { place } : { place: { file, pointer }, field: name }),
    },
    ...choices.map((choice, index) => {
      const at = { ...choicesAt, pointer: `${choicesAt.pointer}/${index}` };
      return { text: choice, kind: `choice ${name}`, visible: [], place: at };
    }),
  ];
}

function* listElements(
  set: DefinitionFiles,
  screen: CheckedScreen,
  ui: ScreenUi,
  language: string,
): Iterable<NamedElement> {
  const name = (kind: string, pointer: string, text: string, rule?: JsonLogic, target?: string): NamedElement => ({
    text,
    kind,
    visible: rule === undefined ? [] : [rule],
    place: locateUiPart(set, screen, language, pointer),
    ...(target !== undefined && { target }),
  });
  for (const [index, { text, event, visible }] of (ui.actions ?? []).entries())
    yield name('press', `/actions/${index}/text`, text, visible, event);
  const links = listUiLinks(ui).filter(([pointer]) => !pointer.startsWith('/notices/'));
  const isOfField = ([pointer]: (typeof links)[number]) => pointer.startsWith('/fields/');
  for (const link of [...links.filter((one) => !isOfField(one)), ...links.filter(isOfField)]) {
    const [pointer, { text, to, event = to, visible }] = link;
    yield name('press', `${pointer}/text`, text, visible, event);
  }
  for (const [index, { text, visible }] of listParagraphs(ui.intro).entries()) {
    const [first = ''] = splitSentences(text);
    if (countWords(first) >= minSentenceWords) yield name('paragraph', `/intro/${index}/text`, first, visible);
  }
  for (const [id, { text }] of Object.entries(ui.notices ?? {})) {
    const pointer = `/notices/${escapePointer(id)}/text`;
    const isOwn = findByPointer(screen.files.ui.value, pointer) !== undefined; // if false, the notice is from `_shared/notices.json`
    if (isOwn) yield name('notice', pointer, text);
  }
  for (const [index, { title, visible }] of (ui.sections ?? []).entries())
    yield name('section', `/sections/${index}/title`, title, visible);
  for (const [index, { title, visible }] of (ui.aside?.parts ?? []).entries())
    if (title !== undefined) yield name('aside', `/aside/parts/${index}/title`, title, visible);
}

const sameStepNames = checkEachFlowWith(function* ({ flow }, { screens, set }) {
  for (const journey of flow.progress ?? []) {
    const shown = new Set(journey.map(({ state }) => flow.states[state]?.screen ?? ''));
    const all = [...shown].flatMap((id) => {
      const screen = screens.get(id);
      return [...(screen?.uis ?? [])].map(([language, { step, title }]) => {
        return { screen, id, language, name: step ?? String(title), at: step === undefined ? '/title' : '/step' };
      });
    });
    for (const [index, { screen, language, name, at }] of all.entries()) {
      const first = all.slice(0, index).find((one) => one.language === language && one.name === name);
      if (first && screen)
        yield createFindingAt(locateUiPart(set, screen, language, at))(explain`
          The progress bar shows two steps called "${name}": this one, and that of the screen "${first.id}".
          Give this step its own name in "step".`);
    }
  }
});

const sameScreenTitles = checkEachFlowWith(function* ({ flow }, { screens, set }) {
  const comparedPairs = new Set<string>();
  for (const state of Object.values(flow.states)) {
    const screen = screens.get(state.screen ?? '');
    for (const id of screen ? listNextScreens(state, flow.states) : []) {
      const next = screens.get(id);
      const pair = [screen?.id, id].sort().join(' ');
      if (!screen || !next || next === screen || comparedPairs.has(pair)) continue;
      comparedPairs.add(pair);
      yield* findSameTitles(set, screen, next);
    }
  }
});

/** Whether two files have almost the same texts, names and addresses. */
function haveSameStrings(one: Json, other: Json): boolean {
  const list = (file: Json) => [...walkJson(file)].flatMap(([, part]) => (typeof part === 'string' ? part : []));
  const [strings, others] = [new Set(list(one)), new Set(list(other))];
  const common = [...strings].filter((text) => others.has(text)).length;
  return common / Math.max(strings.size, others.size) >= minCopied.shareOfStrings;
}

/** Share of common texts from which a screen with the same title is a copy, and the minimum number of texts. */
const minCopied = { share: 0.75, shareOfStrings: 0.95, texts: 3 } as const;

/**
 * Reports screens of a flow that have the title and almost all texts of an earlier one, from which they were copied. Also reports screens of
 * different flows with almost the same `ui.json`.
 */
const uiCopy = createDefinitionsLintRule('ui/copy', 'W', function* ({ flows, screens, set }) {
  const flowsByScreen = new Map(
    [...screens.keys()].map((id) => {
      const showing = flows.filter(({ flow }) => Object.values(flow.states).some(({ screen }) => screen === id));
      return [id, showing.map(({ flow }) => flow.id)];
    }),
  );
  for (const same of groupBy(screens.values(), ({ ui }) => JSON.stringify(ui.title)).values()) {
    const all = (same.length > 1 ? same : [])
      .map((screen) => ({ screen, texts: new Set(indexTextsByPointer(screen.files.ui.value).values()) }))
      .filter(({ texts }) => texts.size >= minCopied.texts);
    for (const [index, { screen, texts }] of all.entries()) {
      const source = all.slice(0, index).find((other) => {
        const common = [...texts].filter((text) => other.texts.has(text)).length;
        const ofOther = flowsByScreen.get(other.screen.id) ?? [];
        const sharesFlow = flowsByScreen.get(screen.id)?.some((id) => ofOther.includes(id)) === true;
        return sharesFlow
          ? common / Math.max(texts.size, other.texts.size) >= minCopied.share
          : haveSameStrings(screen.files.ui.value, other.screen.files.ui.value);
      });
      if (source)
        yield createFindingAt({
          ...locateUiPart(set, screen, set.baseLanguage, '/title'),
          related: [{ file: source.screen.files.ui.path, pointer: '/title' }],
        })(explain`
          This screen and "${source.screen.id}" have the same title and texts: one of them is a copy.
          Write the copy's own title and texts, or show one screen in both places.`);
    }
  }
});

const uiSteps = createLocalLintRule('ui/steps', 'W', sameStepNames, sameScreenTitles);

/** Returns the screens that may be rendered next. Skips states without a screen. */
function listNextScreens(state: StateDefinition, states: LintedFlow['flow']['states']): ReadonlySet<string> {
  const found = new Set<string>();
  const visited = new Set<StateDefinition>([state]);
  for (const one of visited) {
    if (one !== state && (one.screen ?? one.block) !== undefined) {
      if (one.screen !== undefined) found.add(one.screen);
      continue;
    }
    for (const { target } of listStateBranches(one)) {
      const next = states[target ?? ''];
      if (next) visited.add(next);
    }
  }
  return found;
}

function* findSameTitles(set: DefinitionFiles, screen: CheckedScreen, next: CheckedScreen): Iterable<LintFinding> {
  for (const [language, ui] of next.uis)
    for (const { text, visible, at } of listTitles(ui.title)) {
      const twin = listTitles(screen.uis.get(language)?.title ?? []).find((one) => one.text === text);
      if (twin && mayBeVisibleTogether({ visible }, twin))
        yield createFindingAt(locateUiPart(set, next, language, at))(explain`
          "${text}" is also the title of the previous screen, "${screen.id}": people may not notice the change.
          Give each of the two screens a title that describes its purpose.`);
    }
}

function listTitles(title: CheckedScreen['ui']['title']) {
  return typeof title === 'string'
    ? [{ text: title, visible: [], at: '/title' }]
    : title.map(({ text, visible }, index) => ({
        text,
        visible: visible === undefined ? [] : [visible],
        at: `/title/${index}/text`,
      }));
}

/** Reports texts that mention a step that the journey does not have, such as "paso 4" of three, or a wrong number of steps. */
export const reportWrongStepMentions = checkEachTextByRulesWith(
  'text/number',
  listStepPositions,
  ({ steps = [] }, positions) => {
    if (steps.length === 0) return null;
    const stepMention = new RegExp(
      String.raw`(?<!\p{L})(?:${steps.join('|')}) (\d+)(?:\s*(?:de|/)\s*(\d+))?(?!\d)`,
      'giu',
    );
    return function* ({ file, pointer, text, origin }) {
      const places = positions[origin.file.path] ?? [];
      const [first] = places;
      for (const [said, number, of] of first ? text.matchAll(stepMention) : []) {
        const isRight = places.some(({ journey, index }) => {
          const least = journey.filter(isUnconditional).length;
          if (of === undefined) return Number(number) >= 1 && Number(number) <= journey.length;
          const isCount = Number(of) >= least && Number(of) <= journey.length;
          const before = journey.slice(0, index);
          return isCount && Number(number) > before.filter(isUnconditional).length && Number(number) <= index + 1;
        });
        if (first && !isRight)
          yield createFindingAt({ file, pointer })(explain`
          "${said}" is wrong: this journey has ${first.journey.length} steps, and this screen is number ${first.index + 1}.
          Write the number of the step or, better, its name. The progress bar numbers the steps itself.`);
      }
    };
  },
);

type StepPositions = Readonly<Record<string, ReturnType<typeof listPositions>>>;

/** Returns the positions of each screen in journeys, by the path of its ui. */
function listStepPositions({ screens, flows }: LintInput): StepPositions {
  const all = [...screens.values()].map(({ id, files }) => [files.ui.path, listPositions(id, flows)] as const);
  return Object.fromEntries(all.filter(([, positions]) => positions.length > 0));
}

function listPositions(screen: string, flows: readonly LintedFlow[]) {
  return flows.flatMap(({ flow }) =>
    (flow.progress ?? []).flatMap((journey) =>
      journey.flatMap(({ state }, index) => (flow.states[state]?.screen === screen ? [{ journey, index }] : [])),
    ),
  );
}

function isUnconditional({ guard }: JourneyStep): boolean {
  return guard === undefined;
}

export const repeatedTextLintRules = [uiTwice, uiSteps, uiCopy];
