import type { JsonLogic } from '../../core/flow-and-screen-types.ts';
import { asObject, isObject, type Json, type JsonObject } from '../../core/json.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import { annotationKeywords, readSchemaProperties, listRequiredProperties } from '../screen/schema-fields.ts';
import type { ProblemReporter } from '../sources/problem-collector.ts';
import { explain } from '../sources/localized-text.ts';

const fixedItemKeywords = [
  'type',
  'items',
  'prefixItems',
  'additionalItems',
  'minItems',
  'maxItems',
  'default',
  ...annotationKeywords,
];

interface FixedItems {
  readonly field: JsonObject;
  readonly requiredWhen: Readonly<Record<string, JsonLogic>>;
}

/** Converts fixed items to fields named by index. Arrays have no gaps, so an item before a filled one is required. A boolean becomes a choice of true and false, because an unticked box would be a gap. */
export function convertFixedItemsToObject(name: string, field: JsonObject): FixedItems | undefined {
  const { items, prefixItems, additionalItems = false, minItems = 0, maxItems, default: given, ...rest } = field;
  const places = Array.isArray(items) ? items : Array.isArray(prefixItems) ? prefixItems : [];
  const isClosed =
    additionalItems === false && (Array.isArray(items) || [undefined, false].includes(items as undefined));
  const isPlain = Object.keys(field).every((word) => fixedItemKeywords.includes(word)) && places.every(isSingle);
  const isWhole = maxItems === undefined || maxItems === places.length;
  if (field.type !== 'array' || places.length === 0 || !isClosed || !isPlain || !isWhole) return undefined;
  const values: readonly Json[] = Array.isArray(given) ? given : [];
  const properties = places.map(
    (place: Json, index) => [String(index), buildItemSchema(place as JsonObject, values[index])] as const,
  );
  const names = properties.map(([step]) => `${name}.${step}`);
  const required = properties.map(([step]) => step).slice(0, Math.max(Number(minItems), 1));
  const later = names.flatMap((own, index) => {
    const rule = joinRulesWithOr(names.slice(index + 1).map(buildPresenceRule));
    return required.includes(String(index)) || rule === null ? [] : [[own, rule] as const];
  });
  return {
    field: { ...rest, type: 'object', required, properties: Object.fromEntries(properties) },
    requiredWhen: Object.fromEntries(later),
  };
}

function isSingle(item: Json): boolean {
  return isObject(item) && item.properties === undefined && item.type !== 'array' && item.type !== 'object';
}

function buildItemSchema(item: JsonObject, given: Json | undefined): JsonObject {
  const choices: JsonObject = item.type === 'boolean' && item.enum === undefined ? { enum: [true, false] } : {};
  return { ...item, ...choices, ...(given === undefined ? {} : { default: given }) };
}

/** Reports field names that are numbers, which are reserved for fixed items. */
export function reportNumericFieldNames(report: ProblemReporter, node: Json, at = ''): void {
  if (!isObject(node) && !Array.isArray(node)) return;
  for (const [key, part] of Object.entries(node)) {
    const place = `${at}/${escapePointer(key)}`;
    if (/\/properties$/.test(at) && /^\d+$/.test(key))
      report(place)(explain`"${key}" is not a valid field name.
        Begin it with a letter: digits are positions of an array ("prefixItems").`);
    reportNumericFieldNames(report, part, place);
  }
}

export interface ConditionScope {
  readonly report: ProblemReporter;
  /** Fields that every valid form contains. */
  readonly required: ReadonlySet<string>;
}

