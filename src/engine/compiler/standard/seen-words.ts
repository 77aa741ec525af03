import type { Paragraph, Ui } from '../../core/definition.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { isGroup, isList, ownPropertiesOf, requiredOf } from '../screen/fields-of-schema.ts';

/** A schema, and what is seen of it. */
export interface SeenSchema {
  readonly schema: JsonObject;
  readonly ui: Ui;
}

/** What schemas are said with. */
export interface SeenWords {
  /** Texts of the schema are seen, since the set has one language: only ui.json is translated. */
  readonly named: boolean;
  /** The catalogue of messages. */
  readonly messages: Readonly<Record<string, string>>;
  /** Whether a widget of that name is there, beside the engine's own. */
  readonly isWidget: (name: string) => boolean;
  /** Choices between alternatives that the schema has not as fields. */
  readonly choices: readonly string[];
}

/** A field, or an object of fields, and what is seen of it. */
type Seen = readonly [field: JsonObject, ui: JsonObject];

/**
 * Puts into ui.json's words what a schema says of what is seen: texts and examples of a set in one language, "readOnly", a yes and a no that are
 * chosen, and fields of the type "null", which are texts. What ui.json says wins.
 */
export function seenSchema(schema: JsonObject, ui: Ui, words: SeenWords): SeenSchema {
  const read = withoutNull(schema, ui, words);
  const [own, shown] = inside(read.schema, (read.ui.fields ?? {}) as JsonObject, words); // ui.json passed its format
  const fields = { ...shown, ...titledChoices(shown, words) };
  return {
    schema: own,
    ui: Object.keys(fields).length === 0 ? read.ui : { ...read.ui, fields: fields as NonNullable<Ui['fields']> },
  };
}

function titledChoices(ui: JsonObject, { choices, messages: { alternatives: title } }: SeenWords): JsonObject {
  if (title === undefined) return {};
  return Object.fromEntries(choices.map((name) => [name, { 'ui:title': title, ...partOf(ui, name) }]));
}

function inside(schema: JsonObject, ui: JsonObject, words: SeenWords): Seen {
  if (!isObject(schema.properties)) return [schema, ui];
  const fields = Object.entries(ownPropertiesOf(schema)).map(([name, field]) => {
    return [name, seen(field, partOf(ui, name), words)] as const;
  });
  const uis = fields.flatMap(([name, [, own]]) => (Object.keys(own).length > 0 ? [[name, own] as const] : []));
  const properties = Object.fromEntries(fields.map(([name, [field]]) => [name, field]));
  return [
    { ...schema, properties },
    { ...ui, ...Object.fromEntries(uis) },
  ];
}

function seen(field: JsonObject, ui: JsonObject, words: SeenWords): Seen {
  const [own, shown] = [withTexts, withReadOnly, withExamples, withYesAndNo, withWidget, withObjects].reduce<Seen>(
    (both, say) => say(...both, words),
    [field, ui],
  );
  if (isGroup(own)) return inside(own, shown, words);
  if (!isList(own)) return [own, shown];
  const [items, uiOfItems] = seen(own.items as JsonObject, partOf(shown, 'items'), words); // a list has them
  return [
    { ...own, items },
    { ...shown, items: uiOfItems },
  ];
}

function partOf(ui: JsonObject, name: string): JsonObject {
  return isObject(ui[name]) ? (ui[name] as JsonObject) : {};
}

function withTexts(field: JsonObject, ui: JsonObject, { named }: SeenWords): Seen {
  if (!named) return [field, ui];
  const { enumNames = namesOfValues(field), ...rest } = field;
  const texts = { 'ui:title': field.title, 'ui:help': field.description, 'ui:enumNames': enumNames };
  const given = Object.entries(texts).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return [rest, { ...Object.fromEntries(given), ...ui }];
}

/** The texts of choices of which nobody says more than their values, as rjsf shows them. */
function namesOfValues({ enum: own, items }: JsonObject): readonly string[] | undefined {
  const choices: unknown = own ?? (isObject(items) ? items['enum'] : undefined);
  const isPlain = (choice: unknown) => typeof choice === 'string' || typeof choice === 'number';
  return Array.isArray(choices) && choices.every(isPlain) ? choices.map(String) : undefined;
}

