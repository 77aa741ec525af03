import type { JsonLogic } from '../../core/flow-and-screen-types.ts';
import { asObject, isObject, mapValues, type Json, type JsonObject } from '../../core/json.ts';
import { annotationKeywords, readSchemaProperties, listRequiredProperties } from '../screen/schema-fields.ts';
import type { ProblemReporter } from '../sources/problem-collector.ts';
import { explain } from '../sources/localized-text.ts';
import { joinRulesWithAnd, negateRule, joinRulesWithOr, buildPresenceRule } from './convert-if-schema.ts';
import { isFieldGroupSchema } from '../../core/field-path.ts';

/** Merges "allOf". Converts constants with titles to "enum" if the page shows the texts of schemas (`named`). A later check reports what remains. */
export function simplifyFieldSchema(field: JsonObject, named: boolean): JsonObject {
  const { allOf, ...rest } = field;
  const parts: readonly Json[] = Array.isArray(allOf) ? [rest, ...allOf] : [rest];
  const merged = parts
    .map((part) => simplifyChoices(asObject(part), named))
    .reduce<JsonObject | null>((all, part) => all && intersectSchemas(all, part), {});
  if (!merged) return field;
  const { items } = merged;
  const plain = isObject(items) ? { ...merged, items: simplifyFieldSchema(items, named) } : merged;
  if (!isFieldGroupSchema(plain)) return plain;
  return { ...plain, properties: mapValues(readSchemaProperties(plain), (inner) => simplifyFieldSchema(inner, named)) };
}

function simplifyChoices(field: JsonObject, named: boolean): JsonObject {
  if (!named) return field;
  const keyword = ['oneOf', 'anyOf'].find((word) => Array.isArray(field[word]));
  if (keyword === undefined) return field;
  const { [keyword]: alternatives, ...rest } = field;
  const constants = alternatives as readonly Json[]; // cast: the search above only returns arrays
  if (constants.length === 0 || !constants.every((one) => isObject(one) && Object.hasOwn(one, 'const'))) return field;
  const choices = constants as readonly JsonObject[];
  const values = choices.map((choice) => choice.const ?? null);
  const names = choices.map(({ title, const: value = null }) => title ?? String(value));
  const [type] = new Set(values.map((value) => typeof value));
  return { ...(type === undefined ? {} : { type }), ...rest, enum: values, enumNames: names };
}

const lowerBounds = new Set(['minLength', 'minItems', 'minimum', 'exclusiveMinimum']);
const upperBounds = new Set(['maxLength', 'maxItems', 'maximum', 'exclusiveMaximum']);

/** Returns the intersection of two schemas. Returns `null` if one schema cannot represent it. */
export function intersectSchemas(
  one: JsonObject,
  other: JsonObject,
  merge: (keyword: string, one: Json, other: Json) => Json | null = mergeValues,
): JsonObject | null {
  const merged: Record<string, Json> = { ...one };
  for (const [keyword, value] of Object.entries(other)) {
    const known = merged[keyword];
    const both = known === undefined ? value : merge(keyword, known, value);
    if (both === null) return null;
    merged[keyword] = both;
  }
  return merged;
}

function mergeValues(keyword: string, one: Json, other: Json): Json | null {
  if (JSON.stringify(one) === JSON.stringify(other) || keyword === 'default' || annotationKeywords.includes(keyword))
    return other;
  if (typeof one === 'number' && typeof other === 'number') {
    if (lowerBounds.has(keyword)) return Math.max(one, other);
    if (upperBounds.has(keyword)) return Math.min(one, other);
  }
  if (keyword === 'type') return mergeTypes(one, other);
  if (Array.isArray(one) && Array.isArray(other)) {
    if (keyword === 'required') return [...new Set([...one, ...other])];
    if (keyword === 'enum') return one.filter((value: Json) => other.includes(value));
  }
  if (keyword === 'properties' && isObject(one) && isObject(other))
    return intersectSchemas(one, other, (_, known, field) =>
      isObject(known) && isObject(field) ? intersectSchemas(known, field) : field,
    );
  return null;
}

