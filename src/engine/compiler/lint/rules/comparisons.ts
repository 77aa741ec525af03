import { type Json, type JsonObject, isObject } from '../../../core/json.ts';
import { joinItemFieldName } from '../../../core/field-path.ts';
import { listAllFields, isListSchema, flattenFields } from '../../screen/schema-fields.ts';
import { findNearestName, explain, localize } from '../../sources/localized-text.ts';
import type { SourceFile, SourceLocation } from '../../sources/source-file.ts';
import { listFlowBranches, groupBy, type LintedFlow, type LintInput } from '../lint-input.ts';
import {
  checkEachFieldWith,
  checkEachFlowWith,
  checkEachScreenWith,
  checkEachStateWith,
  type LintFinding,
  createFindingAt,
  createDefinitionsLintRule,
} from '../lint-rule.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { isJsonLogicOperation } from '../../../core/json-logic.ts';
import {
  unknownValueShape,
  listPossibleValuesOfShape,
  findShapeAtPath,
  type ValueShape,
} from '../../explore/value-shapes.ts';
import { variablePathPattern } from '../../flow/unexpanded-flow-types.ts';

interface Comparison {
  readonly path: string;
  readonly value: Json;
  readonly pointer: string;
  /** Whether the operator is `===` or `!==`, which never convert between texts and numbers. */
  readonly strict: boolean;
}

const equalities = ['==', '===', '!=', '!=='];

/** Returns every comparison of a variable with a literal in a file. `screen` is the screen of the enclosing state, if any. */
function listComparisons(file: Json): readonly (Comparison & { readonly screen: string | undefined })[] {
  const found: (Comparison & { readonly screen: string | undefined })[] = [];
  const visit = (node: Json | undefined, pointer: string, around: { screen?: string; asks: boolean }): void => {
    if (Array.isArray(node)) return node.forEach((part: Json, index) => visit(part, `${pointer}/${index}`, around));
    if (!isObject(node)) return;
    const own = node as Readonly<Record<string, Json>>;
    const { screen = around.screen } = own as { screen?: string };
    found.push(...listNodeComparisons(own, pointer, around.asks).map((one) => ({ ...one, screen })));
    found.push(...listIfComparisons(own['if'], `${pointer}/if`).map((one) => ({ ...one, screen })));
    for (const [key, part] of Object.entries(own))
      visit(part, `${pointer}/${escapePointer(key)}`, {
        ...(typeof screen === 'string' && { screen }),
        asks: around.asks || key === 'guard' || key === 'guards',
      });
  };
  visit(file, '', { asks: false });
  return found;
}

function listNodeComparisons(
  node: Readonly<Record<string, Json>>,
  pointer: string,
  asks: boolean,
): readonly Comparison[] {
  if (isJsonLogicOperation(node)) {
    const [operator = '', operands] = Object.entries(node)[0] ?? [];
    if (!Array.isArray(operands)) return [];
    const list: readonly Json[] = operands;
    const strict = operator.length === 3;
    if (equalities.includes(operator))
      return list.flatMap((operand, index) => {
        const path = findVariablePath(list[1 - index]);
        return path === null || !isLiteral(operand)
          ? []
          : [{ path, value: operand, pointer: `${pointer}/${operator}/${index}`, strict }];
      });
    const path = operator === 'in' ? findVariablePath(list[0]) : null;
    return path === null ? [] : listMembershipComparisons(path, list[1], `${pointer}/in/1`);
  }
  // short form in guards: { "error.code": "in_use" }
  return Object.entries<Json>(node).flatMap(([path, value]) => {
    const at = `${pointer}/${escapePointer(path)}`;
    if (!asks || !variablePathPattern.test(path)) return [];
    return isLiteral(value)
      ? [{ path, value, pointer: at, strict: false }]
      : listMembershipComparisons(path, value, at);
  });
}

function listMembershipComparisons(path: string, values: Json | undefined, pointer: string): readonly Comparison[] {
  const list = Array.isArray(values) ? (values as readonly Json[]) : [];
  return list.flatMap((value, index) =>
    isLiteral(value) ? [{ path, value, pointer: `${pointer}/${index}`, strict: true }] : [],
  );
}

