import type { Paragraph, ScreenUi } from '../../core/flow-and-screen-types.ts';
import { asObject, isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { ScreenSchemaAndUi } from '../intermediate-representation.ts';
import { isListSchema, readSchemaProperties, listRequiredProperties } from '../screen/schema-fields.ts';
import { isFieldGroupSchema } from '../../core/field-path.ts';

type PresentedScreen = ScreenSchemaAndUi & { readonly schema: JsonObject };

interface PresentationOptions {
  readonly named: boolean;
  readonly messages: Readonly<Record<string, string>>;
  readonly isWidget: (name: string) => boolean;
  readonly isPluginFormat: (name: string) => boolean;
  /** Names of the fields that were added to the schema to select one of several alternatives. */
  readonly choices: readonly string[];
}

type PresentedField = readonly [field: JsonObject, ui: JsonObject];

/** Moves texts, examples, "readOnly", boolean choices and "null" fields from a schema to the ui. Values in ui.json take precedence. */
export function movePresentationToUi(schema: JsonObject, ui: ScreenUi, words: PresentationOptions): PresentedScreen {
  const read = withoutNull(schema, ui, words);
  const [own, shown] = presentInnerFields(read.schema, (read.ui.fields ?? {}) as JsonObject, words); // cast: ui.json was validated against its format
  const fields = { ...shown, ...addChoiceTitles(shown, words) };
  return {
    schema: own,
    ui: Object.keys(fields).length === 0 ? read.ui : { ...read.ui, fields: fields as NonNullable<ScreenUi['fields']> },
  };
}

function addChoiceTitles(
  ui: JsonObject,
  { choices, messages: { alternatives: title } }: PresentationOptions,
): JsonObject {
  if (title === undefined) return {};
  return Object.fromEntries(choices.map((name) => [name, { 'ui:title': title, ...readFieldUi(ui, name) }]));
}

function presentInnerFields(schema: JsonObject, ui: JsonObject, words: PresentationOptions): PresentedField {
  if (!isObject(schema.properties)) return [schema, ui];
  const fields = Object.entries(readSchemaProperties(schema)).map(([name, field]) => {
    return [name, presentField(field, readFieldUi(ui, name), words)] as const;
  });
  const uis = fields.flatMap(([name, [, own]]) => (Object.keys(own).length > 0 ? [[name, own] as const] : []));
  const properties = Object.fromEntries(fields.map(([name, [field]]) => [name, field]));
  return [
    { ...schema, properties },
    { ...ui, ...Object.fromEntries(uis) },
  ];
}

function presentField(field: JsonObject, ui: JsonObject, words: PresentationOptions): PresentedField {
  const [own, shown] = [
    withTexts,
    withReadOnly,
    withExamples,
    withYesAndNo,
    withWidget,
    withObjects,
  ].reduce<PresentedField>((both, say) => say(...both, words), [field, ui]);
  if (isFieldGroupSchema(own)) return presentInnerFields(own, shown, words);
  if (!isListSchema(own)) return [own, shown];
  const [items, uiOfItems] = presentField(own.items as JsonObject, readFieldUi(shown, 'items'), words); // cast: `isListSchema` guarantees that the items are a schema
  return [
    { ...own, items },
    { ...shown, items: uiOfItems },
  ];
}

function readFieldUi(ui: JsonObject, name: string): JsonObject {
  return asObject(ui[name]);
}

function withTexts(field: JsonObject, ui: JsonObject, { named }: PresentationOptions): PresentedField {
  if (!named) return [field, ui];
  const { enumNames = findValueNames(field), ...rest } = field;
  const texts = { 'ui:title': field.title, 'ui:help': field.description, 'ui:enumNames': enumNames };
  const given = Object.entries(texts).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return [rest, { ...Object.fromEntries(given), ...ui }];
}

/** Returns the values of choices as their labels, as rjsf does. */
function findValueNames({ enum: own, items }: JsonObject): readonly string[] | undefined {
  const choices: unknown = own ?? (isObject(items) ? items['enum'] : undefined);
  const isPlain = (choice: unknown) => typeof choice === 'string' || typeof choice === 'number';
  return Array.isArray(choices) && choices.every(isPlain) ? choices.map(String) : undefined;
}

function withReadOnly({ readOnly, ...field }: JsonObject, ui: JsonObject): PresentedField {
  if (readOnly === true && isListSchema(field)) {
    const fixed = { addable: false, removable: false, orderable: false };
    return [field, { ...ui, 'ui:options': { ...fixed, ...readFieldUi(ui, 'ui:options') } }];
  }
  return [field, readOnly === undefined || isListSchema(field) ? ui : { 'ui:readonly': readOnly, ...ui }];
}

// Makes the first example the placeholder of a text or number control.
function withExamples(field: JsonObject, ui: JsonObject, { named }: PresentationOptions): PresentedField {
  const { examples, ...rest } = field;
  if (!named || examples === undefined) return [field, ui];
  const isTyped = ['string', 'number', 'integer'].includes(String(field.type)) && field.enum === undefined;
  const [first] = examples as readonly Json[]; // cast: the format check ensures that examples are an array
  return [rest, isTyped && first !== undefined ? { 'ui:placeholder': String(first), ...ui } : ui];
}

/** Catalogue keys of "yes", "no" and the title of a choice between alternatives. The compiler inserts their texts. */
export const choiceLabelMessageKeys: readonly string[] = ['yes', 'no', 'alternatives'];

const booleanChoices: readonly Json[] = [true, false];

// Adds two choices, with texts of the catalogue, to a boolean that is rendered as a choice. A boolean that is rendered as a checkbox has no choices.
function withYesAndNo(
  field: JsonObject,
  ui: JsonObject,
  { messages: { yes, no } }: PresentationOptions,
): PresentedField {
  const isChosen = ['radio', 'select'].includes(String(ui['ui:widget'])) || Array.isArray(field.enum);
  if (field.type !== 'boolean' || field.const !== undefined || !isChosen) return [field, ui];
  const choices = Array.isArray(field.enum) ? field.enum : booleanChoices;
  const names = choices.map((choice: Json) => (choice === true ? yes : no));
  return [
    { ...field, enum: choices },
    names.every((name) => name !== undefined) ? { 'ui:enumNames': names, ...ui } : ui,
  ];
}

// Sets the widget of a file field, and replaces rjsf's format name "data-url" by the plugin's format "file". Without such a plugin, by a pattern.
function withWidget(field: JsonObject, ui: JsonObject, options: PresentationOptions): PresentedField {
  const { format, ...rest } = field;
  if ((format !== 'file' && format !== 'data-url') || !options.isWidget('file')) return [field, ui];
  const isChecked = format === 'file' || options.isPluginFormat('file');
  return [isChecked ? { ...field, format: 'file' } : { pattern: '^data:', ...rest }, { 'ui:widget': 'file', ...ui }];
}

// Removes the type "object" from a choice between objects, because this type denotes an object of fields.
function withObjects(field: JsonObject, ui: JsonObject): PresentedField {
  const { type, ...rest } = field;
  return [type === 'object' && Array.isArray(field.enum) && !isFieldGroupSchema(field) ? rest : field, ui];
}

// Removes fields of type "null", which have no value. Shows their texts below the heading.
function withoutNull(schema: JsonObject, ui: ScreenUi, words: PresentationOptions): PresentedScreen {
  const own = readSchemaProperties(schema);
  const names = Object.keys(own).filter(
    (name) =>
      own[name]?.type === 'null' && !listRequiredProperties(schema).includes(name) && ui.visible?.[name] === undefined,
  );
  if (names.length === 0) return { schema, ui };
  const { intro = [], fields = {} } = ui;
  const texts = names.flatMap((name): readonly Paragraph[] => {
    const [, shown] = withTexts(own[name] ?? {}, readFieldUi(fields as JsonObject, name), words);
    return [shown['ui:title'], shown['ui:help']].flatMap((text) => (typeof text === 'string' ? [{ text }] : []));
  });
  const { 'ui:order': order, ...others } = fields;
  const left = order && { 'ui:order': order.filter((name) => !names.includes(name)) };
  return {
    schema: { ...schema, properties: omitKeys(own, names) },
    ui: {
      ...ui,
      intro: [...(typeof intro === 'string' ? [{ text: intro }] : intro), ...texts],
      fields: { ...left, ...omitKeys(others, names) },
    },
  };
}

function omitKeys<Value>(
  table: Readonly<Record<string, Value>>,
  names: readonly string[],
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(table).filter(([name]) => !names.includes(name)));
}