function mergeTypes(one: Json, other: Json): Json | null {
  const types = [one].flat() as readonly Json[];
  const common = types.filter((type) => ([other].flat() as readonly Json[]).includes(type));
  if (common.length === 0 && [one, other].includes('integer') && [one, other].includes('number')) return 'integer';
  return common.length === 0 ? null : common.length === 1 ? (common[0] ?? null) : common;
}

/** A field in one part of the schema. `when` is the condition of that part, or `null` if the part always applies. */
export interface FieldOccurrence {
  readonly name: string;
  readonly field: JsonObject;
  readonly when: JsonLogic | null;
  readonly at: string;
}

function listAllowedValues(field: JsonObject): readonly Json[] {
  if (field.const !== undefined) return [field.const];
  const choices = isObject(field.items) ? field.items.enum : field.enum;
  return Array.isArray(choices) ? choices : [];
}

export function combineFieldOccurrences(
  report: ProblemReporter,
  occurrences: readonly FieldOccurrence[],
): { readonly field: JsonObject; readonly offered?: readonly JsonLogic[] } {
  const always = occurrences.filter(({ when }) => when === null);
  const [first, ...others] = always.length > 0 ? always : occurrences;
  let field = first?.field ?? {};
  for (const { field: other, at } of others) {
    const both = always.length > 0 ? intersectSchemas(field, other) : mergeChoices(field, other);
    if (both) field = both;
    else reportConflict(report, at, first?.name ?? '');
  }
  const sometimes = occurrences.filter(({ when }) => when !== null);
  for (const { field: other, at, name } of always.length > 0 ? sometimes : [])
    if (!isWeakerSchema(other, field)) reportConflict(report, at, name);
  const choices = listAllowedValues(field);
  const bounds = sometimes.filter(({ field: other }) => listAllowedValues(other).length > 0);
  if (
    choices.length === 0 ||
    bounds.every(({ field: other }) => choices.every((one) => listAllowedValues(other).includes(one)))
  )
    return { field };
  const offered = choices.map((choice) => {
    const against = bounds.filter(({ field: other }) => !listAllowedValues(other).includes(choice));
    return joinRulesWithAnd(against.map(({ when }) => negateRule(when))) ?? true;
  });
  return { field, offered };
}

function reportConflict(report: ProblemReporter, at: string, name: string): void {
  report(at)(explain`"${name}" has different rules here than elsewhere in the schema.
    Write the same rules (only "enum" and "const" may differ), or give each case its own field.`);
}

function mergeChoices(one: JsonObject, other: JsonObject): JsonObject | null {
  if (JSON.stringify(omitChoices(one)) !== JSON.stringify(omitChoices(other))) return null;
  const choices = [...new Set([...listAllowedValues(one), ...listAllowedValues(other)])];
  if (choices.length === 0) return one;
  const { const: _, enumNames: _names, ...rest } = one;
  const names = new Map([...listChoiceNames(one), ...listChoiceNames(other)]);
  const named: JsonObject = choices.every((choice) => names.has(choice))
    ? { enumNames: choices.map((choice) => names.get(choice) ?? null) }
    : {};
  return isObject(one.items)
    ? { ...rest, items: { ...one.items, enum: choices } }
    : { ...rest, ...named, enum: choices };
}

function listChoiceNames({
  enum: choices,
  enumNames: names,
}: JsonObject): readonly (readonly [choice: Json, name: Json])[] {
  return Array.isArray(choices) && Array.isArray(names)
    ? choices.map((choice: Json, index) => [choice, (names[index] as Json | undefined) ?? null])
    : [];
}

/** Whether another schema has every keyword of a schema, except choices, and allows each of its choices. */
function isWeakerSchema(one: JsonObject, other: JsonObject): boolean {
  const bounded = listAllowedValues(one).every((value) => listAllowedValues(other).includes(value));
  return bounded && isSubset(omitChoices(one), omitChoices(other));
}

function isSubset(one: Json, other: Json | undefined): boolean {
  if (!isObject(one) || !isObject(other)) return JSON.stringify(one) === JSON.stringify(other);
  return Object.entries(one).every(([keyword, value]) => isSubset(value, other[keyword]));
}

function omitChoices(field: JsonObject): JsonObject {
  const rest = Object.entries(field).filter(
    ([word]) => !['enum', 'const', 'enumNames', ...annotationKeywords].includes(word),
  );
  return Object.fromEntries(
    rest.map(([word, value]) => [word, word === 'items' && isObject(value) ? omitChoices(value) : value]),
  );
}

