import { isObject, type JsonObject } from '../../../core/json.ts';
import { defaultMaxItems } from '../../../core/value-size.ts';
import {
  listFieldsOfEarlierSteps,
  listFieldGroupSchemas,
  isListSchema,
  normalizeItemSchema,
  isValidationKeyword,
  annotationKeywords,
  readSchemaProperties,
  buildFieldPointer,
  flattenFields,
  listRequiredProperties,
} from '../../screen/schema-fields.ts';
import type { PluginIndex } from '../../files/index-plugins.ts';
import { type ResolvedSchema, findFieldNameByPointer } from '../../shared/resolve-schema.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import type { ProblemReporter } from '../../sources/problem-collector.ts';
import {
  checkPluginRuleKeyword,
  reportUnknownKeyword,
  type SchemaCheckContext,
  explainUnsupportedAlternatives,
  isCompanionKeyword,
  isMeantAsStructuralKeyword,
  unsupportedKeywordHints,
} from './rule-keywords.ts';
import { checkFieldType, checkValueKeywords } from './value-keywords.ts';
import { explain, localize, suggestSimilarName, type LocalizedText } from '../../sources/localized-text.ts';
import { isFieldGroupSchema } from '../../../core/field-path.ts';

/** Maximum depth of nested lists. With three, a narrow page could not show clearly which item contains a field. */
const maxLists = 2;

/** Maximum product of the item limits of a list and of a list inside it. */
const maxNestedItems = 1000;

const rootKeywords = [
  '$schema',
  '$id',
  '$defs',
  'definitions',
  'type',
  'required',
  'properties',
  'computed',
  'earlier',
  'additionalProperties',
  ...annotationKeywords,
];

/**
 * Checks that a schema can be compiled and rendered. Plugin rules may read `facts`. Returns the fields with a faulty structure, which later checks
 * skip.
 */
export function checkSchema(
  { schema, unresolvedFields: unread, report, reportUse }: ResolvedSchema,
  plugins: PluginIndex,
  facts: readonly string[] | undefined,
): ReadonlySet<string> {
  const check: SchemaCheckContext = { schema, plugins, facts, faultyFields: new Set(unread), report, reportUse };
  for (const keyword of Object.keys(schema)) {
    if (!rootKeywords.includes(keyword))
      checkPluginRuleKeyword(check, `/${escapePointer(keyword)}`, 'form', { keyword, value: schema[keyword] ?? null });
  }
  if (schema.type !== 'object')
    report('/type')(explain`A screen's schema has "type": "object".
      Write it at the top.`);
  checkAdditionalProperties(report, '', schema);
  checkOwn(check, '', schema);
  checkEarlier(check);
  checkFields(check, '');
  return check.faultyFields;
}

function checkAdditionalProperties(
  report: ProblemReporter,
  at: string,
  { additionalProperties: others, properties }: JsonObject,
): void {
  if (others === undefined || others === false) return;
  report(`${at}/additionalProperties`)({
    message: localize`"additionalProperties" must be false: a form never accepts unknown fields.`,
    hint:
      others === true && properties !== undefined
        ? localize`Remove it.`
        : localize`For fields that people name themselves, use a list of objects with a name and a value.`,
  });
}

function checkFields(check: SchemaCheckContext, within: string): void {
  const { schema } = check;
  for (const [name, group] of Object.entries(listFieldGroupSchemas(schema)))
    checkGroup(check, within + buildFieldPointer(name), name, group);
  for (const [name, field] of Object.entries(flattenFields(schema))) {
    const at = within + buildFieldPointer(name);
    if (isListSchema(field)) checkList(check, at, name, field);
    else checkField(check, at, field);
  }
}

function checkEarlier({ schema, report }: SchemaCheckContext): void {
  for (const [index, name] of listFieldsOfEarlierSteps(schema).entries())
    if (Object.hasOwn(readSchemaProperties(schema), name))
      report(`/earlier/${index}`)(explain`This screen itself asks for "${name}".
        Remove it here: "earlier" lists fields of other steps.`);
}

function checkList(check: SchemaCheckContext, at: string, name: string, field: JsonObject): void {
  const { plugins, listDepth: lists = 0, maxItems = defaultMaxItems, report, reportUse } = check;
  if (lists >= maxLists)
    report(at)(explain`A list inside a list of another list cannot be displayed.
      Ask for it in a step of its own, or in one list of all.`);
  checkField(check, at, field);
  if (typeof field.maxItems !== 'number' || field.maxItems > maxItems)
    report(field.maxItems === undefined ? at : `${at}/maxItems`)(explain`The list "${name}" has no maximum length.
      Write the maximum number of items: "maxItems", up to ${maxItems}.`);
  const item = field.items as JsonObject; // cast: `isListSchema` guarantees that the items are a schema
  const within = typeof field.maxItems === 'number' ? Math.floor(maxNestedItems / field.maxItems) : defaultMaxItems;
  const inItem: SchemaCheckContext = {
    schema: normalizeItemSchema(field),
    plugins,
    listDepth: lists + 1,
    maxItems: Math.min(defaultMaxItems, within),
    faultyFields: check.faultyFields,
    report,
    reportUse,
  };
  if (isListSchema(item)) checkList(inItem, `${at}/items`, `${name}.items`, item);
  else if (!isFieldGroupSchema(item)) {
    checkField(inItem, `${at}/items`, item);
    if (item.type === 'boolean' || item.type === 'array')
      report(`${at}/items/type`)(explain`Items are texts, numbers, objects or lists.
        Write an object with a field of that type.`);
  } else {
    checkGroup(check, `${at}/items`, `${name}.items`, item);
    if (listRequiredProperties(item).length === 0)
      report(`${at}/items`)(explain`An item of "${name}" may be empty.
        List the fields that every item must have in its "required".`);
    checkFields(inItem, `${at}/items`);
  }
  for (const [inner, property] of Object.entries(flattenFields(inItem.schema))) {
    const place = `${at}/items${inner === '' ? '' : buildFieldPointer(inner)}`;
    if (property.writeOnly === true)
      report(`${place}/writeOnly`)(explain`A list cannot contain a secret.
        Ask for it in a field of the screen itself.`);
  }
}

