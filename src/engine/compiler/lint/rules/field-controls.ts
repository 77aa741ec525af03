import type { Ui } from '../../../core/definition.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';
import { defaultWidget, ownWidgets, type OwnWidget } from '../../../core/widgets.ts';
import { readFieldUi, uiText } from '../../../core/ui.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { listAllFields, isList } from '../../screen/fields-of-schema.ts';
import { buildUiPointer } from '../../screen/fields-of-ui.ts';
import { guess } from '../../sources/near.ts';
import { say } from '../../sources/say.ts';
import { type Finding, screenRule } from '../subject.ts';
import { createCleaner } from '../../../core/cleaning/clean-value.ts';
import type { Localized } from '../../localized.ts';
import { generateSamples } from '../../sources/patterns.ts';
import { locateFieldText } from '../places.ts';

/** Reports conflicts between the rules of a field and its control: input transformations, keyboards, counters and examples. */
export const ruleTyping = screenRule('rule/typing', 'W', (screen, subject) => {
  const base = subject.set.baseLanguage;
  return listAllFields(screen.schema ?? {}).flatMap(([field, rules, , pointer]): readonly Finding[] => {
    if (rules.type !== 'string') return [];
    const samples = generateSamples(String(rules.pattern ?? '')).filter((text) => fits(rules, text) !== 'pattern');
    const at = (language: string, { key, message, hint }: Fault): readonly Finding[] => {
      const place = locateFieldText(subject, screen, { field, pointer, part: 'ui', key, language });
      return place ? [{ ...place, message, hint }] : [];
    };
    return [
      ...checkOptions(rules, screen.ui, field, samples).flatMap((fault) => at(base, fault)),
      ...[...screen.uis].flatMap(([language, ui]) =>
        checkExample(rules, ui, field).flatMap((fault) => at(language, fault)),
      ),
    ];
  });
});

interface Fault {
  /** Key in the field's ui. */
  readonly key: string;
  readonly message: Localized;
  readonly hint: Localized;
}

function checkOptions(rules: JsonObject, ui: Ui, field: string, samples: readonly string[]): readonly Fault[] {
  const options = readFieldUi(ui, field)['ui:options'];
  if (!isObject(options)) return [];
  const { transform, inputMode } = options;
  const change = createCleaner(ui, { name: field, schema: rules, secret: rules.writeOnly === true });
  const found: Fault[] = [];
  if (
    samples.length > 0 &&
    transform !== undefined &&
    samples.every((text) => fits(rules, String(change(text))) === 'pattern')
  )
    found.push({
      key: 'ui:options/transform',
      message: say`"${String(transform)}" makes of what is typed what the pattern refuses: ${String(change(samples[0]))}.`,
      hint: say`Remove "transform", or write the pattern for what it makes.`,
    });
  const example = listExampleWords(uiText(ui, field, 'ui:placeholder')).find((word) => fits(rules, word) === null);
  const letters = [...samples, example].find((text) => text !== undefined && /\p{L}/u.test(text));
  if (inputMode === 'numeric' && letters !== undefined)
    found.push({
      key: 'ui:options/inputMode',
      message: say`A phone shows digits alone here, and the field takes letters: ${letters}.`,
      hint: say`Remove "inputMode".`,
    });
  const { accept } = options;
  const kinds = typeof accept === 'string' ? accept.split(',').map((kind) => kind.trim()) : [];
  const wrong = kinds.find((kind) => !/^(?:\.[\w.-]+|[\w.+-]+\/[\w.+*-]+)$/.test(kind));
  if (wrong !== undefined)
    found.push({
      key: 'ui:options/accept',
      message: say`"accept" names "${wrong}", which is no kind of file: none can be chosen by it.`,
      hint: say`Write endings with their point, or media types: ".pdf,image/png".`,
    });
  for (const option of ['counter', 'limitTyping'])
    if (options[option] === true && rules.maxLength === undefined)
      found.push({
        key: `ui:options/${option}`,
        message: say`"${option}" counts up to "maxLength", which the field has not.`,
        hint: say`Add "maxLength" to schema.json, or remove "${option}".`,
      });
  return found;
}

