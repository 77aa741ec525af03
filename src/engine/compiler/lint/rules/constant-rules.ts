import { escapePointer, walkJson } from '../../../core/json-pointer.ts';
import { listRequiredProperties, readSchemaProperties } from '../../screen/schema-fields.ts';
import { asObject, isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { findVariablePath, isJsonLogicOperation, listPathsReadByLogic } from '../../../core/json-logic.ts';
import type { JsonLogic } from '../../../core/flow-and-screen-types.ts';
import type { CheckedScreen } from '../../intermediate-representation.ts';
import type { LintInput } from '../lint-input.ts';
import { explain, localize, type LocalizedText } from '../../sources/localized-text.ts';
import {
  createFieldLintRule,
  type LintFinding,
  createFindingAt,
  checkEachScreenWith,
  createLocalLintRule,
} from '../lint-rule.ts';
import { listGuardOutcomes } from '../../explore/evaluate-rules.ts';
import { AbstractAssignment } from '../../explore/abstract-assignment.ts';
import { createFactShapes } from '../../explore/value-shapes.ts';
import type { SourceFile } from '../../sources/source-file.ts';

const unboundedRange = { low: -Infinity, high: Infinity };
type Range = Readonly<typeof unboundedRange>;
/** Distance that distinguishes `<` from `<=` in ranges. */
const epsilon = 1e-9;

/** Whether a rule is never true because its comparisons leave an empty range for a value. */
function hasEmptyRange(rule: Json | undefined): boolean {
  const ranges = new Map<string, Range>();
  for (const [path, { low, high }] of listBounds(rule)) {
    const known = ranges.get(path) ?? unboundedRange;
    ranges.set(path, { low: Math.max(known.low, low), high: Math.min(known.high, high) });
  }
  return [...ranges.values()].some(({ low, high }) => low > high);
}

function listBounds(rule: Json | undefined): readonly (readonly [path: string, range: Range])[] {
  if (!isObject(rule)) return [];
  const [operator = '', operands] = Object.entries(rule as Record<string, Json>)[0] ?? [];
  if (!Array.isArray(operands)) return [];
  const all: readonly Json[] = operands;
  if (operator === 'and') return all.flatMap(listBounds);
  const isAbove = operator === '>' || operator === '>=';
  if (!isAbove && operator !== '<' && operator !== '<=') return [];
  const inOrder = isAbove ? [...all].reverse() : all; // in ascending order if the comparison is true
  const gap = operator.length === 1 ? epsilon : 0;
  return inOrder.slice(1).flatMap((right, index) => {
    const leftOperand = inOrder[index];
    const [leftPath, rightPath] = [findVariablePath(leftOperand), findVariablePath(right)];
    if (typeof leftOperand === 'number' && rightPath !== null)
      return [[rightPath, { ...unboundedRange, low: leftOperand + gap }] as const];
    if (typeof right === 'number' && leftPath !== null)
      return [[leftPath, { ...unboundedRange, high: right - gap }] as const];
    return [];
  });
}

const ruleAbsent = createLocalLintRule('rule/absent', 'W', ({ flows, screens }) => {
  const ofScreens = [...screens.values()].flatMap(({ files: { ui, schema } }) => [ui, schema ?? []].flat());
  const files = [...flows.map(({ file }) => file), ...ofScreens];
  const rules = files.filter(({ text }) => text.includes('"var"')).flatMap((file) => [...checkPart(file, file.value)]);
  return [
    ...rules,
    ...[...screens.values()].flatMap(({ files: { schema } }) => (schema ? findOpenConditions(schema) : [])),
  ];
});

/** Finds each `if` of a schema that is also true while a field is empty, because its `required` does not name the field. */
function findOpenConditions(file: SourceFile): readonly LintFinding[] {
  if (!file.text.includes('"if"')) return [];
  const asked = listRequiredProperties(asObject(file.value));
  return [...walkJson(file.value)].flatMap(([pointer, part]) => {
    if (!/(?:^|\/(?:allOf\/\d+|then|else))\/if$/.test(pointer) || !isObject(part)) return [];
    const named = [...asked, ...listRequiredProperties(part as JsonObject)];
    const open = Object.entries(readSchemaProperties(part as JsonObject)).find(
      ([name, rule]) => !named.includes(name) && ('const' in rule || 'enum' in rule),
    );
    if (!open) return [];
    return createFindingAt({ file, pointer: `${pointer}/properties/${escapePointer(open[0])}` })(explain`
      This "if" also holds while "${open[0]}" is empty.
      Write "required": ["${open[0]}"] beside the "properties" of "if".`);
  });
}

const orderOperators = ['<', '<=', '>', '>='];

function* checkPart(file: SourceFile, part: Json, pointer = '', around = rootContext): Iterable<LintFinding> {
  if (typeof part !== 'object' || part === null) return;
  const rule = isJsonLogicOperation(part) ? part : null;
  const [operator = ''] = rule ? Object.keys(rule) : [];
  if (rule && orderOperators.includes(operator)) yield* checkComparison(file, rule, operator, pointer, around);
  for (const [key, inner] of Object.entries(part) as [string, Json][]) {
    const inside = rule ? enterOperands(key, inner, around) : Array.isArray(part) ? around : rootContext;
    yield* checkPart(file, inner, `${pointer}/${escapePointer(key)}`, inside);
  }
}

function* checkComparison(
  file: SourceFile,
  rule: JsonObject,
  operator: string,
  pointer: string,
  { negated, testedVariables }: RuleContext,
): Iterable<LintFinding> {
  const operands = [rule[operator]].flat() as readonly Json[];
  const empty = operands.findIndex((operand) => operand === '' || operand === null);
  const read = listPathsReadByLogic(rule);
  const field = read.find((path) => path.startsWith('form.'));
  if (empty >= 0 && read.length > 0)
    yield createFindingAt({ file, pointer: `${pointer}/${escapePointer(operator)}/${empty}` })(explain`
      No value is greater or less than a missing one: this comparison has no effect.
      Use "!" or "!!" to check whether there is a value.`);
  else if (negated && field !== undefined && !testedVariables.includes(field))
    yield createFindingAt({ file, pointer })(explain`
      This comparison is not true while ${field.slice(5)} is empty, and "!" makes that true.
      Write the opposite comparison instead of "!", or also check that there is a value: { "!!": [{ "var": "${field}" }] }.`);
}

interface RuleContext {
  readonly negated: boolean;
  /** Variables whose presence the operands of the enclosing `and` and `or` test. */
  readonly testedVariables: readonly string[];
}

const rootContext: RuleContext = { negated: false, testedVariables: [] };

function enterOperands(operator: string, operands: Json | undefined, around: RuleContext): RuleContext {
  if (operator === '!') return { ...around, negated: !around.negated };
  if (operator !== 'and' && operator !== 'or') return operator === '!!' ? around : { ...around, negated: false };
  const beside = Array.isArray(operands) ? (operands as readonly Json[]) : [];
  return { ...around, testedVariables: [...around.testedVariables, ...beside.flatMap(listTestedVariables)] };
}

/** Returns the variables whose presence or absence a condition tests. */
function listTestedVariables(condition: Json): readonly string[] {
  if (!isObject(condition)) return [];
  const [operator = '', operand] = Object.entries(condition as Record<string, Json>)[0] ?? [];
  if (operator === 'var' || operator === 'missing') return listPathsReadByLogic(condition);
  return operator === '!' || operator === '!!'
    ? [operand].flat().flatMap((one) => listTestedVariables(one ?? null))
    : [];
}

const ruleDead = createFieldLintRule('rule/dead', 'N', ({ schema, file, pointer }) =>
  listDeadKeywords(schema).map(([keyword, message]) =>
    createFindingAt({ file, pointer: `${pointer}/${keyword}` })(explain`${message}
      Correct the rule, or remove it.`),
  ),
);

function listDeadKeywords(field: JsonObject): readonly (readonly [keyword: string, message: LocalizedText])[] {
  const found: (readonly [string, LocalizedText])[] = [];
  const nothing = localize`This rule rejects nothing`;
  const createDeadKeyword = (keyword: string, why: LocalizedText, what = nothing) =>
    found.push([keyword, localize`${what}: ${why}.`]);
  const { minLength, maxLength, minimum, maximum, pattern, enum: choices } = field;
  if (minLength === 1) createDeadKeyword('minLength', localize`an empty text is not sent`);
  const isAbove = (low: Json | undefined, high: Json | undefined) =>
    typeof low === 'number' && typeof high === 'number' && low > high;
  const all = localize`This rule rejects everything`;
  if (isAbove(minLength, maxLength)) createDeadKeyword('minLength', localize`it requires more than "maxLength"`, all);
  if (isAbove(minimum, maximum)) createDeadKeyword('minimum', localize`it requires more than "maximum"`, all);
  const fixed = typeof pattern === 'string' ? /^\^([\wÁÉÍÓÚÑáéíóúñ ]+)\$$/.exec(pattern)?.[1] : undefined;
  if (fixed !== undefined && typeof maxLength === 'number' && maxLength >= fixed.length)
    createDeadKeyword('maxLength', localize`"pattern" admits a single text, which is shorter`);
  if (Array.isArray(choices) && typeof pattern === 'string') {
    const wrong = choices.find((choice: Json) => typeof choice === 'string' && !new RegExp(pattern, 'u').test(choice));
    if (wrong !== undefined)
      createDeadKeyword('enum', localize`"pattern" rejects the choice "${wrong}"`, localize`A choice is never valid`);
  }
  return found;
}

/** Returns an assignment in which every field of the screen may be empty. */
function createFormAssignment({ schema }: CheckedScreen, { contract }: LintInput): AbstractAssignment {
  const form = { schema: { ...(schema ?? {}), required: [] } as JsonObject, optional: false };
  return new AbstractAssignment({ facts: createFactShapes(contract.factShapes), roots: new Map([['form', form]]) });
}

const constantVisibility = checkEachScreenWith((screen, subject) => {
  const file = screen.files.ui;
  const assignment = createFormAssignment(screen, subject);
  return listVisibilityRules(file.value).flatMap(([pointer, rule]) => {
    const read = listPathsReadByLogic(rule).length;
    if (read === 0 || read > maxRead) return [];
    const verdicts = hasEmptyRange(rule)
      ? new Set([false])
      : new Set(listGuardOutcomes(rule, assignment).map(({ holds }) => holds));
    if (verdicts.size !== 1) return [];
    const [always] = verdicts;
    if (always)
      return createFindingAt({ file, pointer, remove: true })(explain`This rule is always true, for any input.
        Correct the rule, or remove it.`);
    return createFindingAt({ file, pointer })(explain`This rule contradicts itself: it is never true.
      Remove one of its conditions, or use "or" instead of "and".`);
  });
});

/** Reports fields that are only required while they are hidden. */
const hiddenRequirements = checkEachScreenWith((screen, subject) => {
  const file = screen.files.ui;
  const assignment = createFormAssignment(screen, subject);
  return Object.entries(screen.conditions.requiredWhen).flatMap(([name, when]) => {
    const rule = screen.ui.visible?.[name];
    const both = { and: [when, rule ?? true] };
    if (rule === undefined || listPathsReadByLogic(both).length > maxRead) return [];
    const mayHold = (one: JsonLogic) => listGuardOutcomes(one, assignment).some(({ holds }) => holds);
    if (mayHold(both) || !mayHold(when) || !mayHold(rule)) return [];
    return createFindingAt({ file, pointer: `/visible/${escapePointer(name)}` })(explain`
      "${name}" is never shown when schema.json requires it: the two conditions contradict each other.
      Write the same condition here and in schema.json.`);
  });
});

/** Maximum number of variables in an analysed rule. Each variable doubles the number of cases. */
const maxRead = 8;

/** Returns the visibility rules of a screen, by pointer. */
function listVisibilityRules(ui: Json) {
  const rules = [...walkJson(ui)].filter(
    ([pointer, part]) => /^\/visible\/[^/]*$|\/visible$/.test(pointer) && isJsonLogicOperation(part),
  );
  return rules.filter(([pointer]) => !rules.some(([outer]) => pointer.startsWith(`${outer}/`)));
}

/** Reports a heading without a rule above others: a screen shows the first visible heading, so never those below it. */
const unreachableHeadings = checkEachScreenWith(({ ui: { title }, files }) => {
  if (typeof title === 'string') return null;
  const first = title.findIndex(({ visible }) => visible === undefined);
  const [hidden] = first < 0 ? [] : title.slice(first + 1);
  if (!hidden) return null;
  return createFindingAt({ file: files.ui, pointer: `/title/${first}` })(explain`
    This title has no "visible", so the ones after it are never shown, such as "${hidden.text}".
    Move it to the end of the list, in each language, or give it a rule.`);
});

const ruleConstant = createLocalLintRule(
  'rule/constant',
  'W',
  constantVisibility,
  hiddenRequirements,
  unreachableHeadings,
);

export const constantRuleLintRules = [ruleDead, ruleConstant, ruleAbsent];
