import {
  setFieldValue,
  getFieldValue,
  listEnclosingObjectNames,
  isFieldWithin,
  joinItemFieldName,
  splitFieldName,
  isFieldGroupSchema,
} from '../../core/field-path.ts';
import { isObject, type Json, type ValuesByName, type JsonObject } from '../../core/json.ts';
import { emitServedDefinitions } from '../compile-definitions.ts';
import type { FormCheckResult } from '../definitions.ts';
import { importScreenModuleSource } from '../load-definitions.ts';
import type { DefinitionFiles } from '../files/read-definition-files.ts';
import type { CheckedScreen } from '../intermediate-representation.ts';
import { DefinitionLoadCache } from '../sources/load-cache.ts';
import {
  listFieldGroupSchemas,
  isListSchema,
  normalizeItemSchema,
  flattenFields,
  listRequiredProperties,
  replaceFieldSchema,
} from '../screen/schema-fields.ts';

/** Returns values for which a mutant may differ, derived from the field's value in a valid case. `undefined` means an absent field. */
type Candidates = (value: unknown) => readonly (Json | undefined)[];

interface Mutant {
  readonly field: string;
  /** Names of the enclosing lists, outermost first, then the name in the innermost item, which is empty for a single value. */
  readonly fieldPath: readonly string[];
  /** `required` (also of a conditional requirement such as `dependentRequired`), `visible`, or a keyword with its change, e.g. `maxLength +1`, `pattern ^` or `enum "a"`. */
  readonly rule: string;
  readonly screen: CheckedScreen;
  readonly candidates: Candidates;
}

/** In each mutant, one rule is removed, one limit changed by one, or one anchor or choice removed. Does not mutate types and texts. */
function createMutants(screen: CheckedScreen): readonly Mutant[] {
  const { schema } = screen;
  if (!schema) return [];
  const ofSchema = createSchemaMutants(schema).map(({ schema: changed, ...rest }): Mutant => {
    return { ...rest, screen: { ...screen, schema: changed } };
  });
  const { visible = {} } = screen.ui;
  const ofVisible = Object.keys(visible).map((name): Mutant => {
    const rest = Object.fromEntries(Object.entries(visible).filter(([other]) => other !== name));
    const uis = new Map([...screen.uis].map(([language, ui]) => [language, { ...ui, visible: rest }]));
    return {
      field: name,
      fieldPath: resolveFieldPath(schema, name),
      rule: 'visible',
      screen: { ...screen, ui: { ...screen.ui, visible: rest }, uis },
      candidates: nothing,
    };
  });
  const { requiredWhen } = screen.conditions;
  const ofRequiredWhen = Object.keys(requiredWhen).map((name): Mutant => {
    const rest = Object.fromEntries(Object.entries(requiredWhen).filter(([other]) => other !== name));
    return {
      field: name,
      fieldPath: resolveFieldPath(schema, name),
      rule: 'required',
      screen: { ...screen, conditions: { ...screen.conditions, requiredWhen: rest } },
      candidates: nothing,
    };
  });
  return [...ofSchema, ...ofVisible, ...ofRequiredWhen];
}

function resolveFieldPath(schema: JsonObject, name: string): readonly string[] {
  const list = listListFields(schema).find(([one]) => isFieldWithin(name, joinItemFieldName(one, '')));
  if (!list) return [name];
  const [around, field] = list;
  return [
    around,
    ...resolveFieldPath(normalizeItemSchema(field), name.slice(joinItemFieldName(around, '').length + 1)),
  ];
}

function listListFields(schema: JsonObject): readonly (readonly [name: string, field: JsonObject])[] {
  return Object.entries(flattenFields(schema)).filter(([, field]) => isListSchema(field));
}

type SchemaMutant = Omit<Mutant, 'screen'> & { readonly schema: JsonObject };

const nothing: Candidates = () => [undefined];

function createSchemaMutants(schema: JsonObject): readonly SchemaMutant[] {
  const ofFields = Object.entries(flattenFields(schema)).flatMap(([name, field]) =>
    createFieldChanges(field).map(([rule, changed, candidates]): SchemaMutant => {
      return { field: name, fieldPath: [name], rule, schema: replaceFieldSchema(schema, name, changed), candidates };
    }),
  );
  const groups = listFieldGroupSchemas(schema);
  const createRequiredMutants = (holder: JsonObject, within: string) =>
    listRequiredProperties(holder).map((step) => within + step);
  const names = [
    ...createRequiredMutants(schema, ''),
    ...Object.entries(groups).flatMap(([name, group]) => createRequiredMutants(group, `${name}.`)),
  ];
  const ofRequired = names.map((name): SchemaMutant => {
    return {
      field: name,
      fieldPath: [name],
      rule: 'required',
      schema: makeOptional(schema, name),
      candidates: nothing,
    };
  });
  const ofLists = listListFields(schema).flatMap(([list, field]) => createItemMutants(schema, list, field));
  return [...ofFields, ...ofRequired, ...ofLists];
}

