import type { JsonLogic } from '../../../engine/core/flow-and-screen-types.ts';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { isObject, type Json } from '../../../engine/core/json.ts';
import { isJsonLogicOperation } from '../../../engine/core/json-logic.ts';
import type { JsonEdit, StudioDefinitions } from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import { type SelectOptions, readFileValue, buildScreenFilePaths } from '../definition-set.ts';
import { listLabelledFields } from '../titles.ts';
import {
  getParentFieldName,
  isListItemName,
  isItemListSchema,
  findEnclosingList,
  buildFieldSchemaPointer,
  listSchemaFields,
} from './field-pointers.ts';
import { parseFieldVariable, isFieldGroupSchema } from '../../../engine/core/field-path.ts';

const operations = ['+', '-', '*', '/', 'min', 'max', 'cat'] as const;
export type FormulaOperation = (typeof operations)[number];

/** A field, the sum of a field over the items of a list, the number of items of a list, a constant, or a nested formula. */
export type FormulaOperand = { readonly field: string } | { readonly value: string | number } | Formula;

export interface Formula {
  readonly operation: FormulaOperation;
  readonly operands: readonly FormulaOperand[];
}

export function isFormula(operand: FormulaOperand): operand is Formula {
  return 'operation' in operand;
}

export function listNestableOperations(outer: FormulaOperation | null): readonly FormulaOperation[] {
  return outer === null || outer === 'cat' ? operations : operations.filter((operation) => operation !== 'cat');
}

export function getMaxOperandCount(operation: FormulaOperation): number {
  return operation === '-' || operation === '/' ? 2 : 9;
}

export function inferFormulaType({ operation }: Formula): 'string' | 'number' {
  return operation === 'cat' ? 'string' : 'number';
}

export function createFormulaEdits(
  set: StudioDefinitions,
  screen: string,
  field: string,
  formula: Formula,
): readonly JsonEdit[] {
  const { schema } = buildScreenFilePaths(screen);
  const [rule, place] = [`/computed/${escapePointer(field)}`, `${buildFieldSchemaPointer(set, screen, field)}/type`];
  const logic = buildFormulaLogic(formula);
  const type = inferFormulaType(formula);
  const isText = readFileValue(set, schema, place) === 'string';
  return [
    ...(logic === undefined || JSON.stringify(logic) === JSON.stringify(readFileValue(set, schema, rule))
      ? []
      : [{ pointer: rule, value: logic }]),
    ...(isText === (type === 'string') ? [] : [{ pointer: place, value: type }]), // keeps `integer`, which is a number too
  ];
}

export function buildFormulaLogic({ operation, operands }: Formula): JsonLogic | undefined {
  const [first, ...rest] = operands.map(buildOperandLogic);
  return rest.length === 0 ? first : { [operation]: [first ?? null, ...rest] };
}

function buildOperandLogic(operand: FormulaOperand): JsonLogic {
  if (isFormula(operand)) return buildFormulaLogic(operand) ?? null;
  if ('value' in operand) return operand.value;
  const [list = '', item] = operand.field.split('.items');
  if (item === undefined) return { var: `form.${list}` };
  const added = item === '' ? 1 : { var: `current${item}` };
  return { reduce: [{ var: `form.${list}` }, { '+': [{ var: 'accumulator' }, added] }, 0] };
}

/** Parses a rule as a formula. Returns `null` if the form cannot represent it. */
export function parseFormula(logic: JsonLogic): Formula | null {
  const alone = parseOperand(logic);
  return alone ? { operation: '+', operands: [alone] } : parseOperation(logic, null);
}

function parseOperation(logic: JsonLogic, outer: FormulaOperation | null): Formula | null {
  if (!isJsonLogicOperation(logic)) return null;
  const [[name, list] = ['', null]] = Object.entries(logic);
  const operation = listNestableOperations(outer).find((known) => known === name);
  if (!operation || !Array.isArray(list) || list.length < 2 || list.length > getMaxOperandCount(operation)) return null;
  const operands = (list as readonly JsonLogic[]).map((own) => parseOperand(own) ?? parseOperation(own, operation));
  return operands.every((own) => own !== null) ? { operation, operands } : null;
}

function parseOperand(logic: JsonLogic): FormulaOperand | null {
  if (typeof logic === 'string' || typeof logic === 'number') return { value: logic };
  if (!isObject(logic)) return null;
  const { var: path, reduce } = logic as Readonly<Record<string, Json>>;
  const field = parseFieldVariable(path);
  if (field !== undefined) return { field };
  const read = Array.isArray(reduce) && isObject(reduce[0]) ? (reduce[0] as { readonly var?: Json }).var : undefined;
  const added = Array.isArray(reduce) && isObject(reduce[1]) ? (reduce[1] as { readonly '+'?: Json })['+'] : undefined;
  const inItem: Json = Array.isArray(added) ? (added[1] ?? null) : null;
  const item = isObject(inItem) ? String((inItem as { readonly var?: Json }).var).replace('current', '') : '';
  const operand = { field: `${String(read).replace('form.', '')}.items${item}` };
  return JSON.stringify(buildOperandLogic(operand)) === JSON.stringify(logic) ? operand : null;
}

interface FormulaUse {
  readonly operation: FormulaOperation;
  readonly own: string;
}

export function createInitialFormula(set: StudioDefinitions, screen: string, use: FormulaUse): Formula {
  const operand = createInitialFormulaOperand(set, screen, use);
  return { operation: use.operation, operands: [operand, operand] };
}

export function createInitialFormulaOperand(set: StudioDefinitions, screen: string, use: FormulaUse): FormulaOperand {
  const [field] = listFormulaOperands(set, screen, use)[0] ?? [];
  return field === undefined ? { value: use.operation === 'cat' ? '' : 0 } : { field };
}

export function listFormulaOperands(
  set: StudioDefinitions,
  screen: string,
  { operation, own }: FormulaUse,
): SelectOptions {
  const drawnFields = listLabelledFields(set, screen);
  const resolveFieldTitle = (name: string): string => drawnFields[name]?.title ?? name;
  return Object.entries(listSchemaFields(set, screen)).flatMap(([name, schema]) => {
    if (name === own || isFieldGroupSchema(schema)) return [];
    const list = findEnclosingList(set, screen, name);
    if (operation === 'cat')
      return list === null && !isItemListSchema(schema) && schema['type'] !== 'array'
        ? [[name, resolveFieldTitle(name)]]
        : [];
    if (list !== null && findEnclosingList(set, screen, list) !== null) return []; // offers nothing in a nested list, because formulas cannot read lists in lists
    if (isItemListSchema(schema))
      return list === null ? [[`${name}.items`, t('countOf', { name: resolveFieldTitle(name) })]] : [];
    if (isListItemName(set, screen, name)) return []; // skips the items of a list, which are not a field
    const isNumber = schema['type'] === 'number' || schema['type'] === 'integer';
    if (!isNumber || (list !== null && `${list}.items` !== getParentFieldName(name))) return [];
    return [
      [
        name,
        list === null
          ? resolveFieldTitle(name)
          : t('totalOf', { name: resolveFieldTitle(name), list: resolveFieldTitle(list) }),
      ],
    ];
  });
}