function withReadOnly({ readOnly, ...field }: JsonObject, ui: JsonObject): Seen {
  if (readOnly === true && isList(field)) {
    const fixed = { addable: false, removable: false, orderable: false };
    return [field, { ...ui, 'ui:options': { ...fixed, ...partOf(ui, 'ui:options') } }];
  }
  return [field, readOnly === undefined || isList(field) ? ui : { 'ui:readonly': readOnly, ...ui }];
}

// The first example stands in the empty field, where something is typed.
function withExamples(field: JsonObject, ui: JsonObject, { named }: SeenWords): Seen {
  const { examples, ...rest } = field;
  if (!named || examples === undefined) return [field, ui];
  const isTyped = ['string', 'number', 'integer'].includes(String(field.type)) && field.enum === undefined;
  const [first] = examples as readonly Json[]; // its format says so
  return [rest, isTyped && first !== undefined ? { 'ui:placeholder': String(first), ...ui } : ui];
}

/** Keys of the catalogue for a yes and a no, and for what is called a choice between alternatives: the compiler puts them in. */
export const seenKeys: readonly string[] = ['yes', 'no', 'alternatives'];

const boolean: readonly Json[] = [true, false];

// A box has no choices; a yes and a no that are chosen have two, whose texts the catalogue brings.
function withYesAndNo(field: JsonObject, ui: JsonObject, { messages: { yes, no } }: SeenWords): Seen {
  const isChosen = ['radio', 'select'].includes(String(ui['ui:widget'])) || Array.isArray(field.enum);
  if (field.type !== 'boolean' || field.const !== undefined || !isChosen) return [field, ui];
  const choices = Array.isArray(field.enum) ? field.enum : boolean;
  const names = choices.map((choice: Json) => (choice === true ? yes : no));
  return [
    { ...field, enum: choices },
    names.every((name) => name !== undefined) ? { 'ui:enumNames': names, ...ui } : ui,
  ];
}

// A file is drawn by the widget of a plugin; rjsf calls its format another name.
function withWidget(field: JsonObject, ui: JsonObject, { isWidget }: SeenWords): Seen {
  const isFile = field.format === 'file' || field.format === 'data-url';
  return isFile && isWidget('file')
    ? [
        { ...field, format: 'file' },
        { 'ui:widget': 'file', ...ui },
      ]
    : [field, ui];
}

// Its choices say that it is an object, which one that is filled in says by its type.
function withObjects(field: JsonObject, ui: JsonObject): Seen {
  const { type, ...rest } = field;
  return [type === 'object' && Array.isArray(field.enum) && !isGroup(field) ? rest : field, ui];
}

// Nothing is filled in there: what stands at the field stands below the heading.
function withoutNull(schema: JsonObject, ui: Ui, words: SeenWords): SeenSchema {
  const own = ownPropertiesOf(schema);
  const names = Object.keys(own).filter(
    (name) => own[name]?.type === 'null' && !requiredOf(schema).includes(name) && ui.visible?.[name] === undefined,
  );
  if (names.length === 0) return { schema, ui };
  const { intro = [], fields = {} } = ui;
  const texts = names.flatMap((name): readonly Paragraph[] => {
    const [, shown] = withTexts(own[name] ?? {}, partOf(fields as JsonObject, name), words);
    return [shown['ui:title'], shown['ui:help']].flatMap((text) => (typeof text === 'string' ? [{ text }] : []));
  });
  const { 'ui:order': order, ...others } = fields;
  const left = order && { 'ui:order': order.filter((name) => !names.includes(name)) };
  return {
    schema: { ...schema, properties: without(own, names) },
    ui: {
      ...ui,
      intro: [...(typeof intro === 'string' ? [{ text: intro }] : intro), ...texts],
      fields: { ...left, ...without(others, names) },
    },
  };
}

function without<Value>(
  table: Readonly<Record<string, Value>>,
  names: readonly string[],
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(table).filter(([name]) => !names.includes(name)));
}
