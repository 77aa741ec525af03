import type { ScreenUi } from '../../../core/flow-and-screen-types.ts';
import { isObject, type JsonObject, groupBy } from '../../../core/json.ts';
import { selectDefaultWidget, builtInWidgets, type BuiltInWidget } from '../../../core/built-in-widgets.ts';
import { readFieldUi, findFieldUiText, listFieldLinks } from '../../../core/screen-ui-queries.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { isListSchema, listAllFields, listRequiredProperties } from '../../screen/schema-fields.ts';
import { suggestSimilarName, type ProblemExplanation, explain, localize } from '../../sources/localized-text.ts';
import {
  createFieldLintRule,
  createFindingAt,
  checkEachFieldWith,
  checkEachScreenWith,
  checkEachStateWith,
  createDefinitionsLintRule,
  createLocalLintRule,
  type LintFinding,
  type LintedField,
} from '../lint-rule.ts';
import { createCleaner } from '../../../core/cleaning/create-cleaner.ts';
import { generatePatternSamples } from '../../sources/regexp-analysis.ts';
import type { CheckedScreen } from '../../intermediate-representation.ts';
import type { LintInput } from '../lint-input.ts';
import { mayBeVisibleTogether } from './repeated-texts.ts';
import { findRejectedExamples, listExampleWords } from './texts/examples.ts';
import { listNormalizedWords } from '../wording/words.ts';
import { locateUiPart } from '../../shared/locate-parts.ts';
import { buildUiPointer } from '../../../core/field-path.ts';

const uiConsentLink = createFieldLintRule('ui/consent-link', 'W', (field, subject) => {
  const { name, screen } = field;
  const file = screen.files.ui;
  if (!isConsentField(field, subject)) return null;
  const links = listFieldLinks(readFieldUi(screen.ui, name));
  if (links.length === 0)
    return createFindingAt({ file, pointer: buildUiPointer(name) })(explain`
      "${name}" asks people to agree to a text that they cannot read here.
      Add "ui:links" to the text: [{ "to": "/…", "text": "…" }].`);
  const longWords = (words: string) => listNormalizedWords(words).filter((word) => word.length > 3);
  return links.flatMap(({ to = '', text }, index) => {
    const [said, named] = [longWords(text), longWords(to.replaceAll(/[/_-]/g, ' '))];
    // a single word, such as "Leer", is too short to name the target page
    if (!to.startsWith('/') || said.length < 2 || named.some((word) => said.includes(word))) return [];
    return createFindingAt({ file, pointer: `${buildUiPointer(name)}/ui:links/${index}/to` })(explain`
      "${text}" links to ${to}, which does not look like the text that people agree to.
      Write the address of the page that the text names.`);
  });
});

/** Whether a field is a checkbox whose label begins with a word of consent. */
function isConsentField({ name, schema, screen }: LintedField, { contract, set }: LintInput): boolean {
  const beginnings = (contract.wording?.[set.baseLanguage]?.consent ?? []).map(listNormalizedWords);
  const label = listNormalizedWords(findFieldUiText(screen.ui, name, 'ui:title') ?? '');
  return schema.type === 'boolean' && beginnings.some((words) => words.every((word, at) => label[at] === word));
}

const requiredBoxes = checkEachFieldWith((field, subject) => {
  const { name, schema, needed, screen, file, locate } = field;
  if (!isConsentField(field, subject)) return null;
  if (schema.const !== true) {
    const place = locate('type');
    return createFindingAt({ ...place, pointer: place.pointer.replace(/[^/]*$/, 'const'), value: true })(explain`
      "${name}" asks people to agree, but does not require it.
      Write "const": true: the box must be ticked.`);
  }
  if (needed) return null;
  const own = { pointer: '/required', value: [...listRequiredProperties(screen.schema ?? {}), name] };
  return createFindingAt({ file, ...(name.includes('.') ? { pointer: field.pointer } : own) })(explain`
    "${name}" asks people to agree, but is optional.
    Name it in "required".`);
});