/** Returns the comparisons of an `if` of JSON Schema: the `const` and `enum` of its properties. */
function listIfComparisons(node: Json | undefined, at: string, path = 'form'): readonly Comparison[] {
  const properties = isObject(node) ? node['properties'] : undefined;
  if (!isObject(properties)) return [];
  return Object.entries(properties as JsonObject).flatMap(([name, property]) => {
    if (!isObject(property)) return [];
    const [own, pointer] = [`${path}.${name}`, `${at}/properties/${escapePointer(name)}`];
    const { const: only, enum: several } = property as JsonObject;
    return [
      ...(isLiteral(only) ? [{ path: own, value: only, pointer: `${pointer}/const`, strict: true }] : []),
      ...listMembershipComparisons(own, several, `${pointer}/enum`),
      ...listIfComparisons(property, pointer, own),
    ];
  });
}

function findVariablePath(node: Json | undefined): string | null {
  if (!isJsonLogicOperation(node) || !('var' in node)) return null;
  const name = node['var'];
  return typeof name === 'string' ? name : null;
}

function isLiteral(value: Json | undefined): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

const screenComparisons = checkEachScreenWith(({ id, schema, files }, subject) => {
  const ofForm = createShapeLookup(subject, schema ? [schema] : []);
  const prefillShapes = indexPrefillShapes(id, subject);
  const shapes: ShapeLookup = (path) => prefillShapes.get(path) ?? ofForm(path);
  return [files.ui, files.schema ?? []].flat().flatMap((file) => findNeverEqual(file, () => shapes));
});

const flowComparisons = checkEachFlowWith(({ file, flow }, subject) => {
  const shown = [...new Set(Object.values(flow.states).flatMap(({ screen }) => screen ?? []))];
  return findNeverEqual(file, (screen) => {
    const ids = screen === undefined ? shown : [screen];
    const schemas = ids.map((id) => subject.screens.get(id)?.schema ?? null).filter((schema) => schema !== null);
    return createShapeLookup(subject, schemas);
  });
});

/** Returns the possible shapes of the value at a path. Returns none if they are unknown. */
type ShapeLookup = (path: string) => readonly ValueShape[];

function createShapeLookup({ contract }: LintInput, schemas: readonly JsonObject[]): ShapeLookup {
  return (path) => {
    const [root = '', ...steps] = path.split('.');
    const fact = contract.factShapes?.[root];
    if (fact) return [findShapeAtPath({ schema: fact, optional: true }, steps) ?? []].flat();
    if (root !== 'form' && root !== 'item') return [];
    const name = steps.join('.');
    return schemas.flatMap((schema) => {
      const lists = listAllFields(schema).flatMap(([list, field]) => (isListSchema(field) ? [list] : []));
      const names = root === 'form' ? [name] : lists.map((list) => joinItemFieldName(list, name));
      return listAllFields(schema).flatMap(([own, field]) =>
        names.includes(own) ? [{ schema: field, optional: true }] : [],
      );
    });
  };
}

/**
 * Reports comparisons that are never true. `shapesFor` returns the possible values of each path in the states with a screen, or in all states if the
 * screen is `undefined`.
 */
function findNeverEqual(
  file: SourceFile,
  shapesFor: (screen: string | undefined) => ShapeLookup,
): readonly LintFinding[] {
  return listComparisons(file.value).flatMap(({ path, value, pointer, strict, screen }) => {
    const known = shapesFor(screen)(path);
    if (known.length === 0 || known.some((shape) => canEqual(shape, value, strict))) return [];
    return createNeverEqualFinding(path, value, known[0] ?? unknownValueShape, { file, pointer });
  });
}

function createNeverEqualFinding(path: string, value: Json, shape: ValueShape, place: SourceLocation): LintFinding {
  const choices = (listPossibleValuesOfShape(shape) ?? []).filter((choice) => choice !== null);
  const similarChoice = choices.find((choice) => String(choice) === String(value)) ?? findSimilarChoice(value, choices);
  return createFindingAt({ ...place, value: similarChoice })({
    message: localize`"${path}" is never ${JSON.stringify(value)}.`,
    hint:
      choices.length > 0
        ? localize`It is one of: ${choices.map((choice) => JSON.stringify(choice)).join(', ')}.`
        : localize`Its own rules reject this value: write one that the field accepts.`,
  });
}

function findSimilarChoice(value: Json, choices: readonly Json[]): Json | undefined {
  const nearest = findNearestName(String(value), choices.map(String));
  return choices.find((choice) => String(choice) === nearest);
}

