import type { JsonLogic } from '../../core/flow-and-screen-types.ts';
import { joinItemFieldName, joinFieldName, isFieldGroupSchema } from '../../core/field-path.ts';
import { isObject, mapValues, type Json, type JsonObject } from '../../core/json.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import {
  isListSchema,
  normalizeItemSchema,
  annotationKeywords,
  readSchemaProperties,
  listRequiredProperties,
} from '../screen/schema-fields.ts';
import { explain } from '../sources/localized-text.ts';
import {
  joinRulesWithAnd,
  convertIfSchemaToRule,
  buildPresenceRule,
  negateRule,
  type ConditionScope,
} from './convert-if-schema.ts';
import { simplifyFieldSchema, type FieldOccurrence } from './combine-field-occurrences.ts';

/** Conditions on fields inside objects and list items, by full name. The rules of an item's fields read the item as `form`. */
export interface NestedFieldConditions {
  readonly fields: FieldOccurrence[];
  readonly required: { readonly name: string; readonly when: JsonLogic; readonly at: string }[];
}

/** An object of fields. `read` is its path in rules. The path is empty for the form itself and for a list item. */
interface NestedScope {
  readonly at: string;
  readonly name: string;
  readonly read: string;
}

type Scope = ConditionScope & { readonly named: boolean };

const groupKeywords = ['type', 'properties', 'required', ...annotationKeywords];

export function collectNestedFieldConditions(
  scope: Scope,
  into: NestedFieldConditions,
  field: JsonObject,
  inside: NestedScope,
): void {
  const { at, name, read } = inside;
  if (isListSchema(field)) {
    const item = { at: `${at}/items`, name: joinItemFieldName(name, ''), read: '' };
    return collectNestedFieldConditions({ ...scope, required: new Set() }, into, normalizeItemSchema(field), item);
  }
  if (!isFieldGroupSchema(field)) return;
  const within = read === '' ? '' : `${read}.`;
  for (const [place, part] of listConditions(field, at)) {
    const holds = convertIfSchemaToRule(scope, part['if'] as JsonObject, `${place}/if`, within);
    for (const [word, when] of [['then', holds] as const, ['else', negateRule(holds)] as const])
      if (isObject(part[word]))
        collectConditionalSubschema(scope, into, part[word], { ...inside, at: `${place}/${word}`, when });
  }
  for (const [step, inner] of Object.entries(readSchemaProperties(field)))
    collectNestedFieldConditions(scope, into, inner, {
      at: `${at}/properties/${escapePointer(step)}`,
      name: `${name}.${step}`,
      read: within + step,
    });
}

export function collectConditionalSubschema(
  scope: Scope,
  into: NestedFieldConditions,
  part: JsonObject,
  { at, name, read, when }: NestedScope & { readonly when: JsonLogic | null },
): void {
  for (const [step, field] of Object.entries(readSchemaProperties(part))) {
    const own = { at: `${at}/properties/${escapePointer(step)}`, name: `${name}.${step}`, when };
    if (isObject(field['properties']))
      collectConditionalSubschema(scope, into, field, { ...own, read: joinFieldName(read, step) });
    else into.fields.push({ ...own, field: simplifyFieldSchema(field, scope.named) });
  }
  for (const [index, step] of listRequiredProperties(part).entries()) {
    // An empty object is not sent, so its fields are only required if the object has a value.
    const rule = joinRulesWithAnd([when, read === '' ? null : buildPresenceRule(read)]);
    into.required.push({ name: `${name}.${step}`, when: rule ?? true, at: `${at}/required/${index}` });
  }
  for (const keyword of Object.keys(part).filter((word) => !groupKeywords.includes(word)))
    scope.report(`${at}/${escapePointer(keyword)}`)(explain`
      "${keyword}" is not allowed in a conditional part of an object.
      It accepts "properties" and "required", for fields of the object.`);
}

function listConditions(group: JsonObject, at: string): readonly (readonly [at: string, part: JsonObject])[] {
  const parts = Array.isArray(group['allOf']) ? group['allOf'] : [];
  const all = [[at, group] as const, ...parts.map((part: Json, index) => [`${at}/allOf/${index}`, part] as const)];
  return all.flatMap(([place, part]) => (isConditional(part) ? [[place, part]] : []));
}

function isConditional(part: Json | undefined): part is JsonObject {
  return isObject(part) && isObject(part['if']);
}

export function omitNestedFieldConditions(field: JsonObject): JsonObject {
  if (isListSchema(field)) {
    const items = field['items'] as JsonObject; // cast: `isListSchema` guarantees that the items are a schema
    return { ...field, items: omitNestedFieldConditions(items) };
  }
  if (!isFieldGroupSchema(field)) return field;
  const { if: condition, then, else: other, allOf: parts, ...rest } = field;
  const kept = Array.isArray(parts) ? parts.filter((part: Json) => !isConditional(part)) : parts;
  const bare = isObject(condition) ? rest : addDefined(rest, { if: condition, then, else: other });
  return {
    ...addDefined(bare, { allOf: Array.isArray(kept) && kept.length === 0 ? undefined : kept }),
    properties: mapValues(readSchemaProperties(field), omitNestedFieldConditions),
  };
}

function addDefined(field: JsonObject, words: Readonly<Record<string, Json | undefined>>): JsonObject {
  const given = Object.entries(words).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return { ...field, ...Object.fromEntries(given) };
}
