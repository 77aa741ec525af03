import type { JsonLogic } from '../../../engine/core/flow-and-screen-types.ts';
import { asObject, isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import type { JsonEdit, StudioDefinitions } from '../../studio-api-types.ts';
import { readFileList, readFileObject, buildScreenFilePaths, readScreenSchemaValue } from '../definition-set.ts';
import { createRequiredEdits, listSchemaFields } from './field-pointers.ts';
import { asListOrEmpty, splitLogicOperation } from '../../json-values.ts';
import { parseFieldVariable } from '../../../engine/core/field-path.ts';

/** An `if` of a schema, whose `then` only makes one field required. */
interface RequiredEntry {
  /** Pointer to the object with `if` and `then`. Empty for the schema itself. */
  readonly pointer: string;
  readonly logic: JsonLogic | null;
}

/** Returns `undefined` if there is no condition, and `null` if the form cannot represent it. */
export function findRequiredCondition(
  set: StudioDefinitions,
  screen: string,
  field: string,
): JsonLogic | undefined | null {
  const entries = listEntries(set, screen, field);
  const rules = entries.flatMap(({ logic }) => (logic === null ? [] : [logic]));
  if (rules.length < entries.length) return null;
  return rules.length > 1 ? { or: rules } : rules[0];
}

/** `undefined` removes the condition. Throws if no `if` can express it. */
export function createRequiredConditionEdits(
  set: StudioDefinitions,
  screen: string,
  field: string,
  logic: JsonLogic | undefined,
): readonly JsonEdit[] {
  const parts = asListOrEmpty(readScreenSchemaValue(set, screen, '/allOf'));
  const entries = listEntries(set, screen, field).map(({ pointer }) => pointer);
  const listed = entries.filter((pointer) => pointer !== '');
  const removed = entries.includes('') ? [{ pointer: '/if' }, { pointer: '/then' }] : [];
  if (logic === undefined) {
    const isEmptied = listed.length > 0 && listed.length === parts.length;
    return [...removed, ...(isEmptied ? ['/allOf'] : listed.reverse()).map((pointer) => ({ pointer }))];
  }
  const condition = buildCondition(logic, listSchemaFields(set, screen));
  if (condition === null) throw new Error(`An "if" cannot contain ${JSON.stringify(logic)}.`);
  const entry: Json = { if: condition, then: { required: [field] } };
  const [first, ...others] = listed;
  return [
    ...removed,
    ...others.reverse().map((pointer) => ({ pointer })),
    ...(first !== undefined
      ? [{ pointer: first, value: entry }]
      : parts.length > 0
        ? [{ pointer: '/allOf/-', value: entry }]
        : [{ pointer: '/allOf', value: [entry] }]),
    ...createRequiredEdits(set, screen, field, false),
  ];
}

function listEntries(set: StudioDefinitions, screen: string, field: string): readonly RequiredEntry[] {
  const { schema } = buildScreenFilePaths(screen);
  const own = readFileObject(set, schema);
  const parts = readFileList(set, schema, '/allOf').map((part, index) => [`/allOf/${index}`, asObject(part)] as const);
  const dependents = Object.values(asObject(own['dependentRequired']));
  const entries = ([['', own], ...parts] as const).flatMap(([pointer, part]): readonly RequiredEntry[] => {
    const branches = [part['then'], part['else'], ...(pointer === '' ? [] : [part])];
    if (!branches.some((branch) => asListOrEmpty(asObject(branch)['required']).includes(field))) return [];
    const isOnly = JSON.stringify(part['then']) === JSON.stringify({ required: [field] }) && part['else'] === undefined;
    const others = Object.keys(part).length > 2 && pointer !== '';
    return [{ pointer, logic: isOnly && !others && isObject(part['if']) ? parseCondition(part['if']) : null }];
  });
  const isDependent = dependents.some((names) => asListOrEmpty(names).includes(field));
  return isDependent ? [...entries, { pointer: '', logic: null }] : entries;
}

const keywords: Readonly<Record<string, string>> = {
  '>=': 'minimum',
  '<=': 'maximum',
  '>': 'exclusiveMinimum',
  '<': 'exclusiveMaximum',
};

/** Converts a JsonLogic rule to the schema of an `if`. Returns `null` if no schema is equivalent. */
function buildCondition(logic: JsonLogic, fields: ReturnType<typeof listSchemaFields>): JsonObject | null {
  const [operator, operands] = splitLogicOperation(logic);
  const [first = null, second = null] = operands;
  const readFieldName = (part: JsonLogic) => parseFieldVariable(asObject(part)['var']);
  if (operator === 'and' || operator === 'or') {
    const parts = operands.map((part) => buildCondition(part, fields));
    const list = parts.filter((part) => part !== null);
    return list.length < parts.length ? null : { [operator === 'and' ? 'allOf' : 'anyOf']: list };
  }
  if (operator === '!') return negateSchema(buildCondition(first, fields));
  const buildLeaf = (path: string | undefined, own: JsonObject | null): JsonObject | null =>
    path === undefined
      ? null
      : path.split('.').reduceRight<JsonObject>(
          (inner, step) => ({
            ...(Object.keys(inner).length > 0 && { properties: { [step]: inner } }),
            required: [step],
          }),
          own ?? {},
        );
  const path = readFieldName(operator === 'var' ? logic : first);
  if (operator === 'var') return buildLeaf(path, fields[path ?? '']?.['type'] === 'boolean' ? { const: true } : null);
  if (operator === 'in' && path === undefined)
    return isObject(first) ? null : buildLeaf(readFieldName(second), { contains: { const: first } });
  if (operator === 'in') return Array.isArray(second) ? buildLeaf(path, { enum: second as readonly Json[] }) : null;
  if (isObject(second)) return null; // not representable, because a schema cannot compare two fields
  if (operator === '==') return buildLeaf(path, { const: second });
  if (operator === '!=') return negateSchema(buildLeaf(path, { const: second }));
  const keyword = keywords[operator];
  return keyword !== undefined && typeof second === 'number' ? buildLeaf(path, { [keyword]: second }) : null;
}

function negateSchema(condition: JsonObject | null): JsonObject | null {
  return condition && { not: condition };
}

/** Reverses `buildCondition`. Returns `null` for any other schema. */
function parseCondition(schema: JsonObject): JsonLogic | null {
  const [[keyword, value = null] = ['', null], ...others] = Object.entries(schema);
  if ((keyword === 'allOf' || keyword === 'anyOf') && others.length === 0 && Array.isArray(value)) {
    const parts = value.map((part: Json) => parseCondition(asObject(part)));
    return parts.includes(null) ? null : { [keyword === 'allOf' ? 'and' : 'or']: parts };
  }
  if (keyword === 'not' && others.length === 0) {
    const rule = parseCondition(asObject(value));
    const [compared] = isObject(rule) && '==' in rule ? [rule['=='] as JsonLogic] : [];
    return rule === null ? null : compared === undefined ? { '!': rule } : { '!=': compared };
  }
  return parseLeaf(schema, 'form');
}

function parseLeaf({ properties, required, ...others }: JsonObject, at: string): JsonLogic | null {
  const [step, ...more] = Array.isArray(required) ? (required as readonly Json[]) : [];
  if (typeof step !== 'string' || more.length > 0 || Object.keys(others).length > 0) return null;
  const own: JsonLogic = { var: `${at}.${step}` };
  const fields = asObject(properties);
  const [inner] = Object.values(fields);
  if (inner === undefined) return own;
  if (Object.keys(fields).join() !== step || !isObject(inner)) return null;
  if ('required' in inner) return parseLeaf(inner, `${at}.${step}`);
  const [[keyword, value = null] = ['', null], ...rest] = Object.entries(inner);
  if (rest.length > 0) return null;
  if (keyword === 'const') return value === true ? own : { '==': [own, value] };
  if (keyword === 'enum') return { in: [own, value] };
  if (keyword === 'contains') return { in: [asObject(value)['const'] ?? null, own] };
  const [operator] = Object.entries(keywords).find(([, known]) => known === keyword) ?? [];
  return operator === undefined ? null : { [operator]: [own, value] };
}