const prefilledBoxes = checkEachStateWith(({ state: { prefill = {} }, screen, locate }) => {
  const names = listAllFields(screen?.schema ?? {}).flatMap(([name, field]) => (field.const === true ? [name] : []));
  return Object.keys(prefill)
    .filter((name) => names.includes(name) && prefill[name] !== false)
    .map((name) =>
      createFindingAt({ ...locate('prefill', name), remove: true })(explain`
        "${name}" must be ticked by the reader, but is ticked in advance.
        Remove it from "prefill".`),
    );
});

const uiConsent = createLocalLintRule('ui/consent', 'E', requiredBoxes, prefilledBoxes);

/** Minimum number of other screens that use the same text for an event. */
const minUses = 2;
const oppositeEvents = { submit: 'back', back: 'submit' } as const;

function findExchangedButtons({ screens, set }: LintInput): readonly LintFinding[] {
  return set.languages.flatMap((language) => {
    const all = [...screens.values()].flatMap((screen) =>
      (screen.uis.get(language)?.actions ?? []).map(({ event, text }, index) => ({ event, text, index, screen })),
    );
    const byText = groupBy(all, ({ text }) => text);
    const found = all.flatMap(({ event, text, index, screen }) => {
      const other = event === 'submit' || event === 'back' ? oppositeEvents[event] : undefined;
      const elsewhere = (byText.get(text) ?? []).filter((one) => one.screen !== screen);
      const saysOther = elsewhere.filter((one) => one.event === other).length >= minUses;
      const place = locateUiPart(set, screen, language, `/actions/${index}/text`);
      if (other === undefined || !saysOther || elsewhere.some((one) => one.event === event)) return [];
      return [{ event, other, text, place, screen }];
    });
    return [...groupBy(found, ({ screen }) => screen.id).values()].flatMap((own) => {
      const [first, second] = own;
      if (own.length === 2 && first && second?.event === first.other)
        return createFindingAt(first.place)(explain`"${first.text}" and "${second.text}" are swapped.
          Swap them.`);
      return own.map(({ event, other, text, place }) =>
        createFindingAt(place)(explain`"${text}" is the text of "${other}" on other screens, but of "${event}" here.
          Write a text that says what the button does.`),
      );
    });
  });
}

function listButtons({ ui }: CheckedScreen) {
  return (ui.actions ?? []).map(({ visible, ...own }, index) => {
    return { ...own, index, visible: visible === undefined ? [] : [visible] };
  });
}

const severalPrimaryButtons = checkEachScreenWith((screen) => {
  const main = listButtons(screen).filter(({ primary }) => primary === true);
  return main.flatMap((one, place) => {
    const other = main
      .slice(0, place)
      .some((before) => before.event !== one.event && mayBeVisibleTogether(before, one));
    if (!other && one.danger !== true) return [];
    return createFindingAt({ file: screen.files.ui, pointer: `/actions/${one.index}/primary`, remove: true })({
      message: other
        ? localize`Two buttons of this screen are primary.`
        : localize`A button cannot have both "primary" and "danger".`,
      hint: localize`Remove "primary" here.`,
    });
  });
});

