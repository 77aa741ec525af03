import type { Logic } from '../../core/definition.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { readProperties, listRequired } from '../screen/fields-of-schema.ts';
import { joinWithAnd, joinWithOr, isPresent, not } from './conditions.ts';
import { listAllowedValues } from './combine-field.ts';

/** A field whose value selects one of several alternatives. */
export interface DecidingField {
  readonly name: string;
  readonly field: JsonObject;
  readonly values: readonly (readonly Json[])[];
  readonly required: boolean;
  /** Rule that derives the value from other fields. Only for a field that the schema does not have, which is never sent. */
  readonly decidedBy?: Logic;
}

interface Alternatives {
  readonly keyword: 'oneOf' | 'anyOf';
  readonly title: Json | undefined;
  readonly branches: readonly JsonObject[];
  readonly isTaken: (name: string) => boolean;
  /** Whether texts of the schema are shown. */
  readonly named: boolean;
}

/**
 * Returns the field that selects an alternative: a field with distinct values in each of them, or else an additional choice named like the keyword.
 * Returns `undefined` if the answers do not determine the alternative.
 */
export function decidingField(alternatives: Alternatives): DecidingField | undefined {
  return findSchemaField(alternatives) ?? createChoiceField(alternatives);
}

function findSchemaField({ keyword, branches }: Alternatives): DecidingField | undefined {
  const valuesIn = (name: string) => branches.map((branch) => listAllowedValues(readProperties(branch)[name] ?? {}));
  const name = Object.keys(readProperties(branches[0] ?? {})).find((one) => {
    const all = valuesIn(one).flat();
    return valuesIn(one).every((own) => own.length > 0) && new Set(all).size === all.length;
  });
  if (name === undefined) return undefined;
  const values = valuesIn(name);
  const type = typeof values[0]?.[0];
  const choices: JsonObject = type === 'boolean' ? {} : { enum: values.flat() }; // a checkbox has no choices
  return { name, field: { type, ...choices }, values, required: keyword === 'oneOf' };
}

/** An alternative. `own` has the fields that no other alternative has, and `ownRequired` the required ones of them. */
interface Branch {
  readonly own: readonly string[];
  readonly ownRequired: readonly string[];
  readonly required: readonly string[];
}

function createChoiceField({ keyword, title, branches, isTaken, named }: Alternatives): DecidingField | undefined {
  const read = branches.map((branch): Branch => {
    const others = branches.filter((one) => one !== branch).flatMap((one) => Object.keys(readProperties(one)));
    const own = Object.keys(readProperties(branch)).filter((name) => !others.includes(name));
    const required = listRequired(branch);
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
    decidedBy: decided(keyword, read, values),
  };
}

// For "oneOf", exactly one alternative has to match. For "anyOf", the first match is selected.
function decided(keyword: 'oneOf' | 'anyOf', branches: readonly Branch[], values: readonly string[]): Logic {
  const rules = branches.map(({ own, required }) =>
    required.length > 0 ? joinWithAnd(required.map(isPresent)) : joinWithOr(own.map(isPresent)),
  );
  const cases = rules.flatMap((rule, index): readonly Logic[] => {
    const others = keyword === 'oneOf' ? rules.filter((one) => one !== rule).map(not) : [];
    return [joinWithAnd([rule, ...others]) ?? true, values[index] ?? null];
  });
  return { if: [...cases, null] };
}

function findTitle(branch: JsonObject): Json | undefined {
  if (branch.title !== undefined) return branch.title;
  const titles = Object.values(readProperties(branch)).map(({ title }) => title);
  return titles.length > 0 && titles.every((title) => typeof title === 'string') ? titles.join(', ') : undefined;
}
