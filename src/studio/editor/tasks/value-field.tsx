import { t } from '../../texts.ts';
import { CheckboxGroupField, ChoiceField, TextField } from '../form-controls.tsx';
import type { JsonLogic } from '../../../engine/core/flow-and-screen-types.ts';
import { isJsonLogicOperation } from '../../../engine/core/json-logic.ts';

export type ConditionValue = string | number | boolean | null;

export const conditionTests = [
  'set',
  'unset',
  '==',
  '!=',
  '>',
  '>=',
  '<',
  '<=',
  'in',
  'notIn',
  'contains',
  'lacks',
  '===',
  '!==',
] as const;
type Test = (typeof conditionTests)[number];

export interface Condition {
  /** Path of the compared value, for example `flags.ayuda`, `form.pais`, `context.next`. */
  readonly subject: string;
  readonly test: Test;
  /** Value or variable to compare with. For `in` and `notIn`, a list of values. */
  readonly value: ConditionValue | { readonly var: string } | readonly ConditionValue[];
}

/** Join operators of a group: all conditions are true, at least one is, not all are, or none is. */
export const joinOperators = ['and', 'or', 'nand', 'nor'] as const;

export interface ConditionGroup {
  readonly join: (typeof joinOperators)[number];
  readonly list: readonly (Condition | ConditionGroup)[];
}

export interface ConditionSubjectKind {
  readonly kind: 'boolean' | 'number' | 'text';
  readonly choices?: readonly (readonly [value: ConditionValue, label: string])[];
  readonly hasSeveral?: boolean;
}

export interface ConditionSubjects {
  readonly list: readonly (readonly [path: string, text: string])[];
  readonly kinds: Readonly<Record<string, ConditionSubjectKind>>;
  /** Whether conditions compare only with constants, because they are converted to a JSON Schema. */
  readonly isConstant?: boolean;
}

export function listConditionTests({ kinds, isConstant = false }: ConditionSubjects, subject: string): readonly Test[] {
  if (!isConstant) return conditionTests;
  const { kind, hasSeveral = false } = kinds[subject] ?? { kind: 'text' };
  if (hasSeveral) return ['set', 'unset', 'contains', 'lacks'];
  const ordered: readonly Test[] = kind === 'number' ? ['>', '>=', '<', '<='] : [];
  return ['set', 'unset', '==', '!=', ...ordered, 'in', 'notIn'];
}

export function isConditionGroup(part: Condition | ConditionGroup): part is ConditionGroup {
  return 'join' in part;
}

/** Converts a value to another type. A text that is not yet a complete number remains a text. */
export function convertConditionValue(value: ConditionValue, kind: ConditionSubjectKind['kind']): ConditionValue {
  if (kind === 'boolean') return typeof value === 'boolean' ? value : value !== 'false';
  const text = String(value ?? '');
  return kind === 'number' && String(Number(text)) === text ? Number(text) : text;
}

export function buildGroupLogic({ join, list }: ConditionGroup): JsonLogic | undefined {
  const rules = list.flatMap((part) => {
    const rule = isConditionGroup(part) ? buildGroupLogic(part) : buildConditionLogic(part);
    return rule === undefined ? [] : [rule];
  });
  const joined = join === 'and' || join === 'nand' ? 'and' : 'or';
  const rule = rules.length > 1 ? { [joined]: rules } : rules[0];
  return rule === undefined || join === joined ? rule : { '!': rule };
}

function buildConditionLogic({ subject, test, value }: Condition): JsonLogic {
  const own = { var: subject };
  if (test === 'set') return own;
  if (test === 'unset') return { '!': own };
  if (test === 'in') return { in: [own, value] };
  if (test === 'notIn') return { '!': { in: [own, value] } };
  if (test === 'contains') return { in: [value, own] };
  return test === 'lacks' ? { '!': { in: [value, own] } } : { [test]: [own, value] };
}

/** Parses a rule as a group of conditions. Returns `null` if the form cannot represent the rule. */
export function parseConditions(logic: JsonLogic | undefined): ConditionGroup | null {
  if (logic === undefined) return { join: 'and', list: [] };
  const part = parsePart(logic);
  return part === null || isConditionGroup(part) ? part : { join: 'and', list: [part] };
}