/** Converts an "if" schema to a rule, or to `null` if it is always true. As in JSON Schema, "properties" does not constrain absent fields. */
export function convertIfSchemaToRule(
  scope: ConditionScope,
  node: JsonObject,
  at: string,
  within = '',
): JsonLogic | null {
  const required = listRequiredProperties(node);
  const parts: (JsonLogic | null)[] = required.map((name) => buildPresenceRule(within + name));
  for (const [keyword, value] of Object.entries(node)) {
    const place = `${at}/${escapePointer(keyword)}`;
    if (keyword === 'properties') {
      for (const [name, field] of Object.entries(readSchemaProperties(node))) {
        const full = within + name;
        const own = lowerFieldCondition(scope, field, `${place}/${escapePointer(name)}`, full);
        const isThere = required.includes(name) || scope.required.has(full);
        parts.push(own === null || isThere ? own : joinRulesWithOr([negateRule(buildPresenceRule(full)), own]));
      }
    } else if (!['type', 'required', ...annotationKeywords].includes(keyword))
      parts.push(
        combineConditions(scope, { keyword, value, at: place }, (part, where) =>
          convertIfSchemaToRule(scope, part, where, within),
        ),
      );
  }
  return joinRulesWithAnd(parts);
}

function lowerFieldCondition(scope: ConditionScope, field: JsonObject, at: string, name: string): JsonLogic | null {
  if (field.properties !== undefined) return convertIfSchemaToRule(scope, field, at, `${name}.`);
  const value: JsonLogic = { var: `form.${name}` };
  return joinRulesWithAnd(
    Object.entries(field).map(([keyword, wanted]): JsonLogic | null => {
      if (keyword === 'type' || annotationKeywords.includes(keyword)) return null;
      if (keyword === 'const') return { '===': [value, wanted] };
      if (keyword === 'enum') return { in: [value, wanted] };
      if (keyword === 'minLength' && wanted === 1) return buildPresenceRule(name);
      if (keyword === 'contains' && isObject(wanted) && 'const' in wanted) return { in: [wanted.const as Json, value] };
      const compare = Object.hasOwn(comparisons, keyword) ? comparisons[keyword] : undefined;
      if (compare !== undefined) return { and: [buildPresenceRule(name), { [compare]: [value, wanted] }] };
      const place = { keyword, value: wanted, at: `${at}/${escapePointer(keyword)}` };
      return combineConditions(scope, place, (part, where) => lowerFieldCondition(scope, part, where, name));
    }),
  );
}

const comparisons: Readonly<Record<string, string>> = {
  minimum: '>=',
  maximum: '<=',
  exclusiveMinimum: '>',
  exclusiveMaximum: '<',
};

interface SchemaKeyword {
  readonly keyword: string;
  readonly value: Json;
  readonly at: string;
}

function combineConditions(
  { report }: ConditionScope,
  { keyword, value, at }: SchemaKeyword,
  of: (part: JsonObject, at: string) => JsonLogic | null,
): JsonLogic | null {
  if (keyword === 'not' && isObject(value)) return negateRule(of(value, at));
  if ((keyword === 'allOf' || keyword === 'anyOf') && Array.isArray(value)) {
    const parts = value.map((part: Json, index) => of(asObject(part), `${at}/${index}`));
    return keyword === 'allOf' ? joinRulesWithAnd(parts) : joinRulesWithOr(parts);
  }
  report(at)(explain`A condition cannot use "${keyword}".
    It accepts "properties" and "required"; in their fields "const", "enum", "contains", "minimum", "maximum" and the exclusive limits; and "not", "allOf" and "anyOf" of all these.`);
  return null;
}

/** Returns a rule that is true if a value is filled in. 0 and false count as values. */
export function buildPresenceRule(name: string): JsonLogic {
  return { '!': [{ missing: [`form.${name}`] }] };
}

/** Negates a rule. `null` is a rule that is always true. */
export function negateRule(rule: JsonLogic | null): JsonLogic {
  return rule === null ? false : { '!': [rule] };
}

/** Joins rules with "and". Returns `null` if the result is always true. */
export function joinRulesWithAnd(rules: readonly (JsonLogic | null)[]): JsonLogic | null {
  const definedRules = rules.filter((rule): rule is JsonLogic => rule !== null);
  return definedRules.length > 1 ? { and: definedRules } : (definedRules[0] ?? null);
}

export function joinRulesWithOr(rules: readonly (JsonLogic | null)[]): JsonLogic | null {
  if (rules.includes(null)) return null;
  const definedRules = [...new Map(rules.map((rule) => [JSON.stringify(rule), rule as JsonLogic])).values()]; // cast: none of the rules is `null` here
  return definedRules.length > 1 ? { or: definedRules } : (definedRules[0] ?? null);
}