function createItemMutants(schema: JsonObject, list: string, field: JsonObject): readonly SchemaMutant[] {
  const item = normalizeItemSchema(field);
  const isObject = isFieldGroupSchema(field.items as JsonObject); // cast: `isListSchema` guarantees that the items are a schema
  const mutants = createSchemaMutants(item).filter(({ rule, field: name }) => name !== '' || rule !== 'required');
  return mutants.map(({ field: name, fieldPath, schema: changed, ...rest }) => ({
    ...rest,
    field: joinItemFieldName(list, name),
    fieldPath: [list, ...fieldPath],
    schema: replaceFieldSchema(schema, list, {
      ...field,
      items: isObject ? changed : (flattenFields(changed)[''] ?? {}),
    }),
  }));
}

function makeOptional(schema: JsonObject, name: string): JsonObject {
  const group = listEnclosingObjectNames(name).at(-1);
  const holder = group === undefined ? schema : (listFieldGroupSchemas(schema)[group] ?? {});
  const step = splitFieldName(name).at(-1);
  const changed = { ...holder, required: listRequiredProperties(holder).filter((other) => other !== step) };
  return group === undefined ? changed : replaceFieldSchema(schema, group, changed);
}

type FieldChange = readonly [rule: string, changed: JsonObject, candidates: Candidates];

function createFieldChanges(field: JsonObject): readonly FieldChange[] {
  return Object.entries(field).flatMap(([keyword, value]): readonly FieldChange[] => {
    const { [keyword]: _, ...without } = field;
    const limit = Number(value);
    /** Changes a limit by one. A value at the new limit detects a looser limit. A value at the old limit detects a stricter one. */
    const changeLimit = (by: 1 | -1, outwards: boolean, made: (size: number, value: unknown) => Json): FieldChange => [
      `${keyword} ${by > 0 ? '+' : '-'}1`,
      { ...field, [keyword]: limit + by },
      (present) => [made(outwards ? limit + by : limit, present)],
    ];
    const change = limitKeywords[keyword];
    if (change)
      return [
        changeLimit(change.looser, true, change.make),
        changeLimit(change.looser === 1 ? -1 : 1, false, change.make),
      ];
    if (keyword === 'pattern') return createPatternChanges(field, String(value), without);
    if (keyword === 'const')
      return [[keyword, without, () => [typeof value === 'boolean' ? !value : `${String(value)}x`]]];
    if (keyword === 'format') return [[keyword, without, () => ['x']]];
    if (keyword !== 'enum' || !Array.isArray(value)) return [];
    return value.map((choice: Json): FieldChange => [
      `${keyword} ${JSON.stringify(choice)}`,
      { ...field, enum: value.filter((other: Json) => other !== choice) },
      () => [choice],
    ]);
  });
}

/** Keywords with a numeric limit. `looser` is the change that allows more values. `make` creates a value of a given size. */
const limitKeywords: Readonly<Record<string, { looser: 1 | -1; make: (size: number, value: unknown) => Json }>> = {
  maxLength: { looser: 1, make: createLongText },
  minLength: { looser: -1, make: createLongText },
  minimum: { looser: -1, make: (size) => size },
  maximum: { looser: 1, make: (size) => size },
  minItems: { looser: -1, make: createLongList },
  maxItems: { looser: 1, make: createLongList },
};

function createPatternChanges(field: JsonObject, pattern: string, without: JsonObject): readonly FieldChange[] {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const before: Candidates = (value) => [`-${text(value)}`, ` ${text(value)}`, `x${text(value)}`];
  const behind: Candidates = (value) => [`${text(value)}-`, `${text(value)} `, `${text(value)}x`];
  return [
    ['pattern', without, () => ['x', '1', '-', ' ', '_']],
    ...(pattern.startsWith('^') ? [['pattern ^', { ...field, pattern: pattern.slice(1) }, before] as const] : []),
    ...(pattern.endsWith('$') ? [['pattern $', { ...field, pattern: pattern.slice(0, -1) }, behind] as const] : []),
  ];
}