function canEqual(shape: ValueShape, value: Json, strict: boolean): boolean {
  const choices = listPossibleValuesOfShape(shape);
  if (choices) return choices.some((choice) => choice === value || (!strict && isLooselyEqual(choice, value)));
  const { type, pattern, maxLength, minLength, const: only } = shape.schema ?? {};
  if (only !== undefined) return typeof only === typeof value;
  if (strict && type === 'string' && typeof value !== 'string') return false;
  if (strict && (type === 'number' || type === 'integer') && typeof value !== 'number') return false;
  if (typeof value !== 'string' || type !== 'string' || value === '') return true;
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)) return false;
  return value.length <= Number(maxLength ?? Infinity) && value.length >= Number(minLength ?? 0);
}

// Whether JSON-logic considers a number and a text equal.
function isLooselyEqual(a: Json, b: Json): boolean {
  const kinds = [typeof a, typeof b];
  return kinds.includes('number') && kinds.includes('string') && Number(a) === Number(b);
}

const prefillValues = checkEachStateWith(({ state: { prefill = {} }, screen, locate }) => {
  const fields = flattenFields(screen?.schema ?? {});
  return Object.entries(prefill).flatMap(([field, value]): readonly LintFinding[] => {
    const schema = fields[field];
    if (!schema || isJsonLogicOperation(value) || isObject(value) || Array.isArray(value)) return [];
    const shape = { schema, optional: true };
    return canEqual(shape, value, true) ? [] : [createNeverEqualFinding(field, value, shape, locate('prefill', field))];
  });
});

const defaultValues = checkEachFieldWith(({ name, schema, locate }) => {
  const { default: value } = schema;
  const shape = { schema, optional: true };
  if (value === undefined || Array.isArray(value) || canEqual(shape, value, true)) return null;
  return createNeverEqualFinding(name, value, shape, locate('default'));
});

function listPrefilledFields({ flow }: LintedFlow, screens: LintInput['screens'], only?: string) {
  const states = Object.values(flow.states).filter(({ screen }) => only === undefined || screen === only);
  return states.flatMap(({ prefill = {}, screen = '' }) => {
    const fields = flattenFields(screens.get(screen)?.schema ?? {});
    return Object.entries(prefill).flatMap(([name, value]) => {
      const path = isJsonLogicOperation(value) ? value['var'] : undefined;
      const shape: ValueShape = { schema: fields[name] ?? {}, optional: true };
      return fields[name]?.enum === undefined || typeof path !== 'string' ? [] : [{ path, name, shape }];
    });
  });
}

/** Returns the shapes of a screen's choice fields, by the path of the variable that prefills them. */
function indexPrefillShapes(id: string, { flows, screens }: LintInput): ReadonlyMap<string, readonly ValueShape[]> {
  const found = flows.flatMap((flow) => listPrefilledFields(flow, screens, id));
  const groups = groupBy(found, ({ path }) => path);
  return new Map([...groups].map(([path, same]) => [path, same.map(({ shape }) => shape)]));
}

/** Reports assignments to a variable that prefills a field, if the value is not one of the field's choices. */
const assignedValues = checkEachFlowWith(function* (linted, { screens }) {
  const prefillShapes = groupBy(listPrefilledFields(linted, screens), ({ path }) => path);
  for (const [{ assign = {} }, at] of listFlowBranches(linted))
    for (const [variable, value] of Object.entries(assign))
      for (const { name, shape } of prefillShapes.get(`context.${variable}`) ?? [])
        if (typeof value === 'string' && !canEqual(shape, value, true))
          yield createNeverEqualFinding(name, value, shape, {
            file: linted.file,
            pointer: `${at}/assign/${escapePointer(variable)}`,
          });
});

/** Reports choices with surrounding blanks, which comparisons would miss. */
const blankChoices = checkEachFieldWith(({ schema: { enum: choices }, locate }) =>
  (Array.isArray(choices) ? choices : []).flatMap((choice: Json, index) => {
    if (typeof choice !== 'string' || choice === choice.trim()) return [];
    return createFindingAt({ ...locate(`enum/${index}`), value: choice.trim() })(explain`
      The choice "${choice}" begins or ends with a space.
      Write "${choice.trim()}".`);
  }),
);

const checks = [screenComparisons, flowComparisons, prefillValues, defaultValues, assignedValues, blankChoices];

const ruleChoice = createDefinitionsLintRule('rule/choice', 'E', ...checks);

export const comparisonLintRules = [ruleChoice];
