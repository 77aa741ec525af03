import { asObject, isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { isJsonLogicOperation, listPathsReadByLogic } from '../../../core/json-logic.ts';
import { cleanerTransformNames } from '../../../core/cleaning/create-cleaner.ts';
import { findChoiceSourceParams, readFieldUi } from '../../../core/screen-ui-queries.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { readSchemaProperties } from '../../screen/schema-fields.ts';
import {
  suggestSimilarName,
  suggestSimilarOrKnownNames,
  explain,
  localize,
  type LocalizedText,
} from '../../sources/localized-text.ts';
import type { LoadedPlugin } from '../../files/index-plugins.ts';
import { checkLogicTemplate } from '../check-json-logic.ts';
import { checkPluginParameters } from '../plugin-parameters.ts';
import type { UiCheckContext } from './ui-check-context.ts';
import { builtInWidgets, type BuiltInWidget } from '../../../core/built-in-widgets.ts';
import { buildUiPointer } from '../../../core/field-path.ts';

const rows = localize`For fixed rows, use an object of fields with the same choices and "ui:widget": "matrix". For rows that people add, use a list of objects.`;

const replacements: Readonly<Record<string, LocalizedText>> = {
  matrix: rows,
  datagrid: rows,
  ranking: localize`Use a list of objects that starts with every choice, without "addable" and "removable". People can then change the order.`,
  rating: localize`Use "radio" and an "enum" of the steps.`,
};

function checkWidget(
  { around: { plugins, widgets }, report }: UiCheckContext,
  at: string,
  widget: string,
  { field, options }: { readonly field: JsonObject; readonly options: JsonObject },
): void {
  const plugin = plugins.byName.get(widget);
  const isOther = plugin?.hasWidget || widgets.includes(widget);
  const types = Object.hasOwn(builtInWidgets, widget) ? builtInWidgets[widget as BuiltInWidget] : plugin?.widgetTypes;
  if (!types) {
    if (isOther) return;
    const known = [
      ...Object.keys(builtInWidgets),
      ...[...plugins.byName.values()].filter((plugin) => plugin.hasWidget).map((plugin) => plugin.name),
      ...widgets,
    ];
    const hint = Object.hasOwn(replacements, widget) ? replacements[widget] : undefined;
    return report(at)(explain`Unknown widget "${widget}".
      ${hint ?? suggestSimilarOrKnownNames(widget, known)}`);
  }
  const { type } = field;
  if (typeof type === 'string' && !types.some((one) => one === type))
    return report(at)(explain`The widget "${widget}" does not support fields of type ${type}.
      It supports ${types.join(', ')}. Without "ui:widget", the type determines the widget.`);
  const fromCall = widget === 'select' && options.source !== undefined;
  if (['select', 'radio'].includes(widget) && !findChoices(field) && !fromCall) {
    report(at)(explain`The widget "${widget}" has no choices.
      Give the field an "enum" in schema.json, or a select a "source" in "ui:options".`);
  }
}

function findChoices(field: JsonObject): readonly Json[] | null {
  const list = field.enum ?? (isObject(field.items) ? (field.items as JsonObject).enum : undefined);
  return Array.isArray(list) ? list : null;
}

const groupKeywords = ['ui:title', 'ui:help', 'ui:order'];

const listKeywords = ['ui:title', 'ui:help', 'ui:options', 'items'];
const listOptions = ['addable', 'removable', 'orderable'];

export function checkListUi({ ui, report }: UiCheckContext, name: string): void {
  const own = readFieldUi(ui, name);
  const at = buildUiPointer(name);
  if (own['ui:title'] === undefined)
    report(at)(explain`The list "${name}" has no "ui:title".
      Its items need their own title.`);
  for (const word of Object.keys(own).filter((key) => !listKeywords.includes(key)))
    report(`${at}/${escapePointer(word)}`)(explain`"${word}" has no effect on a list.
      ${
        isObject(own[word])
          ? localize`Write it within "items": "items": { "ui:title": …, "${word}": … }.`
          : localize`It accepts ${listKeywords.join(', ')}. The appearance of an item belongs in "items".`
      }`);
  const options = isObject(own['ui:options']) ? own['ui:options'] : {};
  for (const [option, value] of Object.entries(options))
    if (!listOptions.includes(option) || typeof value !== 'boolean')
      report(
        `${at}/ui:options/${escapePointer(option)}`,
      )(explain`The option "${option}" of a list is unknown or has a wrong value.
        It accepts ${listOptions.join(', ')}, each true or false.`);
}

/** Whether the ui of a list item, or of one of its fields, is probably written beside "items" instead of within it. */
function isWrittenOutsideItems({ ui }: UiCheckContext, name: string): boolean {
  const [, list = '', field] = /^(.*)\.items(?:\.([^.]+))?$/.exec(name) ?? [];
  const own = readFieldUi(ui, list);
  const outside = Object.keys(own).filter((word) => !listKeywords.includes(word) && isObject(own[word]));
  return list !== '' && (field === undefined ? outside.length > 0 : outside.includes(field));
}

/** Checks the ui of an object of fields. The object needs a title, which screen readers announce with each of its fields. */
export function checkGroupUi(check: UiCheckContext, name: string): void {
  const { ui, report } = check;
  const own = readFieldUi(ui, name);
  const at = buildUiPointer(name);
  if (own['ui:title'] === undefined && !isWrittenOutsideItems(check, name))
    report(at)(explain`The object "${name}" has no "ui:title".
      Its fields need their own title.`);
  const isMatrix = own['ui:widget'] === 'matrix';
  for (const word of Object.keys(own).filter((key) => key.startsWith('ui:') && !groupKeywords.includes(key)))
    if (word !== 'ui:widget' || !isMatrix)
      report(`${at}/${escapePointer(word)}`)(explain`"${word}" has no effect on an object of fields.
        It accepts ${groupKeywords.join(', ')}, and "ui:widget": "matrix" if its fields have the same choices.`);
  if (isMatrix) checkMatrix(check, name);
}

/** Checks a matrix. Its rows are form fields that all have the same choices, which are the columns. */
function checkMatrix({ ui, report, groups, fields }: UiCheckContext, name: string): void {
  const at = `${buildUiPointer(name)}/ui:widget`;
  const rows = Object.keys(readSchemaProperties(groups[name] ?? {})).map((step) => `${name}.${step}`);
  const serializeColumns = (row: string) => JSON.stringify([fields[row]?.enum, readFieldUi(ui, row)['ui:enumNames']]);
  const odd = rows.find(
    (row) =>
      !Array.isArray(fields[row]?.enum) ||
      readFieldUi(ui, row)['ui:widget'] !== undefined ||
      serializeColumns(row) !== serializeColumns(rows[0] ?? ''),
  );
  if (!Object.hasOwn(fields, rows[0] ?? '') || isItemFieldName(name))
    report(at)(explain`A matrix must be at the top level of the form, and its rows must be fields.
      Write it beside the other fields, or remove "matrix".`);
  else if (odd !== undefined)
    report(at)(explain`The row "${odd}" of the matrix has different columns from the first.
      Give each of its fields the same "enum" and no "ui:widget", and their texts once, as "ui:enumNames" beside "matrix".`);
}

function isItemFieldName(name: string): boolean {
  return name.split('.').includes('items');
}

export function checkFieldUi(check: UiCheckContext, name: string, field: JsonObject): void {
  const at = buildUiPointer(name);
  const fieldUi = readFieldUi(check.ui, name);
  const widget = fieldUi['ui:widget'];
  const options = isObject(fieldUi['ui:options']) ? fieldUi['ui:options'] : {};
  for (const key of Object.keys(fieldUi).filter((word) => !word.startsWith('ui:')))
    check.report(`${at}/${escapePointer(key)}`)(explain`Unknown key "${key}".
      Check the spelling of the key, or remove it.`);
  const isElsewhere = check.around.receivedFields.includes(name) || isWrittenOutsideItems(check, name);
  if (fieldUi['ui:title'] === undefined && widget !== 'hidden' && !isElsewhere)
    check.report(at)(explain`The field "${name}" has no "ui:title".
      Every field needs a label. If you removed it here, remove it from schema.json too.`);
  if (typeof widget === 'string') checkWidget(check, `${at}/ui:widget`, widget, { field, options });
  const plugin = check.around.plugins.byName.get(String(widget));
  if (plugin?.hasWidget) checkPluginWidgetOptions(check, `${at}/ui:options`, plugin, options);
  for (const [option, value] of Object.entries(options)) {
    const pointer = `${at}/ui:options/${escapePointer(option)}`;
    if (!plugin?.hasWidget && typeof value === 'string' && /^(?:true|false|\d+)$/.test(value.trim()))
      check.report(pointer)(explain`"${option}" is a text, so it has no effect.
        Write it without quotes: ${value.trim()}.`);
    if (option === 'params') checkParams(check, pointer, name);
    else checkLogicTemplate(check.report, pointer, value as Json, check.settled);
  }
  for (const option of ['source', 'check']) {
    const operation = options[option];
    if (typeof operation === 'string' && !check.around.operations.includes(operation))
      check.report(`${at}/ui:options/${option}`)(explain`Unknown operation "${operation}".
        ${suggestSimilarName(operation, check.around.operations)}Name an operation of the contract.`);
  }
  for (const [option, other] of Object.entries(options))
    if (option.endsWith('Field') && !(typeof other === 'string' && Object.hasOwn(check.fields, other)))
      check.report(`${at}/ui:options/${escapePointer(option)}`)(explain`
        "${option}" does not refer to a field: ${JSON.stringify(other)}.
        ${suggestSimilarOrKnownNames(
          String(other),
          Object.keys(check.fields).filter((own) => own !== name),
        )} In ui.json, write "${name}": { "ui:options": { "${option}": … } }.`);
  if (options.transform !== undefined && !cleanerTransformNames.includes(String(options.transform))) {
    check.report(`${at}/ui:options/transform`)(explain`Unknown transform ${JSON.stringify(options.transform)}.
      Known: ${cleanerTransformNames.join(', ')}.`);
  }
  const choices = findChoices(field);
  const names = fieldUi['ui:enumNames'];
  if (choices && !options.source && widget !== 'hidden' && (!Array.isArray(names) || names.length !== choices.length)) {
    check.report(
      at,
    )(explain`"${name}" has ${choices.length} choices, and ${Array.isArray(names) ? names.length : 0} texts in "ui:enumNames".
      Write one text for each value of "enum" except null, in the same order.`);
  }
  const secretWord = ['ui:autocomplete', 'ui:widget'].find((word) =>
    /^(.*-)?password$|one-time-code/.test(String(fieldUi[word] ?? '')),
  );
  if (secretWord !== undefined && field.writeOnly !== true) {
    check.report(`${at}/${secretWord}`)(explain`The secret "${name}" would be stored.
      Write "writeOnly": true into its schema.`);
  }
}

/** Options that the engine applies to a field with any widget. ui.schema.json defines their types. */
const commonOptions = { copy: {}, width: {}, check: {}, transform: {} };

/** Schemas of the declared and the common options, by the schema of the declared ones. Kept, because ajv caches each schema object that it compiles. */
const optionSchemas = new WeakMap<JsonObject, JsonObject>();

function findOptionsSchema(widgetOptions: JsonObject): JsonObject {
  const known = optionSchemas.get(widgetOptions);
  if (known) return known;
  const schema = { ...widgetOptions, properties: { ...commonOptions, ...asObject(widgetOptions.properties) } };
  optionSchemas.set(widgetOptions, schema);
  return schema;
}

function checkPluginWidgetOptions(
  { report }: UiCheckContext,
  at: string,
  { name, widgetOptions }: LoadedPlugin,
  options: JsonObject,
): void {
  if (!widgetOptions) return;
  checkPluginParameters(report, at, options, {
    name: 'ui:options',
    plugin: name,
    schema: findOptionsSchema(widgetOptions),
    explainUnknown: (option) => localize`plugins/${name}/widget.tsx declares no option "${option}".`,
    isUndecided: ({ data }) => isJsonLogicOperation(data),
  });
}

// Checks a source that depends on other fields. Only selects and widgets of plugins outside of lists support such a source.
function checkParams(check: UiCheckContext, at: string, name: string): void {
  const { ui, report, fields, around } = check;
  const widget = readFieldUi(ui, name)['ui:widget'];
  const params = findChoiceSourceParams(ui, name);
  const options = readFieldUi(ui, name)['ui:options'] as JsonObject; // cast: the field has params, so it has options
  if (!params)
    return report(at)(explain`"params" is not an object.
      Write { "<parameter of the operation>": { "var": "form.<field>" } }.`);
  if (options.source === undefined)
    report(at)(explain`"params" has no effect without a "source".
      Name the operation in "source".`);
  else if (typeof options.source !== 'string')
    report(at)(explain`A source that a rule chooses cannot have "params".
      Write the name of the operation.`);
  if ((widget !== 'select' && !around.plugins.byName.has(String(widget))) || !Object.hasOwn(fields, name))
    report(at)(explain`Only a select outside a list can reload its choices.
      Write "ui:widget": "select", or remove "params".`);
  for (const [param, part] of Object.entries(params)) {
    checkLogicTemplate(report, `${at}/${escapePointer(param)}`, part, check.readable);
    if (listPathsReadByLogic(part).includes(`form.${name}`))
      report(`${at}/${escapePointer(param)}`)(explain`The choices of "${name}" depend on its own value.
        Name another field.`);
  }
}
