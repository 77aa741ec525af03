import type { Ui } from '../../../core/definition.ts';
import { isObject } from '../../../core/json.ts';
import { defaultWidget, ownWidgets, type OwnWidget } from '../../../core/widgets.ts';
import { uiOf, uiText } from '../../../core/ui.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { everyFieldOf, isList } from '../../screen/fields-of-schema.ts';
import { pointerOfUi } from '../../screen/fields-of-ui.ts';
import { guess } from '../../sources/near.ts';
import { say } from '../../sources/say.ts';
import { type Finding, screenRule } from '../subject.ts';

/** Reports keywords in ui.json that the widget of the field ignores. */
export const ruleDraw = screenRule('rule/draw', 'E', ({ schema, ui, files }) => {
  const file = files.ui;
  if (!schema || !file) return [];
  const computed = isObject(schema.computed) ? schema.computed : {};
  return everyFieldOf(schema).flatMap(([name, field]): readonly Finding[] => {
    const widget = uiText(ui, name, 'ui:widget') ?? defaultWidget(field);
    const isComputed = Object.hasOwn(computed, name);
    if ((!isOwn(widget) && !isComputed) || isList(field)) return [];
    const own = uiOf(file.value as unknown as Ui, name); // shared definitions serve fields with various widgets
    const options = isObject(own['ui:options']) ? own['ui:options'] : {};
    const known = isComputed ? ofComputed : [...always, ...(isOwn(widget) ? heeded[widget] : [])];
    return [
      ...Object.keys(own).map((word) => [word, escapePointer(word)] as const),
      ...Object.keys(options).map((option) => [option, `ui:options/${escapePointer(option)}`] as const),
    ]
      .filter(([word]) => !known.includes(word))
      .map(([word, place]) => ({
        file,
        pointer: `${pointerOfUi(name)}/${place}`,
        message: isComputed
          ? say`What is computed does not heed "${word}".`
          : say`The widget "${widget}" does not heed "${word}".`,
        hint: isComputed ? say`Remove it.` : say`${guess(word, known)}Remove it, or choose another widget.`,
      }));
  });
});

/** Keywords that each built-in widget supports, beside those in `always`. Plugin widgets are not checked. */
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
