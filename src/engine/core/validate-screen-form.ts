import { createCleaner } from './cleaning/create-cleaner.ts';
import { addEarlierAnswersToForm } from './earlier-answers.ts';
import {
  listEnclosingObjectNames,
  isObjectOrArray,
  nestFieldValues,
  setFieldValue,
  getFieldValue,
} from './field-path.ts';
import type { JsonLogic } from './flow-and-screen-types.ts';
import type { Json, ValuesByName } from './json.ts';
import { evaluateJsonLogic, evaluateComputedField, isRuleTrue } from './json-logic.ts';
import { formatFieldFault, type FieldFault } from './messages.ts';
import { formatFileSize } from './values/file-size.ts';
import { findNumberFault } from './values/numbers.ts';
import type { RuleFailure, PluginValidationRule } from './plugin-rule.ts';
import type { FieldSpec, CompiledFormRule, CompiledScreen, ValueValidator } from './compiled-screen.ts';
import { findSizeFault, excludeUncheckableValues, type ValuesToCheck } from './value-size.ts';
import { isHourSkippedByDst, readMarkedInputText } from './values/incomplete-input.ts';

const maxReportedFields = 10;

/** A screen with its compiled validators by field (`values`) and its plugin rules by keyword (`rules`). */
export interface ScreenValidator {
  readonly screen: CompiledScreen;
  readonly values: Readonly<Record<string, ValueValidator>>;
  readonly rules: ReadonlyMap<string, PluginValidationRule>;
  readonly items?: ListValidator;
}

export interface ListValidator {
  pruneListItems(
    validator: ScreenValidator,
    list: FieldSpec,
    value: readonly unknown[],
    context: ValuesByName,
  ): readonly unknown[];
  /** Returns the errors of the items by field name, e.g. "telefonos.2.numero". */
  findListErrors(
    validator: ScreenValidator,
    list: FieldSpec,
    value: readonly unknown[],
    context: ValuesByName,
  ): readonly [name: string, message: string][];
}