function parsePart(logic: JsonLogic): Condition | ConditionGroup | null {
  const [operator, operands] = getOnlyOperation(logic);
  const [first = null, second] = operands;
  if (operator === 'and' || operator === 'or') {
    const list = operands.map(parsePart);
    // An empty `and` or `or` is always false, but a group without conditions is always true.
    return list.length > 0 && list.every((part) => part !== null) ? { join: operator, list } : null;
  }
  if (operator === 'var' || operator === '!!') {
    const subject = findVariable(operator === 'var' ? logic : first);
    return subject === null ? null : { subject, test: 'set', value: '' };
  }
  if (operator === '!') return parseNegation(first);
  return operands.length === 2 ? parseComparison(operator, first, second ?? null) : null;
}

function parseNegation(logic: JsonLogic): Condition | ConditionGroup | null {
  const part = parsePart(logic);
  if (part === null) return null;
  if (isConditionGroup(part)) {
    if (part.join === 'and' || part.join === 'or') return { ...part, join: part.join === 'and' ? 'nand' : 'nor' };
    return { join: 'nor', list: [part] };
  }
  const opposite = { set: 'unset', in: 'notIn', contains: 'lacks' } as const;
  const { test } = part;
  return test === 'set' || test === 'in' || test === 'contains'
    ? { ...part, test: opposite[test] }
    : { join: 'nor', list: [part] };
}

const comparisons: readonly string[] = ['==', '!=', '===', '!==', '>', '>=', '<', '<='] satisfies readonly Test[];

function parseComparison(operator: string, first: JsonLogic, second: JsonLogic): Condition | null {
  const subject = findVariable(first);
  if (operator === 'in' && subject === null) {
    const within = findVariable(second);
    return within !== null && isValue(first) ? { subject: within, test: 'contains', value: first } : null;
  }
  if (subject === null) return null;
  if (operator === 'in')
    return Array.isArray(second) && (second as readonly JsonLogic[]).every(isValue)
      ? { subject, test: 'in', value: second as readonly ConditionValue[] }
      : null;
  const test = conditionTests.find((known) => known === operator && comparisons.includes(operator));
  if (!test) return null;
  if (isValue(second)) return { subject, test, value: second };
  const other = findVariable(second);
  return other === null ? null : { subject, test, value: { var: other } };
}

function isValue(logic: JsonLogic): logic is ConditionValue {
  return logic === null || ['string', 'number', 'boolean'].includes(typeof logic);
}

function findVariable(logic: JsonLogic): string | null {
  const [operator, operands] = getOnlyOperation(logic);
  const [name] = operands;
  return operator === 'var' && operands.length === 1 && typeof name === 'string' ? name : null;
}

function getOnlyOperation(logic: JsonLogic): readonly [operator: string, operands: readonly JsonLogic[]] {
  const [[operator, operand] = ['', null]] = isJsonLogicOperation(logic) ? Object.entries(logic) : [];
  return [operator, Array.isArray(operand) ? (operand as readonly JsonLogic[]) : [operand]];
}

export function flattenConditionGroup({ list }: ConditionGroup): readonly Condition[] {
  return list.flatMap((part) => (isConditionGroup(part) ? flattenConditionGroup(part) : [part]));
}

/** Returns the truth table of a group's conditions. The first condition varies slowest. */
export function buildTruthTable(group: ConditionGroup): readonly { holds: readonly boolean[]; shown: boolean }[] {
  const count = flattenConditionGroup(group).length;
  return Array.from({ length: 2 ** count }, (_, number) => {
    const holds = Array.from({ length: count }, (_leaf, index) => (number >> (count - 1 - index)) % 2 === 0);
    return { holds, shown: evaluateGroup(group, holds.values()) };
  });
}

/** Evaluates a group of conditions. `left` yields the results of the conditions in order. */
function evaluateGroup({ join, list }: ConditionGroup, left: Iterator<boolean>): boolean {
  const parts = list.map((part) => (isConditionGroup(part) ? evaluateGroup(part, left) : left.next().value === true));
  const isHeld = join === 'and' || join === 'nand' ? parts.every(Boolean) : parts.some(Boolean);
  return join === 'nand' || join === 'nor' ? !isHeld : isHeld;
}

interface ValueFieldProps {
  readonly condition: Condition;
  readonly kind: ConditionSubjectKind | undefined;
  /** Subjects with which the value may be compared. Empty if only constants are allowed. */
  readonly subjects: ConditionSubjects['list'];
  readonly onChange: (value: Condition['value']) => void;
}

