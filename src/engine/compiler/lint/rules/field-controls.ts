import type { Ui } from '../../../core/definition.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';
import { defaultWidget, ownWidgets, type OwnWidget } from '../../../core/widgets.ts';
import { readFieldUi, uiText } from '../../../core/ui.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { isList } from '../../screen/fields-of-schema.ts';
import { buildUiPointer } from '../../screen/fields-of-ui.ts';
import { guess } from '../../sources/suggest-name.ts';
import { type Explanation, explain } from '../../sources/say.ts';
import { fieldRule, reportAt } from '../rule.ts';
import { createCleaner } from '../../../core/cleaning/clean-value.ts';
import { generateSamples } from '../../sources/patterns.ts';

/** Reports conflicts between the rules of a field and its control: input transformations, keyboards, counters and examples. */
export const ruleTyping = fieldRule('rule/typing', 'W', function* ({ name, schema, screen, locateUi }) {
  if (schema.type !== 'string') return;
  const samples = generateSamples(String(schema.pattern ?? '')).filter((text) => fits(schema, text) !== 'pattern');
  for (const [key, fault] of checkOptions(schema, screen.ui, name, samples)) yield reportAt(locateUi(key))(fault);
  for (const [language, ui] of screen.uis) {
    const fault = checkExample(schema, ui, name);
    if (fault) yield reportAt(locateUi('ui:placeholder', language))(fault);
  }
});

/** A problem, with its key in the field's ui. */
type Fault = readonly [key: string, problem: Explanation];

function* checkOptions(rules: JsonObject, ui: Ui, field: string, samples: readonly string[]): Iterable<Fault> {
  const options = readFieldUi(ui, field)['ui:options'];
  if (!isObject(options)) return;
  const { transform, inputMode } = options;
  const change = createCleaner(ui, { name: field, schema: rules, secret: rules.writeOnly === true });
  const changed = samples.map((text) => String(change(text)));
  if (transform !== undefined && changed.length > 0 && changed.every((text) => fits(rules, text) === 'pattern')) {
    const problem = explain`"${String(transform)}" makes of what is typed what the pattern refuses: ${changed[0] ?? ''}.
      Remove "transform", or write the pattern for what it makes.`;
    yield ['ui:options/transform', problem];
  }
  const example = listExampleWords(uiText(ui, field, 'ui:placeholder')).find((word) => fits(rules, word) === null);
  const letters = [...samples, example].find((text) => text !== undefined && /\p{L}/u.test(text));
  if (inputMode === 'numeric' && letters !== undefined) {
    const problem = explain`A phone shows digits alone here, and the field takes letters: ${letters}.
      Remove "inputMode".`;
    yield ['ui:options/inputMode', problem];
  }
  const { accept } = options;
  const kinds = typeof accept === 'string' ? accept.split(',').map((kind) => kind.trim()) : [];
  const wrong = kinds.find((kind) => !/^(?:\.[\w.-]+|[\w.+-]+\/[\w.+*-]+)$/.test(kind));
  if (wrong !== undefined) {
    const problem = explain`"accept" names "${wrong}", which is no kind of file: none can be chosen by it.
      Write endings with their point, or media types: ".pdf,image/png".`;
    yield ['ui:options/accept', problem];
  }
  for (const option of ['counter', 'limitTyping'].filter(
    (one) => options[one] === true && rules.maxLength === undefined,
  )) {
    const problem = explain`"${option}" counts up to "maxLength", which the field has not.
      Add "maxLength" to schema.json, or remove "${option}".`;
    yield [`ui:options/${option}`, problem];
  }
}

/** Checks the placeholder. Only a pattern is specific enough to check an example against it. */
function checkExample(rules: JsonObject, ui: Ui, field: string): Explanation | null {
  const placeholder = uiText(ui, field, 'ui:placeholder');
  const isEmail = uiText(ui, field, 'ui:widget') === 'email' || rules.format === 'email';
  if (isEmail && placeholder !== undefined && /\d/.test(placeholder) && !placeholder.includes('@'))
    return refuse(placeholder, 'email');
  const words = listExampleWords(placeholder);
  if (typeof rules.pattern !== 'string' || words.length === 0 || words.some((word) => fits(rules, word) === null))
    return null;
  const example = words.at(-1) ?? '';
  return refuse(example, fits(rules, example) ?? '');
}

function refuse(example: string, rule: string): Explanation {
  return explain`The example "${example}" is refused by the rules of its field ("${rule}").
    Write an example that the field takes.`;
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
export const ruleDraw = fieldRule('rule/draw', 'E', ({ name, schema, screen }) => {
  const { ui } = screen;
  const file = screen.files.ui;
  const widget = uiText(ui, name, 'ui:widget') ?? defaultWidget(schema);
  const isComputed = isObject(screen.schema?.computed) && Object.hasOwn(screen.schema.computed, name);
  if ((!isOwn(widget) && !isComputed) || isList(schema)) return null;
  const own = readFieldUi(file.value as unknown as Ui, name); // shared definitions serve fields with various widgets
  const options = isObject(own['ui:options']) ? own['ui:options'] : {};
  const known = isComputed ? ofComputed : [...always, ...(isOwn(widget) ? heeded[widget] : [])];
  return [
    ...Object.keys(own).map((word) => [word, escapePointer(word)] as const),
    ...Object.keys(options).map((option) => [option, `ui:options/${escapePointer(option)}`] as const),
  ]
    .filter(([word]) => !known.includes(word))
    .map(([word, place]) => {
      const report = reportAt({ file, pointer: `${buildUiPointer(name)}/${place}` });
      if (isComputed)
        return report(explain`What is computed does not heed "${word}".
          Remove it.`);
      return report(explain`The widget "${widget}" does not heed "${word}".
        ${guess(word, known)}Remove it, or choose another widget.`);
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

const common = ['ui:title', 'ui:help', 'ui:links', 'ui:options', 'copy', 'width'];
const always = [...common, 'ui:widget', 'ui:readonly', 'ui:disabled'];
const ofComputed = [...common, 'ui:enumNames'];

function isOwn(widget: string): widget is OwnWidget {
  return Object.hasOwn(ownWidgets, widget);
}