function createLongText(length: number): string {
  return 'a'.repeat(Math.max(0, length));
}

function createLongList(length: number, value: unknown): Json {
  const items = Array.isArray(value) ? (value as readonly Json[]) : [];
  return Array.from(
    { length: items.length > 0 ? Math.max(0, length) : 0 },
    (_, at) => items[at % items.length] ?? null,
  );
}

export interface ScreenTestCase {
  readonly data: ValuesByName;
  readonly context: ValuesByName;
}

/** A rule whose mutation no case detects. `proposal` is a case that detects the mutation, with the errors of the original screen. */
export interface UncoveredRule {
  readonly field: string;
  readonly rule: string;
  readonly proposal: (ScreenTestCase & { readonly errors: FormCheckResult['errors'] }) | null;
}

export async function findUncoveredRules(
  set: DefinitionFiles,
  screen: CheckedScreen,
  cases: readonly ScreenTestCase[],
  fields?: readonly string[],
): Promise<{ readonly tried: number; readonly uncovered: readonly UncoveredRule[] }> {
  const cache = new DefinitionLoadCache(); // mutants of visibility and requirement share the generated code
  const own = await createCheck(set, screen, cache);
  const errorsByCase = new Map(cases.map((one) => [one, own(one)]));
  const expected = new Map([...errorsByCase].map(([one, errors]) => [one, serialize(errors)]));
  const countErrors = (one: ScreenTestCase) => Object.keys(errorsByCase.get(one) ?? {}).length;
  const validFirst = [...cases].sort((a, b) => countErrors(a) - countErrors(b)); // other errors could hide the error of a field
  const mutants = createMutants(screen).filter(({ field }) => fields?.includes(field) ?? true);
  const uncovered: UncoveredRule[] = [];
  for (const mutant of mutants) {
    const changed = await createCheck(set, mutant.screen, cache).catch(() => null); // `null` if the schema of the mutant is invalid
    const detectsMutant = (one: ScreenTestCase) =>
      changed !== null && (expected.get(one) ?? serialize(own(one))) !== serialize(changed(one));
    if (changed === null || cases.some(detectsMutant)) continue;
    const proposed = proposeCases(mutant, validFirst).find(detectsMutant);
    uncovered.push({
      field: mutant.field,
      rule: mutant.rule,
      proposal: proposed ? { ...proposed, errors: own(proposed) } : null,
    });
  }
  return { tried: mutants.length, uncovered };
}

type Check = (one: ScreenTestCase) => FormCheckResult['errors'];

async function createCheck(set: DefinitionFiles, screen: CheckedScreen, cache: DefinitionLoadCache): Promise<Check> {
  const language = set.baseLanguage;
  const uis = new Map([...screen.uis].filter(([own]) => own === language));
  const definitions = await emitServedDefinitions({
    set,
    screens: [{ ...screen, uis }],
    flows: [],
    findings: [],
    language,
    cache,
    run: importScreenModuleSource,
  });
  return ({ data, context }) => definitions.check(screen.id, data, { language, context }).errors;
}

/** Proposes cases that may detect a mutant. */
function proposeCases({ fieldPath, candidates }: Mutant, cases: readonly ScreenTestCase[]): readonly ScreenTestCase[] {
  return cases.flatMap(({ data, context }) =>
    candidates(findValue(data, fieldPath)).map((candidate) => ({
      data: replaceValue(data, fieldPath, candidate) as ValuesByName, // cast: the outermost value is a form
      context,
    })),
  );
}

function findValue(holder: unknown, [name = '', ...inner]: Mutant['fieldPath']): unknown {
  const value = name === '' ? holder : isObject(holder) ? getFieldValue(holder, name) : undefined;
  return inner.length === 0 ? value : findValue(toList(value)[0], inner);
}

function replaceValue(holder: unknown, [name = '', ...inner]: Mutant['fieldPath'], value: Json | undefined): unknown {
  const items = toList(findValue(holder, [name]));
  const own = inner.length === 0 ? value : [replaceValue(items[0], inner, value), ...items.slice(1)];
  if (name === '') return own;
  const copy = isObject(holder) ? { ...holder } : {};
  setFieldValue(copy, name, own);
  return copy;
}

function toList(items: unknown): readonly unknown[] {
  return Array.isArray(items) ? items : [];
}

function serialize(errors: FormCheckResult['errors']): string {
  return JSON.stringify(Object.entries(errors).sort());
}