/** Editor for the value of a condition. Converts the value to another type only when the user edits it. */
export function ValueField({ condition, kind, subjects, onChange }: ValueFieldProps) {
  const { test, value, subject } = condition;
  if (isList(value)) return <ListField list={value} kind={kind} onChange={onChange} />;
  const isOther = isVariable(value);
  return (
    <>
      {test !== 'contains' && test !== 'lacks' && subjects.length > 0 && (
        <ChoiceField
          label={t('against')}
          value={isOther ? 'other' : 'value'}
          options={[
            ['value', t('againstValue')],
            ['other', t('againstOther')],
          ]}
          onChange={(next) =>
            onChange(next === 'other' ? { var: subjects.find(([path]) => path !== subject)?.[0] ?? '' } : '')
          }
        />
      )}
      {isOther ? (
        <ChoiceField
          label={t('value')}
          value={value.var}
          options={subjects}
          onChange={(next) => onChange({ var: next })}
        />
      ) : (
        <SingleValueField value={value} kind={kind ?? { kind: inferKind(value) }} onChange={onChange} />
      )}
    </>
  );
}

type SingleValueFieldProps = {
  readonly value: ConditionValue;
  readonly kind: ConditionSubjectKind;
  readonly onChange: (value: ConditionValue) => void;
};

function SingleValueField({ value, kind: { kind, choices = [] }, onChange }: SingleValueFieldProps) {
  const known: ConditionSubjectKind['choices'] =
    kind === 'boolean'
      ? [
          [true, t('yes')],
          [false, t('no')],
        ]
      : choices;
  if (known.length === 0)
    return (
      <TextField
        label={t('value')}
        value={String(value ?? '')}
        onChange={(next) => onChange(convertConditionValue(next, kind))}
      />
    );
  const options = addMissingChoices(known, [value]);
  return (
    <ChoiceField
      label={t('value')}
      value={JSON.stringify(value)}
      options={options.map(([own, label]) => [JSON.stringify(own), label])}
      onChange={(next) => onChange(JSON.parse(next) as ConditionValue)} // the value is one of the options
    />
  );
}

interface ListFieldProps {
  readonly list: readonly ConditionValue[];
  readonly kind: ConditionSubjectKind | undefined;
  readonly onChange: (list: readonly ConditionValue[]) => void;
}

function ListField({ list, kind, onChange }: ListFieldProps) {
  if (!kind?.choices) {
    const own = kind?.kind ?? inferKind(list[0] ?? '');
    return (
      <TextField
        label={t('values')}
        value={list.map(String).join('\n')}
        long
        onChange={(text) =>
          onChange(text === '' ? [] : text.split('\n').map((line) => convertConditionValue(line, own)))
        }
      />
    );
  }
  return (
    <CheckboxGroupField
      label={t('value')}
      value={list}
      options={addMissingChoices(kind.choices, list)}
      onChange={onChange}
    />
  );
}

/** Converts the value to the type of a changed subject, and to a list if the changed operator needs one. */
export function createInitialConditionValue(
  next: Condition,
  before: Condition,
  kind: ConditionSubjectKind | undefined,
): Condition['value'] {
  const { test, value, subject } = next;
  const [first = ''] = isList(value) ? value : [value];
  const needsList = test === 'in' || test === 'notIn';
  const isSame = subject === before.subject && needsList === isList(value) && value !== '';
  if (isSame || (isVariable(first) && !needsList)) return value;
  const one = isVariable(first) ? '' : first;
  const known = kind?.choices?.some(([own]) => own === one) ? one : kind?.choices?.[0]?.[0];
  const own = known ?? convertConditionValue(one, kind?.kind ?? inferKind(one));
  if (!needsList) return own;
  return one === '' && known === undefined ? [] : [own];
}

function addMissingChoices(choices: NonNullable<ConditionSubjectKind['choices']>, values: readonly ConditionValue[]) {
  const others = values.filter((value) => choices.every(([own]) => own !== value));
  return [...choices, ...others.map((value) => [value, String(value ?? t('sayNothing'))] as const)];
}

function isList(value: Condition['value']): value is readonly ConditionValue[] {
  return Array.isArray(value);
}

function isVariable(value: Condition['value']): value is { readonly var: string } {
  return typeof value === 'object' && value !== null && !isList(value);
}

function inferKind(value: ConditionValue): ConditionSubjectKind['kind'] {
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'text';
}
