import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject, type Json, type JsonObject } from '../core/json.ts';
import type { Plugins } from './plugins.ts';
import { escapePointer, type Problems, type SourceFile } from './source-file.ts';
import { standardFormats } from './standard-formats.ts';

/** Keywords of a field that ajv checks. */
export const valueKeywords = [
  'type', 'enum', 'const', 'minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum',
  'exclusiveMaximum', 'multipleOf', 'items', 'minItems', 'maxItems', 'uniqueItems',
] as const;

const annotations = ['$comment', 'writeOnly', 'readOnly', 'default'];
const rootKeywords = ['$schema', '$id', '$comment', '$defs', 'type', 'required', 'properties', 'additionalProperties'];

/** Keywords that JSON Schema has and a screen has not, with what to write instead. */
const undrawable: Readonly<Record<string, string>> = {
  title: 'Texts stand in ui.json: use "ui:title" there.',
  description: 'Texts stand in ui.json: use "ui:help" there.',
  examples: 'Texts stand in ui.json: use "ui:placeholder" there.',
  if: 'Show fields by "visible" in ui.json.',
  then: 'Show fields by "visible" in ui.json.',
  else: 'Show fields by "visible" in ui.json.',
  oneOf: 'Use "enum" for choices and "visible" in ui.json for alternatives.',
  anyOf: 'Use "enum" for choices and "visible" in ui.json for alternatives.',
  allOf: 'Write the keywords into the field itself.',
  not: 'Write a rule plugin.',
  dependentRequired: 'Mark the field required and show it by "visible" in ui.json: a hidden field is not required.',
  dependentSchemas: 'Show fields by "visible" in ui.json.',
  dependencies: 'Show fields by "visible" in ui.json.',
  prefixItems: 'Use one field for each item.',
  patternProperties: 'Name each field in "properties".',
  unevaluatedProperties: 'It is not needed: unknown fields are always refused.',
  properties: 'A form is flat: give the inner fields names of their own; a flow\'s "input" builds nested bodies.',
};

const plain = new Ajv2020({ strict: false, allErrors: true });

/** Checks a resolved schema.json: what can be validated ahead of time and drawn. */
export function checkSchema(file: SourceFile, schema: JsonObject, plugins: Plugins, problems: Problems): void {
  for (const keyword of Object.keys(schema)) {
    if (!rootKeywords.includes(keyword)) checkRule(file, `/${escapePointer(keyword)}`, keyword, schema[keyword] ?? null, 'form', schema, plugins, problems);
  }
  if (schema.type !== 'object') problems.add(file, '/type', 'A screen\'s schema has "type": "object".', 'Write it at the top.');
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) {
    problems.add(file, '/additionalProperties', 'A form never takes unknown fields.', 'Remove "additionalProperties".');
  }
  const properties = propertiesOf(schema);
  checkRequired(file, schema, properties, problems);
  for (const [name, field] of Object.entries(properties)) checkField(file, name, field, schema, plugins, problems);
}

/** The fields of a schema by name; anything that is no object counts as an empty schema. */
export function propertiesOf(schema: JsonObject): Readonly<Record<string, JsonObject>> {
  const { properties } = schema;
  if (!isObject(properties)) return {};
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, isObject(field) ? (field as JsonObject) : {}]));
}

/** The names in `required`. */
export function requiredOf(schema: JsonObject): readonly string[] {
  return Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : [];
}

function checkRequired(file: SourceFile, schema: JsonObject, properties: Readonly<Record<string, JsonObject>>, problems: Problems): void {
  requiredOf(schema).forEach((name, index) => {
    if (!Object.hasOwn(properties, name)) {
      problems.add(file, `/required/${index}`, `"${name}" is required but is no field.`, 'Add it to "properties" or remove it here.');
    }
  });
}

