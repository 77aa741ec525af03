import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject, type Json, type JsonObject } from '../core/json.ts';
import { checkValue, isValueKeyword, notes } from './check-value.ts';
import type { Plugins } from './plugins.ts';
import type { ResolvedSchema, Say } from './resolve-schema.ts';
import { escapePointer } from './source-file.ts';

const rootKeywords = ['$schema', '$id', '$defs', 'type', 'required', 'properties', 'additionalProperties', ...notes];

/** Keywords that JSON Schema has and a screen has not, with what to write instead. */
const undrawable: Readonly<Record<string, string>> = {
  ui: 'What is seen of a field stands in "fields" of ui.json; only a definition of schemas/_shared brings its own.',
  messages: 'They stand in "messages" of ui.json; only a definition of schemas/_shared brings its own.',
  default: 'Use "prefill" of the state in the flow: what a citizen has not said is never sent on its own.',
  readOnly: 'Use "ui:readonly" in ui.json.',
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
export function checkSchema({ schema, say }: ResolvedSchema, plugins: Plugins): void {
  for (const keyword of Object.keys(schema)) {
    if (!rootKeywords.includes(keyword))
      checkRule(say, `/${escapePointer(keyword)}`, keyword, schema[keyword] ?? null, 'form', schema, plugins);
  }
  if (schema.type !== 'object') say('/type', 'A screen\'s schema has "type": "object".', 'Write it at the top.');
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) {
    say('/additionalProperties', 'A form never takes unknown fields.', 'Remove "additionalProperties".');
  }
  const properties = propertiesOf(schema);
  checkRequired(say, schema, properties);
  for (const [name, field] of Object.entries(properties)) checkField(say, name, field, schema, plugins);
}

/** The fields of a schema by name; anything that is no object counts as an empty schema. */
export function propertiesOf(schema: JsonObject): Readonly<Record<string, JsonObject>> {
  const { properties } = schema;
  if (!isObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, isObject(field) ? (field as JsonObject) : {}]),
  );
}

/** The names in `required`. */
export function requiredOf(schema: JsonObject): readonly string[] {
  return Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : [];
}

/** A schema without what nobody checks: definitions that were taken in, and notes. */
export function withoutNotes(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => keyword !== '$defs' && !notes.includes(keyword)),
  );
}

function checkRequired(say: Say, schema: JsonObject, properties: Readonly<Record<string, JsonObject>>): void {
  requiredOf(schema).forEach((name, index) => {
    if (!Object.hasOwn(properties, name))
      say(`/required/${index}`, `"${name}" is required but is no field.`, 'Add it to "properties" or remove it here.');
  });
}

function checkField(say: Say, name: string, field: JsonObject, schema: JsonObject, plugins: Plugins): void {
  const at = `/properties/${escapePointer(name)}`;
  if (!/^\w+$/.test(name))
    say(
      at,
      `"${name}" is no field name.`,
      `Use the letters a to z without accents and tildes, digits and underscores${suggestion(name)}.`,
    );
  for (const [keyword, value] of Object.entries(field)) {
    if (isValueKeyword(keyword) || keyword === 'writeOnly' || keyword === '$defs' || notes.includes(keyword)) continue;
    checkRule(say, `${at}/${escapePointer(keyword)}`, keyword, value, 'field', schema, plugins);
  }
  checkValue(say, at, field, plugins);
}

// A letter without its tilde often makes another word, an embarrassing one for the Spanish year: nothing is suggested then.
function suggestion(name: string): string {
  const parts = name.normalize('NFD');
  const plain = parts.replace(/\p{M}/gu, '').replace(/[\s-]+/g, '_');
  return /^\w+$/.test(plain) && !parts.includes('\u0303') ? `, e.g. "${plain}"` : '';
}

function checkRule(
  say: Say,
  at: string,
  keyword: string,
  value: Json,
  level: 'field' | 'form',
  schema: JsonObject,
  plugins: Plugins,
): void {
  const hint = undrawable[keyword];
  if (hint) return say(at, `"${keyword}" cannot stand in a screen's schema.`, hint);
  const entry = plugins.rules.get(keyword);
  if (!entry)
    return say(
      at,
      `Unknown keyword "${keyword}".`,
      `No plugin brings it. Known: ${[...plugins.rules.keys()].join(', ')}.`,
    );
  const { rule } = entry;
  if (rule.level !== level) {
    return say(
      at,
      `"${keyword}" stands in the wrong place.`,
      rule.level === 'field' ? 'Put it into a field.' : 'Put it beside "properties".',
    );
  }
  const validate = plain.compile(rule.parameters);
  if (!validate(value)) {
    for (const error of validate.errors ?? [])
      say(
        at + error.instancePath,
        `"${keyword}" ${error.message ?? 'is wrong'}.`,
        `See plugins/${entry.plugin}/README.md.`,
      );
    return;
  }
  const named = [...(rule.reads?.(value as never) ?? []), ...(rule.target ? [rule.target(value as never)] : [])];
  for (const name of named) {
    if (!Object.hasOwn(propertiesOf(schema), name))
      say(at, `"${keyword}" names the field "${name}", which does not exist.`, 'Name a field of "properties".');
  }
}