/** Checks the placeholder. Only a pattern is specific enough to check an example against it. */
function checkExample(rules: JsonObject, ui: Ui, field: string): readonly Fault[] {
  const placeholder = uiText(ui, field, 'ui:placeholder');
  const isEmail = uiText(ui, field, 'ui:widget') === 'email' || rules.format === 'email';
  if (isEmail && placeholder !== undefined && /\d/.test(placeholder) && !placeholder.includes('@'))
    return [refused(placeholder, 'email')];
  const words = listExampleWords(placeholder);
  if (typeof rules.pattern !== 'string' || words.length === 0 || words.some((word) => fits(rules, word) === null))
    return [];
  const example = words.at(-1) ?? '';
  return [refused(example, fits(rules, example) ?? '')];
}

function refused(example: string, rule: string): Fault {
  return {
    key: 'ui:placeholder',
    message: say`The example "${example}" is refused by the rules of its field ("${rule}").`,
    hint: say`Write an example that the field takes.`,
  };
}

/** Returns the words of a placeholder that look like example values: letters together with digits, an @ or a point. */
function listExampleWords(placeholder = ''): readonly string[] {
  return placeholder
    .split(/\s+/)
    .filter((word) => /(?=.*\p{L})(?:.*[\d@])|\p{L}\.\p{L}/u.test(word) && !/^[{(]/.test(word));
}

/** Returns the keyword that refuses a text, or `null`. */
function fits({ pattern, minLength = 0, maxLength = Infinity }: JsonObject, text: string): string | null {
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(text)) return 'pattern';
  if (text.length > Number(maxLength)) return 'maxLength';
  return text.length < Number(minLength) ? 'minLength' : null;
}

/** Reports keywords in ui.json that the widget of the field ignores. */
export const ruleDraw = screenRule('rule/draw', 'E', ({ schema, ui, files }) => {
  const file = files.ui;
  if (!schema || !file) return [];
  const computed = isObject(schema.computed) ? schema.computed : {};
  return listAllFields(schema).flatMap(([name, field]): readonly Finding[] => {
    const widget = uiText(ui, name, 'ui:widget') ?? defaultWidget(field);
    const isComputed = Object.hasOwn(computed, name);
    if ((!isOwn(widget) && !isComputed) || isList(field)) return [];
    const own = readFieldUi(file.value as unknown as Ui, name); // shared definitions serve fields with various widgets
    const options = isObject(own['ui:options']) ? own['ui:options'] : {};
    const known = isComputed ? ofComputed : [...always, ...(isOwn(widget) ? heeded[widget] : [])];
    return [
      ...Object.keys(own).map((word) => [word, escapePointer(word)] as const),
      ...Object.keys(options).map((option) => [option, `ui:options/${escapePointer(option)}`] as const),
    ]
      .filter(([word]) => !known.includes(word))
      .map(([word, place]) => ({
        file,
        pointer: `${buildUiPointer(name)}/${place}`,
        message: isComputed
          ? say`What is computed does not heed "${word}".`
          : say`The widget "${widget}" does not heed "${word}".`,
        hint: isComputed ? say`Remove it.` : say`${guess(word, known)}Remove it, or choose another widget.`,
      }));
  });
});

/** Keywords that each built-in widget supports, in addition to those in `always`. Plugin widgets are not checked. */
export const heeded: Readonly<Record<OwnWidget, readonly string[]>> = {
  text: ['ui:placeholder', 'ui:autocomplete', 'transform', 'inputMode', 'limitTyping'],
  email: ['ui:placeholder', 'ui:autocomplete', 'transform', 'limitTyping'],
  tel: ['ui:placeholder', 'ui:autocomplete', 'transform', 'inputMode', 'limitTyping'],
  textarea: ['ui:placeholder', 'ui:autocomplete', 'transform', 'rows', 'counter'],
  date: ['ui:autocomplete'],
  'date-time': [],
  number: ['ui:placeholder', 'ui:autocomplete'],
  checkbox: [],
  select: ['ui:placeholder', 'ui:autocomplete', 'ui:enumNames', 'source', 'params'],
  radio: ['ui:enumNames'],
  checkboxes: ['ui:enumNames'],
  hidden: ['ui:autocomplete'],
};

const always = [
  'ui:title',
  'ui:help',
  'ui:links',
  'ui:widget',
  'ui:options',
  'ui:readonly',
  'ui:disabled',
  'copy',
  'width',
];
const ofComputed = ['ui:title', 'ui:help', 'ui:links', 'ui:enumNames', 'ui:options', 'copy', 'width'];

function isOwn(widget: string): widget is OwnWidget {
  return Object.hasOwn(ownWidgets, widget);
}