function checkField(file: SourceFile, name: string, field: JsonObject, schema: JsonObject, plugins: Plugins, problems: Problems): void {
  const at = `/properties/${escapePointer(name)}`;
  if (!/^\w+$/.test(name)) problems.add(file, at, `"${name}" is no field name.`, 'Use letters, digits and underscores.');
  for (const [keyword, value] of Object.entries(field)) {
    if (annotations.includes(keyword) || keyword === '$defs') continue;
    if (!(valueKeywords as readonly string[]).includes(keyword)) {
      checkRule(file, `${at}/${escapePointer(keyword)}`, keyword, value, 'field', schema, plugins, problems);
    }
  }
  checkType(file, at, field, problems);
  checkStandardKeywords(file, at, field, problems);
  if (field.const === true && field.default === true) {
    problems.add(file, `${at}/default`, 'A box that must be ticked would arrive ticked.', 'Remove "default": consent is given by the citizen alone.');
  }
  if (typeof field.format === 'string' && !plugins.formats.has(field.format) && !standardFormats.includes(field.format)) {
    problems.add(file, `${at}/format`, `Unknown format "${field.format}".`, 'Use a standard format or one that a plugin brings.');
  }
}

function checkType(file: SourceFile, at: string, field: JsonObject, problems: Problems): void {
  const { type } = field;
  if (type === 'object') return problems.add(file, `${at}/type`, 'A field cannot be an object.', undrawable.properties ?? '');
  if (type === 'array') {
    const items = isObject(field.items) ? field.items : {};
    if (!Array.isArray(items.enum)) problems.add(file, at, 'An array is drawn only as a choice of several.', 'Give "items" an "enum".');
    return;
  }
  if (!['string', 'number', 'integer', 'boolean'].includes(String(type))) {
    problems.add(file, at, 'The field has no "type" that can be drawn.', 'Use string, number, integer, boolean or array.');
  }
}

function checkStandardKeywords(file: SourceFile, at: string, field: JsonObject, problems: Problems): void {
  const standard = standardPart(field);
  if (typeof standard.format === 'string') delete standard.format;
  if (!plain.validateSchema(standard)) {
    for (const error of plain.errors ?? []) {
      problems.add(file, at + error.instancePath, `${lastStep(error.instancePath)} ${error.message ?? 'is wrong'}.`, 'See JSON Schema 2020-12 for the keyword.');
    }
    return;
  }
  try {
    if (typeof field.pattern === 'string') new RegExp(field.pattern, 'u');
  } catch (error) {
    problems.add(file, `${at}/pattern`, `The pattern is no regular expression: ${String(error)}.`, 'Mend the expression; backslashes are doubled in JSON.');
  }
}

/** The part of a field's schema that ajv compiles. */
export function standardPart(field: JsonObject): Record<string, Json> {
  return Object.fromEntries(Object.entries(field).filter(([keyword]) => (valueKeywords as readonly string[]).includes(keyword)));
}

function checkRule(
  file: SourceFile, at: string, keyword: string, value: Json, level: 'field' | 'form', schema: JsonObject, plugins: Plugins, problems: Problems,
): void {
  const hint = undrawable[keyword];
  if (hint) return problems.add(file, at, `"${keyword}" cannot stand in a screen's schema.`, hint);
  const entry = plugins.rules.get(keyword);
  if (!entry) return problems.add(file, at, `Unknown keyword "${keyword}".`, `No plugin brings it. Known: ${[...plugins.rules.keys()].join(', ')}.`);
  const { rule } = entry;
  if (rule.level !== level) {
    return problems.add(file, at, `"${keyword}" stands in the wrong place.`, rule.level === 'field' ? 'Put it into a field.' : 'Put it beside "properties".');
  }
  const validate = plain.compile(rule.parameters);
  if (!validate(value)) {
    for (const error of validate.errors ?? []) problems.add(file, at + error.instancePath, `"${keyword}" ${error.message ?? 'is wrong'}.`, `See plugins/${entry.plugin}/README.md.`);
    return;
  }
  const named = [...(rule.reads?.(value as never) ?? []), ...(rule.target ? [rule.target(value as never)] : [])];
  for (const name of named) {
    if (!Object.hasOwn(propertiesOf(schema), name)) problems.add(file, at, `"${keyword}" names the field "${name}", which does not exist.`, 'Name a field of "properties".');
  }
}

function lastStep(pointer: string): string {
  return `"${pointer.split('/').at(-1) ?? ''}"`;
}