/** Reports a primary or warning button that goes back, a form without a primary button, and two buttons with the same event. */
const misplacedButtons = checkEachScreenWith(function* (screen) {
  const buttons = listButtons(screen);
  const report = (pointer: string) => createFindingAt({ file: screen.files.ui, pointer: `/actions/${pointer}` });
  const submit = buttons.find(({ event, danger }) => event === 'submit' && danger !== true);
  const [first, ...others] = buttons.filter(({ primary }) => primary === true);
  const isForm = Object.keys((screen.schema?.['properties'] ?? {}) as object).length > 0;
  if (first?.event === 'back' && others.length === 0 && submit && mayBeVisibleTogether(first, submit))
    yield report(`${first.index}/primary`)(explain`The main button of this screen goes back.
      Write "primary" on the button that continues.`);
  if (isForm && submit && !first)
    yield report(`${submit.index}/event`)(explain`No button of this form is the main one.
      Write "primary": true on the button that sends it.`);
  for (const [place, one] of buttons.entries())
    if (one.event === 'back' && one.danger === true)
      yield report(`${one.index}/danger`)(explain`Going back changes nothing, but this button has "danger".
        Remove "danger".`);
    else {
      const same = buttons.slice(0, place).filter(({ event }) => event === one.event);
      const other = same.find((before) => mayBeVisibleTogether(before, one));
      if (other) yield report(`${one.index}/event`)(explainSameEvent(other, one));
    }
});

type Button = ReturnType<typeof listButtons>[number];

function explainSameEvent(one: Button, other: Button): ProblemExplanation {
  const message = localize`Two buttons raise "${other.event}".`;
  return one.visible.length > 0 && other.visible.length > 0
    ? { message, hint: localize`Both may be visible at once: correct one "visible", or give each an event of its own.` }
    : { message, hint: localize`Give each an event of its own, or remove one.` };
}

const uiButtons = createDefinitionsLintRule(
  'ui/buttons',
  'W',
  findExchangedButtons,
  severalPrimaryButtons,
  misplacedButtons,
);

const unsuitableOptions = checkEachFieldWith(function* ({ name, schema, screen, locateUi }) {
  if (schema.type !== 'string') return;
  const samples = generatePatternSamples(String(schema.pattern ?? '')).filter(
    (text) => findRefusingKeyword(schema, text) !== 'pattern',
  );
  for (const [key, fault] of checkOptions(schema, screen.ui, name, samples))
    yield createFindingAt(locateUi(key))(fault);
});

const ruleTyping = createLocalLintRule('rule/typing', 'W', unsuitableOptions, checkEachFieldWith(findRejectedExamples));

/** A problem, and the key of the field's ui at which it is reported. */
type Fault = readonly [key: string, problem: ProblemExplanation];

function* checkOptions(rules: JsonObject, ui: ScreenUi, field: string, samples: readonly string[]): Iterable<Fault> {
  const options = readFieldUi(ui, field)['ui:options'];
  if (!isObject(options)) return;
  const { transform, inputMode } = options;
  const change = createCleaner(ui, { name: field, schema: rules, secret: rules.writeOnly === true });
  const changed = samples.map((text) => String(change(text)));
  if (
    transform !== undefined &&
    changed.length > 0 &&
    changed.every((text) => findRefusingKeyword(rules, text) === 'pattern')
  ) {
    const problem = explain`"${String(transform)}" changes the input to a value that "pattern" rejects: ${changed[0] ?? ''}.
      Remove "transform", or write the pattern for the transformed value.`;
    yield ['ui:options/transform', problem];
  }
  const example = listExampleWords(findFieldUiText(ui, field, 'ui:placeholder')).find(
    (word) => findRefusingKeyword(rules, word) === null,
  );
  const letters = [...samples, example].find((text) => text !== undefined && /\p{L}/u.test(text));
  if (inputMode === 'numeric' && letters !== undefined) {
    const problem = explain`Phones show only digits here, but the field accepts letters: ${letters}.
      Remove "inputMode".`;
    yield ['ui:options/inputMode', problem];
  }
  const { accept } = options;
  const kinds = typeof accept === 'string' ? accept.split(',').map((kind) => kind.trim()) : [];
  const wrong = kinds.find((kind) => !/^(?:\.[\w.-]+|[\w.+-]+\/[\w.+*-]+)$/.test(kind));
  if (wrong !== undefined) {
    const problem = explain`"accept" contains "${wrong}", which is not a file type: it matches no file.
      Write file extensions with a dot, or media types: ".pdf,image/png".`;
    yield ['ui:options/accept', problem];
  }
  for (const option of ['counter', 'limitTyping'].filter(
    (one) => options[one] === true && rules.maxLength === undefined,
  )) {
    const problem = explain`"${option}" counts up to "maxLength", which the field does not have.
      Add "maxLength" to schema.json, or remove "${option}".`;
    yield [`ui:options/${option}`, problem];
  }
}

