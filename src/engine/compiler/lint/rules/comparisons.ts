import { type Json, type JsonObject, isObject, groupBy } from '../../../core/json.ts';
import { joinItemFieldName } from '../../../core/field-path.ts';
import { listAllFields, isListSchema, flattenFields } from '../../screen/schema-fields.ts';
import { findNearestName, explain, listNearNames, localize, suggestSimilarName } from '../../sources/localized-text.ts';
import type { SourceFile, SourceLocation } from '../../sources/source-file.ts';
import { listFlowBranches, type LintedFlow, type LintInput } from '../lint-input.ts';
import {
  checkEachFieldWith,
  checkEachFlowWith,
  checkEachScreenWith,
  checkEachStateWith,
  type LintFinding,
  createFindingAt,
  createLocalLintRule,
} from '../lint-rule.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { createResultLookup, indexVariableShapes, mergeVariableShapes } from './variable-shapes.ts';
import { listComparisons, type PlacedComparison } from './list-comparisons.ts';
import { isJsonLogicOperation } from '../../../core/json-logic.ts';
import {
  unknownValueShape,
  operationErrorShape,
  listPossibleValuesOfShape,
  findShapeAtPath,
  type ValueShape,
} from '../../explore/value-shapes.ts';

const screenComparisons = checkEachScreenWith(({ id, schema, files }, subject) => {
  const ofForm = createShapeLookup(subject, schema ? [schema] : []);
  const prefillShapes = indexPrefillShapes(id, subject);
  const shown = subject.flows.filter(({ flow }) => Object.values(flow.states).some(({ screen }) => screen === id));
  const variables = mergeVariableShapes(shown.map((linted) => indexVariableShapes(linted, subject)));
  const shapes: ShapeLookup = (path) => prefillShapes.get(path) ?? variables.get(path) ?? ofForm(path);
  return [files.ui, files.schema ?? []].flat().flatMap((file) => findNeverEqual(file, () => shapes));
});

const flowComparisons = checkEachFlowWith((linted, subject) => {
  const { file, flow } = linted;
  const shown = [...new Set(Object.values(flow.states).flatMap(({ screen }) => screen ?? []))];
  const findResultShapes = createResultLookup(linted, subject);
  const variables = indexVariableShapes(linted, subject);
  return findNeverEqual(file, ({ screen, path, pointer }) => {
    const ids = screen === undefined ? shown : [screen];
    const schemas = ids.map((id) => subject.screens.get(id)?.schema ?? null).filter((schema) => schema !== null);
    if (path.startsWith('result.')) return () => findResultShapes(path, pointer);
    return (own) => variables.get(own) ?? createShapeLookup(subject, schemas)(own);
  });
});

/** Returns the possible shapes of the value at a path. Returns none if they are unknown. */
type ShapeLookup = (path: string) => readonly ValueShape[];

function createShapeLookup({ contract }: LintInput, schemas: readonly JsonObject[]): ShapeLookup {
  return (path) => {
    const [root = '', ...steps] = path.split('.');
    if (root === 'error') return [findShapeAtPath(operationErrorShape, steps) ?? []].flat();
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
 * Reports comparisons that are never true, and comparisons of a number with a text. `shapesFor` returns the possible values of each path that a
 * comparison may read.
 */
function findNeverEqual(
  file: SourceFile,
  shapesFor: (comparison: PlacedComparison) => ShapeLookup,
): readonly LintFinding[] {
  return listComparisons(file.value).flatMap((comparison) => {
    const { path, value, pointer, strict, isOrder } = comparison;
    const known = shapesFor(comparison)(path);
    if (known.length === 0) return [];
    const isConverted = isOrder && typeof value === 'number'; // for order comparisons, JSON-logic converts texts of digits to numbers
    if (!isConverted && known.every((shape) => hasOtherType(shape, value)))
      return createOtherTypeFinding(
        path,
        value,
        { file, pointer },
        listPossibleValuesOfShape(known[0] ?? unknownValueShape) ?? [],
      );
    if (isOrder || known.some((shape) => canEqual(shape, value, strict))) return [];
    return createNeverEqualFinding(path, value, known[0] ?? unknownValueShape, { file, pointer });
  });
}

/** Whether a text is compared with a number, or a number with a text. */
function hasOtherType({ schema = {} }: ValueShape, value: Json): boolean {
  const types = [schema['type'] ?? []].flat();
  const known: readonly unknown[] = Array.isArray(schema['enum'])
    ? schema['enum'].map((choice: Json) => typeof choice)
    : types.map((type) => (type === 'integer' ? 'number' : type));
  const isText = typeof value === 'string';
  if (!isText && typeof value !== 'number') return false;
  return known.includes(isText ? 'number' : 'string') && !known.includes(typeof value);
}

function createOtherTypeFinding(
  path: string,
  value: Json,
  place: SourceLocation,
  choices: readonly Json[],
): LintFinding {
  if (typeof value !== 'string')
    return createFindingAt({ ...place, value: String(value) })(explain`
      "${path}" is a text, but ${String(value)} is a number.
      Write it in quotes: "${String(value)}".`);
  const isNumeric = value.trim() !== '' && !Number.isNaN(Number(value));
  const numbers = choices.filter((choice) => typeof choice === 'number').join(', ');
  const otherHint =
    numbers === ''
      ? localize`Write a number without quotes.`
      : localize`Write one of its values without quotes: ${numbers}.`;
  return createFindingAt({ ...place, value: isNumeric ? Number(value) : undefined })({
    message: localize`"${path}" is a number, but "${value}" is a text.`,
    hint: isNumeric ? localize`Write it without quotes: ${value}.` : otherHint,
  });
}

function createNeverEqualFinding(path: string, value: Json, shape: ValueShape, place: SourceLocation): LintFinding {
  const choices = (listPossibleValuesOfShape(shape) ?? []).filter((choice) => choice !== null);
  const similarChoice = choices.find((choice) => String(choice) === String(value)) ?? findSimilarChoice(value, choices);
  return createFindingAt({ ...place, value: similarChoice })({
    message: localize`"${path}" is never ${JSON.stringify(value)}.`,
    hint:
      choices.length > 0
        ? localize`${
            // a number has no similar one
            typeof value === 'string' ? suggestSimilarName(value, choices.map(String)) : ''
          }It is one of: ${listNearNames(
            String(value),
            choices.map((choice) => JSON.stringify(choice)),
          )}.`
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

const ruleChoice = createLocalLintRule('rule/choice', 'E', ...checks);

export const comparisonLintRules = [ruleChoice];