export function isEmptyValue(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Whether a field is visible. Its rule reads the form values as `form` (in a list item also as `item`) and the facts of the context. */
export function isFieldVisible(field: FieldSpec, form: ValuesByName, context: ValuesByName): boolean {
  return isRuleTrue(field.visible, { ...createScope(form, context), item: form });
}

/** Returns the visible, non-empty values. Recomputes the computed fields. Keeps unknown names, so that validation rejects them. */
export function pruneFormValues(
  validator: ScreenValidator,
  form: ValuesByName,
  context: ValuesByName,
): Record<string, unknown> {
  const { given, unknown } = cleanForm(validator.screen, form);
  const unknownEntries = unknown.filter((name) => !name.includes('.')).map((name): Entry => [name, form[name]]);
  return pruneEntries(validator.screen, [...pruneItems(validator, given, context), ...unknownEntries], context);
}

type Entry = readonly [name: string, value: unknown];

function pruneEntries(screen: CompiledScreen, own: readonly Entry[], context: ValuesByName): Record<string, unknown> {
  const entries = screen.decidedBy
    ? [...own, ...Object.entries(deriveSelectedAlternatives(screen, nestFieldValues(own), context))]
    : own;
  return selectVisible(screen, entries, listHiddenFields(screen, entries, context), context).values;
}

/** Returns the names of the hidden fields. The rules of other fields read a hidden field as empty. */
export function listHiddenFields(
  screen: ScreenRules,
  given: readonly Entry[],
  context: ValuesByName,
): ReadonlySet<string> {
  let hidden: ReadonlySet<string> = new Set();
  for (let round = 0; round <= screen.fields.length; round += 1) {
    const { seen } = selectVisible(screen, given, hidden, context);
    const next = new Set(
      screen.fields.filter((field) => !isFieldVisible(field, seen, context)).map(({ name }) => name),
    );
    if (next.size === hidden.size && [...next].every((name) => hidden.has(name))) break;
    hidden = next;
  }
  return hidden;
}

type ScreenRules = Pick<CompiledScreen, 'fields'> & { readonly computed?: CompiledScreen['computed'] | undefined };

function selectVisible(
  screen: ScreenRules,
  given: readonly Entry[],
  hidden: ReadonlySet<string>,
  context: ValuesByName,
) {
  const values = nestFieldValues(given.filter(([name]) => !hidden.has(name)));
  const computedValues = { ...excludeUncheckableValues(screen, values).values };
  const rules = new Map(screen.computed && screen.fields.map(({ name, computed }) => [name, computed]));
  for (const name of screen.computed ?? []) {
    const rule = rules.get(name);
    if (rule === undefined || hidden.has(name)) continue;
    const value = computeFieldValue(rule, computedValues, context);
    setFieldValue(values, name, value);
    setFieldValue(computedValues, name, value);
  }
  return { values, seen: computedValues };
}

/** Evaluates the `decidedBy` rules of fields that are empty in the form. Such a field chooses between alternatives. */
export function deriveSelectedAlternatives(
  { decidedBy = {} }: CompiledScreen,
  form: ValuesByName,
  context: ValuesByName,
): Record<string, unknown> {
  const open = Object.entries(decidedBy).filter(([name]) => isEmptyValue(form[name]));
  return Object.fromEntries(open.map(([name, rule]) => [name, evaluateJsonLogic(rule, createScope(form, context))]));
}

function pruneItems(validator: ScreenValidator, given: readonly Entry[], context: ValuesByName): readonly Entry[] {
  const { screen, items } = validator;
  if (!items) return given;
  return given.map(([name, value]) => {
    const list = Array.isArray(value) && screen.fields.find((field) => field.item && field.name === name);
    return [
      name,
      list && !findSizeFault(list.schema, value) ? items.pruneListItems(validator, list, value, context) : value,
    ];
  });
}

/** Number of significant digits of a computed fraction, which hides rounding errors: 0.1 + 0.2 is 0.30000000000000004. */
const significantDigits = 15;

/** Computes a field from the visible values and the facts. Returns `undefined` if the result is neither a finite number nor a text. */
export function computeFieldValue(logic: JsonLogic, form: ValuesByName, context: ValuesByName): unknown {
  const value = evaluateComputedField(logic, createScope(form, context));
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Number.isInteger(value) ? value : Number(value.toPrecision(significantDigits));
}

function cleanForm(
  { fields, ui }: CompiledScreen,
  form: ValuesByName,
): { given: readonly Entry[]; unknown: readonly string[] } {
  const names = new Map(fields.map((field) => [field.name, field]));
  const groups = new Set(fields.flatMap(({ name }) => listEnclosingObjectNames(name)));
  const entries: Entry[] = [];
  const unknown: string[] = [];
  const take = (values: ValuesByName, within: string): void => {
    for (const [step, value] of Object.entries(values)) {
      const name = within + step;
      if (isEmptyValue(value)) continue;
      if (groups.has(name) && !step.includes('.') && isGroupValue(names, name, value)) {
        take(value, `${name}.`);
        continue;
      }
      const field = step.includes('.') ? undefined : names.get(name);
      const clean = field ? createCleaner(ui, field)(value) : value;
      if (isEmptyValue(clean)) continue;
      if (field) entries.push([name, clean]);
      else if (unknown.length < maxReportedFields) unknown.push(name);
    }
  };
  take(form, '');
  return { given: entries, unknown };
}

function isGroupValue(names: ReadonlyMap<string, unknown>, group: string, value: unknown): value is ValuesByName {
  return isObjectOrArray(value) && Array.isArray(value) === names.has(`${group}.0`);
}

/** Checks type and size first, then the schema's keywords in order. `form` must contain only visible values and the fields of `inForm`. */
export function findFieldFault(
  validator: ScreenValidator,
  field: FieldSpec,
  form: ValuesByName,
  context: ValuesByName,
  inForm: readonly FieldSpec[] = validator.screen.fields,
): FieldFault | null {
  return checkField(validator, field, { form, valid: excludeUncheckableValues({ fields: inForm }, form), context });
}

interface ValidationInput {
  readonly form: ValuesByName;
  readonly valid: ValuesToCheck;
  readonly context: ValuesByName;
}

function checkField(
  validator: ScreenValidator,
  field: FieldSpec,
  { form, valid, context }: ValidationInput,
): FieldFault | null {
  const value = getFieldValue(form, field.name);
  if (isEmptyValue(value)) return isRequired(field, form, valid, context) ? { keyword: 'required' } : null;
  const size = findSizeFault(field.schema, value);
  if (size) return addListReason(field, addSizeReason(size, field, value, validator.screen));
  const rules = field.formRules.flatMap((index) => validator.screen.formRules[index] ?? []);
  const offered = listAvailableChoices(field, valid.values, context);
  if (offered && ![value].flat().every((one) => offered.includes(one))) return { keyword: 'enum' };
  return checkValue(validator, field, value, { valid, context }) ?? checkFormRules(validator, rules, valid, context);
}

const fileMessageKey = 'maxLength.file';

function addSizeReason(
  fault: FieldFault,
  { schema }: FieldSpec,
  value: unknown,
  { language, messages }: CompiledScreen,
): FieldFault {
  if (fault.keyword === 'maxLength' && String(value).startsWith('data:') && Object.hasOwn(messages, fileMessageKey))
    return { ...fault, reason: 'file', values: { limit: formatFileSize(Number(schema.maxLength), language) } };
  const reason = fault.keyword === 'type' ? findNumberFault(schema, value, language) : null;
  return reason === null ? fault : { ...fault, reason };
}

function addListReason({ item }: FieldSpec, fault: FieldFault): FieldFault {
  return item && fault.keyword !== 'type' ? { ...fault, reason: 'list' } : fault;
}

function isRequired(field: FieldSpec, form: ValuesByName, valid: ValuesToCheck, context: ValuesByName): boolean {
  const { requiredWith } = field;
  return (
    (requiredWith !== undefined && getFieldValue(form, requiredWith) !== undefined) ||
    isCurrentlyRequired(field, valid.values, context)
  );
}

/** Whether a field is required always or by its condition. Ignores `requiredWith`, which requires the fields of a partly filled object. */
export function isCurrentlyRequired(
  { required, requiredWhen }: FieldSpec,
  form: ValuesByName,
  context: ValuesByName,
): boolean {
  return required || (requiredWhen !== undefined && isRuleTrue(requiredWhen, createScope(form, context)));
}

function createScope(form: ValuesByName, context: ValuesByName): ValuesByName {
  return { ...context, form: addEarlierAnswersToForm(form, context) };
}

/** Returns the choices that are available with these form values and facts. Returns `null` if the choices are fixed. */
export function listAvailableChoices(
  { offeredWhen }: FieldSpec,
  form: ValuesByName,
  context: ValuesByName,
): readonly unknown[] | null {
  if (offeredWhen === undefined) return null;
  const scope = createScope(form, context);
  return offeredWhen.flatMap(([choice, when]) => (isRuleTrue(when, scope) ? [choice] : []));
}

/** Validates a form. Returns its visible values, and messages in screen order. The message of the form itself is first, with the key `''`. */
export function validateScreenForm(
  validator: ScreenValidator,
  values: ValuesByName,
  context: ValuesByName,
): { data: ValuesByName; errors: Record<string, string> } {
  const { screen } = validator;
  const { given, unknown } = cleanForm(screen, values);
  const data = pruneEntries(screen, pruneItems(validator, given, context), context);
  const errors: [name: string, message: string][] = [];
  const valid = excludeUncheckableValues(screen, data);
  const ownRules = screen.formRules.filter(({ target }) => target === '');
  const formFault = checkFormRules(validator, ownRules, valid, context);
  if (formFault) errors.push(['', formatFieldFault(screen, '', formFault)]);
  for (const field of screen.fields) {
    if (!isFieldVisible(field, valid.values, context)) continue;
    const fault = checkField(validator, field, { form: data, valid, context });
    const value = getFieldValue(data, field.name);
    if (fault) errors.push([field.name, formatFieldFault(screen, field.name, fault)]);
    else if (field.item && Array.isArray(value))
      errors.push(...(validator.items?.findListErrors(validator, field, value, context) ?? []));
  }
  for (const name of unknown) errors.push([name, formatFieldFault(screen, name, { keyword: 'additionalProperties' })]);
  for (const name of Object.keys(screen.decidedBy ?? {})) delete data[name];
  return { data, errors: Object.fromEntries(errors) }; // creates an own property even if a field is named __proto__
}

function checkValue(
  validator: ScreenValidator,
  field: FieldSpec,
  value: unknown,
  { valid, context }: Pick<ValidationInput, 'valid' | 'context'>,
): FieldFault | null {
  const validate = validator.values[field.name];
  const errors = validate && !validate(value) ? (validate.errors ?? []) : [];
  const failed = new Map(errors.map((error) => [error.keyword, error.params]));
  if (failed.has('type')) return { keyword: 'type' };
  for (const [keyword, parameters] of Object.entries(field.schema)) {
    const params = failed.get(keyword);
    if (params) return addListReason(field, { keyword, values: params, reason: formatReason(params.format, value) });
    const failure = runRule(validator.rules.get(keyword), value, parameters, { valid, context });
    if (failure) return { keyword, ...failure };
  }
  const [rest] = errors; // an error of a keyword inside `items`, which the loop over the keywords of the field does not find
  return rest ? { keyword: rest.keyword, values: rest.params } : null;
}

/** Returns the format, with a suffix for an incomplete date or time (`date.incomplete`) or a skipped hour (`date-time.skipped`). */
function formatReason(format: unknown, value: unknown): string | undefined {
  if (typeof format !== 'string' || readMarkedInputText(value) === null) return format as string | undefined;
  return `${format}.${isHourSkippedByDst(value) ? 'skipped' : 'incomplete'}`;
}

function checkFormRules(
  validator: ScreenValidator,
  rules: readonly CompiledFormRule[],
  valid: ValuesToCheck,
  context: ValuesByName,
): FieldFault | null {
  for (const { keyword, parameters } of rules) {
    const failure = runRule(validator.rules.get(keyword), valid.values, parameters, { valid, context });
    if (failure) return { keyword, ...failure };
  }
  return null;
}

/** Runs a rule. Skips a rule that reads a field of the wrong type or size, because that field already has a message. */
function runRule(
  rule: PluginValidationRule | undefined,
  value: unknown,
  given: Json | undefined,
  { valid, context }: Pick<ValidationInput, 'valid' | 'context'>,
): RuleFailure | null {
  const parameters = given as never; // cast: the compiler validated the parameters against `rule.parameters`, but their type was erased
  if (
    !rule ||
    (valid.excludedFields.length > 0 && rule.reads?.(parameters).some((name) => valid.excludedFields.includes(name)))
  )
    return null;
  return rule.check({ value, parameters, form: addEarlierAnswersToForm(valid.values, context), context });
}