/** Returns the keyword that rejects a text, or `null` if the text is valid. */
function findRefusingKeyword(
  { pattern, minLength = 0, maxLength = Infinity }: JsonObject,
  text: string,
): string | null {
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(text)) return 'pattern';
  if (text.length > Number(maxLength)) return 'maxLength';
  return text.length < Number(minLength) ? 'minLength' : null;
}

const ruleDraw = createFieldLintRule('rule/draw', 'E', ({ name, schema, screen }) => {
  const { ui } = screen;
  const file = screen.files.ui;
  const widget = findFieldUiText(ui, name, 'ui:widget') ?? selectDefaultWidget(schema);
  const isComputed = isObject(screen.schema?.computed) && Object.hasOwn(screen.schema.computed, name);
  if ((!isBuiltInWidget(widget) && !isComputed) || isListSchema(schema)) return null;
  const own = readFieldUi(file.value as unknown as ScreenUi, name); // cast: ui.json was validated. Ignores presets, because fields with different widgets may share a preset
  const options = isObject(own['ui:options']) ? own['ui:options'] : {};
  const known = isComputed
    ? computedKeywords
    : [...universalKeywords, ...(isBuiltInWidget(widget) ? supportedWidgetKeywords[widget] : [])];
  return [
    ...Object.keys(own).map((word) => [word, escapePointer(word)] as const),
    ...Object.keys(options).map((option) => [option, `ui:options/${escapePointer(option)}`] as const),
  ]
    .filter(([word]) => !known.includes(word))
    .map(([word, place]) => {
      const report = createFindingAt({ file, pointer: `${buildUiPointer(name)}/${place}` });
      if (isComputed)
        return report(explain`A computed value ignores "${word}".
          Remove it.`);
      return report(explain`The widget "${widget}" ignores "${word}".
        ${suggestSimilarName(word, known)}Remove it, or choose another widget.`);
    });
});

/** Keywords that each built-in widget supports, in addition to `universalKeywords`. Plugin widgets are not checked. */
export const supportedWidgetKeywords: Readonly<Record<BuiltInWidget, readonly string[]>> = {
  text: ['ui:placeholder', 'ui:autocomplete', 'transform', 'inputMode', 'limitTyping'],
  email: ['ui:placeholder', 'ui:autocomplete', 'transform', 'limitTyping'],
  tel: ['ui:placeholder', 'ui:autocomplete', 'transform', 'inputMode', 'limitTyping'],
  textarea: ['ui:placeholder', 'ui:autocomplete', 'transform', 'rows', 'counter'],
  date: ['ui:autocomplete'],
  'date-time': [],
  number: ['ui:placeholder', 'ui:autocomplete'],
  checkbox: [],
  select: ['ui:placeholder', 'ui:autocomplete', 'ui:enumNames', 'source', 'params', 'fresh'],
  radio: ['ui:enumNames'],
  checkboxes: ['ui:enumNames'],
  hidden: ['ui:autocomplete'],
};

const commonKeywords = ['ui:title', 'ui:help', 'ui:links', 'ui:options', 'copy', 'width'];
const universalKeywords = [...commonKeywords, 'check', 'ui:widget', 'ui:readonly', 'ui:disabled'];
const computedKeywords = [...commonKeywords, 'ui:enumNames'];

function isBuiltInWidget(widget: string): widget is BuiltInWidget {
  return Object.hasOwn(builtInWidgets, widget);
}

export const fieldControlLintRules = [uiConsent, uiConsentLink, uiButtons, ruleDraw, ruleTyping];
