import type { Logic } from '../../core/definition.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { notes } from '../screen/fields-of-schema.ts';
import type { Report } from '../sources/report.ts';
import { explain } from '../sources/say.ts';
import { joinWithAnd, not } from './conditions.ts';
import { mergeFields } from './merge-fields.ts';

/** A field in one part of the schema. `when` is the condition of that part, or `null` if it always applies. */
export interface Occurrence {
  readonly name: string;
  readonly field: JsonObject;
  readonly when: Logic | null;
  readonly at: string;
}

/** Returns the values that a field is limited to. Empty if there is no limit. */
export function listAllowedValues(field: JsonObject): readonly Json[] {
  if (field.const !== undefined) return [field.const];
  const choices = isObject(field.items) ? (field.items as JsonObject).enum : field.enum;
  return Array.isArray(choices) ? choices : [];
}

/** Combines all occurrences of a field in the schema. */
export function combined(
  report: Report,
  occurrences: readonly Occurrence[],
): { readonly field: JsonObject; readonly offered?: readonly Logic[] } {
  const always = occurrences.filter(({ when }) => when === null);
  const [first, ...others] = always.length > 0 ? always : occurrences;
  let field = first?.field ?? {};
  for (const { field: other, at } of others) {
    const both = always.length > 0 ? mergeFields(field, other) : withChoices(field, other);
    if (both) field = both;
    else reportOther(report, at, first?.name ?? '');
  }
  const sometimes = occurrences.filter(({ when }) => when !== null);
  for (const { field: other, at, name } of always.length > 0 ? sometimes : [])
    if (!saysLess(other, field)) reportOther(report, at, name);
  const choices = listAllowedValues(field);
  const bounds = sometimes.filter(({ field: other }) => listAllowedValues(other).length > 0);
  if (
    choices.length === 0 ||
    bounds.every(({ field: other }) => choices.every((one) => listAllowedValues(other).includes(one)))
  )
    return { field };
  const offered = choices.map((choice) => {
    const against = bounds.filter(({ field: other }) => !listAllowedValues(other).includes(choice));
    return joinWithAnd(against.map(({ when }) => not(when))) ?? true;
  });
  return { field, offered };
}

function reportOther(report: Report, at: string, name: string): void {
  report(at)(explain`"${name}" has other rules here than elsewhere in the schema.
    Beside "enum" and "const", which say what is offered, write the same rules, or give each case a field of its own.`);
}

/** Merges the choices of two schemas. Returns `null` if they differ otherwise. */
function withChoices(one: JsonObject, other: JsonObject): JsonObject | null {
  if (JSON.stringify(withoutChoices(one)) !== JSON.stringify(withoutChoices(other))) return null;
  const choices = [...new Set([...listAllowedValues(one), ...listAllowedValues(other)])];
  if (choices.length === 0) return one;
  const { const: _, enumNames: _names, ...rest } = one;
  const names = new Map([...listChoiceNames(one), ...listChoiceNames(other)]);
  const named: JsonObject = choices.every((choice) => names.has(choice))
    ? { enumNames: choices.map((choice) => names.get(choice) ?? null) }
    : {};
  return isObject(one.items)
    ? { ...rest, items: { ...(one.items as JsonObject), enum: choices } }
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

/** Whether one schema adds no rule to another, except that it may have fewer choices. */
function saysLess(one: JsonObject, other: JsonObject): boolean {
  const bounded = listAllowedValues(one).every((value) => listAllowedValues(other).includes(value));
  return bounded && isPart(withoutChoices(one), withoutChoices(other));
}

function isPart(one: Json, other: Json | undefined): boolean {
  if (!isObject(one) || !isObject(other)) return JSON.stringify(one) === JSON.stringify(other);
  const known = other as JsonObject;
  return Object.entries(one as JsonObject).every(([keyword, value]) => isPart(value, known[keyword]));
}

function withoutChoices(field: JsonObject): JsonObject {
  const rest = Object.entries(field).filter(([word]) => !['enum', 'const', 'enumNames', ...notes].includes(word));
  return Object.fromEntries(
    rest.map(([word, value]) => [
      word,
      word === 'items' && isObject(value) ? withoutChoices(value as JsonObject) : value,
    ]),
  );
}