const groupKeywords = ['type', 'required', 'properties', 'additionalProperties', ...annotationKeywords];

/** Checks an object of fields. It supports only structural keywords. */
function checkGroup(check: SchemaCheckContext, at: string, name: string, group: JsonObject): void {
  const { plugins, report } = check;
  checkOwn(check, at, group);
  checkAdditionalProperties(report, at, group);
  const isFieldKeyword = (keyword: string) => isValidationKeyword(keyword) || fieldOnlyKeywords.includes(keyword);
  for (const keyword of Object.keys(group)) {
    if (keyword === 'required' ? Array.isArray(group.required) : groupKeywords.includes(keyword)) continue;
    const place = `${at}/${escapePointer(keyword)}`;
    if (isFieldKeyword(keyword) || plugins.rules.has(keyword) || Object.hasOwn(unsupportedKeywordHints, keyword))
      report(place)({
        message: localize`"${keyword}" is not allowed in an object of fields.`,
        hint:
          unsupportedKeywordHints[keyword] ??
          localize`Put it into one of its fields, or beside the "properties" of the whole screen.`,
      });
    else reportUnknownKeyword(report, place, keyword, plugins);
  }
  if (Object.keys(readSchemaProperties(group)).length === 0)
    report(`${at}/properties`)(explain`The object "${name}" has no fields.
      Add some, or remove it.`);
}

function checkOwn({ faultyFields, report }: SchemaCheckContext, at: string, schema: JsonObject): void {
  const properties = Object.keys(readSchemaProperties(schema));
  for (const name of properties) {
    const pointer = `${at}/properties/${escapePointer(name)}`;
    if (!checkName(report, pointer, name)) faultyFields.add(findFieldNameByPointer(pointer) ?? name);
  }
  listRequiredProperties(schema).forEach((name, index) => {
    if (!Object.hasOwn(readSchemaProperties(schema), name) && !faultyFields.has(findFieldNameByPointer(at) ?? ''))
      report(`${at}/required/${index}`)(explain`"${name}" is required but is not a field.
        ${suggestSimilarName(name, properties)}Add it to "properties" or remove it here.`);
  });
}

const fieldOnlyKeywords = ['writeOnly', '$defs', 'default'];

function checkField(check: SchemaCheckContext, at: string, field: JsonObject): void {
  const { plugins, faultyFields, report } = check;
  const name = findFieldNameByPointer(at) ?? '';
  let isRead = !faultyFields.has(name);
  for (const [keyword, value] of Object.entries(field)) {
    if (isValidationKeyword(keyword) || fieldOnlyKeywords.includes(keyword) || annotationKeywords.includes(keyword))
      continue;
    const isOpen = keyword === 'additionalProperties' && field.type === 'object';
    if (isOpen) checkAdditionalProperties(report, at, field);
    else if (isCompanionKeyword(keyword, field)) continue;
    else if (keyword === 'oneOf' || keyword === 'anyOf')
      report(`${at}/${keyword}`)(explainUnsupportedAlternatives(keyword, value));
    else
      checkPluginRuleKeyword(check, `${at}/${escapePointer(keyword)}`, 'field', { keyword, value, type: field.type });
    if (isOpen ? value !== false : isMeantAsStructuralKeyword(keyword, plugins)) isRead = false;
  }
  checkDefault(check, at, field);
  const { items } = field;
  if (field.type === 'array' && isObject(items) && !isListSchema(field) && !Array.isArray(items.enum)) {
    checkField(check, `${at}/items`, items);
    isRead = false;
  }
  const isWhole = isRead && checkFieldType(report, at, field);
  if (!checkValueKeywords(report, at, field, plugins) || !isWhole) faultyFields.add(name);
}

// Reports a default on a consent checkbox (`"const": true`), a secret, or a field inside a list.
function checkDefault({ listDepth: lists = 0, report }: SchemaCheckContext, at: string, field: JsonObject): void {
  const { default: given, const: wanted, writeOnly } = field;
  if (given === undefined) return;
  if (wanted === true || writeOnly === true || lists > 0)
    report(
      `${at}/default`,
    )(explain`A checkbox that must be ticked, a secret or an item of a list cannot have a "default".
      Remove it: people must enter this value themselves.`);
}

function checkName(report: ProblemReporter, at: string, name: string): boolean {
  const isValid = /^\w+$/.test(name);
  if (!isValid)
    report(at)(explain`"${name}" is not a valid field name.
      Use the letters a to z without accents and tildes, digits and underscores${suggestPlainName(name)}.`);
  return isValid;
}

// Suggests a name without accents. Makes no suggestion for a name with a tilde: the Spanish "año" would become an embarrassing word.
function suggestPlainName(name: string): LocalizedText {
  const parts = name.normalize('NFD');
  const plain = parts.replace(/\p{M}/gu, '').replace(/[\s-]+/g, '_');
  return /^\w+$/.test(plain) && !parts.includes('\u0303') ? localize`, e.g. "${plain}"` : localize``;
}