interface DiscriminatorField {
  readonly name: string;
  readonly field: JsonObject;
  readonly values: readonly (readonly Json[])[];
  readonly required: boolean;
  /** Rule that derives the value from other fields. Absent if the schema itself has the field. A derived value is never sent. */
  readonly decidedBy?: JsonLogic;
}

interface Alternatives {
  readonly keyword: 'oneOf' | 'anyOf';
  readonly title: Json | undefined;
  readonly branches: readonly JsonObject[];
  readonly isTaken: (name: string) => boolean;
  readonly named: boolean;
}

/** Returns the field that selects an alternative: one with distinct values in each, or else an additional choice named like the keyword. */
export function findDiscriminatorField(alternatives: Alternatives): DiscriminatorField | undefined {
  return findSchemaField(alternatives) ?? createChoiceField(alternatives);
}

function findSchemaField({ keyword, branches }: Alternatives): DiscriminatorField | undefined {
  const listValues = (name: string) =>
    branches.map((branch) => listAllowedValues(readSchemaProperties(branch)[name] ?? {}));
  const name = Object.keys(readSchemaProperties(branches[0] ?? {})).find((one) => {
    const all = listValues(one).flat();
    return listValues(one).every((own) => own.length > 0) && new Set(all).size === all.length;
  });
  if (name === undefined) return undefined;
  const values = listValues(name);
  const type = typeof values[0]?.[0];
  const choices: JsonObject = type === 'boolean' ? {} : { enum: values.flat() }; // a boolean field is a checkbox, which has no choices
  return { name, field: { type, ...choices }, values, required: keyword === 'oneOf' };
}

/** An alternative. `own` has the fields that no other alternative has. `ownRequired` has the required fields among these. */
interface Branch {
  readonly own: readonly string[];
  readonly ownRequired: readonly string[];
  readonly required: readonly string[];
}

function createChoiceField({ keyword, title, branches, isTaken, named }: Alternatives): DiscriminatorField | undefined {
  const read = branches.map((branch): Branch => {
    const others = branches.filter((one) => one !== branch).flatMap((one) => Object.keys(readSchemaProperties(one)));
    const own = Object.keys(readSchemaProperties(branch)).filter((name) => !others.includes(name));
    const required = listRequiredProperties(branch);
    return { own, ownRequired: required.filter((name) => own.includes(name)), required };
  });
  const isSaid = read.every(({ own, ownRequired }) => (keyword === 'oneOf' ? ownRequired : own).length > 0);
  if (!isSaid || isTaken(keyword)) return undefined;
  const values = branches.map((_, index) => String(index + 1));
  const names = branches.map(findTitle);
  return {
    name: keyword,
    field: {
      type: 'string',
      ...(title === undefined ? {} : { title }),
      enum: values,
      ...(named && names.every((name) => name !== undefined) ? { enumNames: names } : {}),
    },
    values: values.map((value) => [value]),
    required: read.every(({ required }) => required.length > 0),
    decidedBy: buildSelectionRule(keyword, read, values),
  };
}

// Returns the rule that selects a value according to which fields are filled in. "oneOf" requires exactly one match. "anyOf" selects the first match.
function buildSelectionRule(
  keyword: 'oneOf' | 'anyOf',
  branches: readonly Branch[],
  values: readonly string[],
): JsonLogic {
  const rules = branches.map(({ own, required }) =>
    required.length > 0
      ? joinRulesWithAnd(required.map(buildPresenceRule))
      : joinRulesWithOr(own.map(buildPresenceRule)),
  );
  const cases = rules.flatMap((rule, index): readonly JsonLogic[] => {
    const others = keyword === 'oneOf' ? rules.filter((one) => one !== rule).map(negateRule) : [];
    return [joinRulesWithAnd([rule, ...others]) ?? true, values[index] ?? null];
  });
  return { if: [...cases, null] };
}

function findTitle(branch: JsonObject): Json | undefined {
  if (branch.title !== undefined) return branch.title;
  const titles = Object.values(readSchemaProperties(branch)).map(({ title }) => title);
  return titles.length > 0 && titles.every((title) => typeof title === 'string') ? titles.join(', ') : undefined;
}
