import type { Flow, JourneyStep, OperationInvocation, StateDefinition } from '../../../core/flow-and-screen-types.ts';
import { builtInWidgets } from '../../../core/built-in-widgets.ts';
import { isFieldWithin, parseFieldVariable } from '../../../core/field-path.ts';
import { asObject, isObject } from '../../../core/json.ts';
import { listPathsReadByLogic, listFieldsReadByLogic } from '../../../core/json-logic.ts';
import { findByPointer } from '../../../core/json-pointer.ts';
import { readFieldUi } from '../../../core/screen-ui-queries.ts';
import { listFlowExpressions, listStateInvocations } from '../../flow/flow-queries.ts';
import type { CheckedScreen } from '../../intermediate-representation.ts';
import { readSchemaProperties, buildFieldPointer, flattenFields, listAllFields } from '../../screen/schema-fields.ts';
import { explain, suggestSimilarName } from '../../sources/localized-text.ts';
import type { LintInput } from '../lint-input.ts';
import { listShapeProperties } from '../../explore/value-shapes.ts';
import { createFindingAt, createStateLintRule } from '../lint-rule.ts';

const dataDropped = createStateLintRule('data/dropped', 'W', ({ name, state, screen, linted, locate }, subject) => {
  const { flow } = linted;
  const file = screen?.files.schema;
  if (!screen?.schema || !file || state.block !== undefined) return null;
  const sending = listSendingEffects(flow, name);
  const read = [...listFormReads(flow, state), ...listRuleReads(screen, subject)];
  const { requiredWhen, offeredWhen } = screen.conditions;
  const conditions = Object.values({ ...requiredWhen, ...offeredWhen }).flatMap(listFieldsReadByLogic);
  const isRead = (field: string) =>
    read.some((path) => path === '' || isFieldWithin(field, path) || isFieldWithin(path, field));
  return Object.keys(readSchemaProperties(screen.schema))
    .filter((field) => isFilledIn(screen, state, field) && !isRead(field))
    .flatMap((field) => {
      const refusing = sending.filter(({ src }) => !isAccepted(subject, src, field));
      if (refusing.length < sending.length) return [];
      const explicit = listEventEffects(state).filter(({ input }) => input !== undefined);
      const isRefused = explicit.length > 0 && explicit.every(({ src }) => !mayReceive(subject, src, field));
      const first = refusing[0] ?? (isRefused ? explicit[0] : undefined);
      const related = [{ file: linted.file.path, pointer: locate('on').pointer }];
      const report = createFindingAt({ file, pointer: buildFieldPointer(field), related });
      if (first)
        return report(explain`The operation ${first.src} does not store "${field}": the input is lost.
          ${suggestSimilarName(field, listUnfilledReads(subject, screen, first.src))}Correct the name, ask a developer to let the operation read it, or remove the field.`);
      const isOutsideJourney =
        flow.progress?.flat().some(({ state: step }) => step === name) === false &&
        Object.values(flow.states).some((own) => listStateInvocations(own).some(({ progress }) => progress));
      if (isOutsideJourney)
        return report(explain`
          "${name}" is not in "progress" of the flow "${flow.id}", so "${field}" is not sent: the input is lost.
          Add the state to "progress", read the field in a rule, or remove it.`);
      if (conditions.includes(field))
        return report(explain`
          In "${name}" of the flow "${flow.id}", nothing sends "${field}", which only decides about other fields: the input is lost.
          Add it to "input" of the operation, or remove the field.`);
      return report(explain`
        In "${name}" of the flow "${flow.id}", nothing sends or reads "${field}": the input is lost.
        Add it to "input" of the operation, read it in a rule, or remove the field.`);
    });
});

/** Reports fields of list items that the operations of a state discard, because the item schema in the request body has no such property. */
const dataItems = createStateLintRule('data/dropped', 'W', ({ name, state, screen, linted, locate }, { contract }) => {
  const file = screen?.files.schema;
  if (!screen?.schema || !file) return null;
  const bodies = listSendingEffects(linted.flow, name).flatMap(({ src }) => contract.operations[src] ?? []);
  const mapped = listEventEffects(state).flatMap(({ src, input }) =>
    Object.entries(asObject(input)).map(([key, template]) => ({ key, template, body: contract.operations[src]?.body })),
  );
  const isStored = (list: string, item: string): boolean => {
    const own = mapped.filter(({ template }) => listPathsReadByLogic(template).includes(`form.${list}`));
    const inBodies = [
      ...own.map(({ key, body }) => [key, body] as const),
      ...bodies.map(({ body }) => [list, body] as const),
    ];
    const known = inBodies.flatMap(([key, body]) =>
      body ? [findByPointer(body, `/properties/${key}/items/properties`)] : [],
    );
    const listed = known.flatMap((properties) => (isObject(properties) ? [properties] : []));
    return listed.length === 0 || listed.some((properties) => Object.hasOwn(properties, item));
  };
  return listAllFields(screen.schema).flatMap(([field, , , pointer]) => {
    const [list = '', item = ''] = field.split('.items.');
    if (item === '' || item.includes('.') || isStored(list, item)) return [];
    const related = [{ file: linted.file.path, pointer: locate('on').pointer }];
    return createFindingAt({ file, pointer, related })(explain`No operation stores "${field}": the input is lost.
      Correct the name, ask a developer to let the operation read it, or remove the field.`);
  });
});

/** Whether users fill in a field. The widget of a plugin may only display initial values or variables. */
function isFilledIn({ ui }: CheckedScreen, { prefill = {} }: StateDefinition, field: string): boolean {
  const { 'ui:widget': widget, 'ui:readonly': isFixed, 'ui:options': options = null } = readFieldUi(ui, field);
  const isKnown =
    Object.hasOwn(prefill, field) || listPathsReadByLogic(options).some((path) => path.startsWith('context.'));
  const isShown = isKnown && typeof widget === 'string' && !Object.hasOwn(builtInWidgets, widget);
  return widget !== 'hidden' && isFixed !== true && !isShown;
}

/** Returns the operations that receive the form of a state: operations of the state itself, or of later states in its journey. */
function listSendingEffects({ states, progress = [] }: Flow, name: string): readonly OperationInvocation[] {
  const own = listEventEffects(states[name]).filter(
    ({ input, progress: sendsJourney }) => sendsJourney || input === undefined,
  );
  const later = progress.flatMap((steps) => {
    const here = steps.findIndex(({ state }) => isStepOrAlternative(states, state, name));
    return here < 0
      ? []
      : steps
          .slice(here)
          .flatMap(({ state }: JourneyStep) =>
            listEventEffects(states[state]).filter(({ progress: sendsJourney }) => sendsJourney),
          );
  });
  return [...own, ...later];
}

// Whether a state is the given step, or another state with the screen of this step.
function isStepOrAlternative(states: Flow['states'], step: string, name: string): boolean {
  return step === name || (states[step]?.screen !== undefined && states[step].screen === states[name]?.screen);
}

function listEventEffects(state: StateDefinition | undefined): readonly OperationInvocation[] {
  return state ? listStateInvocations({ on: state.on ?? {} }) : [];
}

function isAccepted({ contract }: LintInput, operation: string, field: string): boolean {
  const shape = contract.operations[operation];
  if (!shape) return true;
  if (!shape.isPost) return false;
  return shape.reads?.includes(field) ?? true;
}

/** Whether the body of an operation may have a property. */
function mayReceive({ contract }: LintInput, operation: string, name: string): boolean {
  const { body } = contract.operations[operation] ?? {};
  return body === undefined || listShapeProperties({ schema: body, optional: false })?.includes(name) !== false;
}

/** Returns the fields that an operation reads, and that a screen lacks. */
function listUnfilledReads({ contract }: LintInput, { schema }: CheckedScreen, operation: string): readonly string[] {
  const properties = readSchemaProperties(schema ?? {});
  return (contract.operations[operation]?.reads ?? []).filter((name) => !Object.hasOwn(properties, name));
}

/** Returns the form paths that a state reads, without the prefix `form.`. An empty path stands for the complete form. */
function listFormReads({ id, initial }: Flow, state: StateDefinition): readonly string[] {
  return listFlowExpressions({ id, initial, states: { own: state } })
    .flatMap((template) => listPathsReadByLogic(template))
    .flatMap((path) => (path === 'form' ? '' : (parseFieldVariable(path) ?? [])));
}

/** Returns the fields that the screen's own rules read, required consents, and repetitions of other fields. */
function listRuleReads({ schema, files, ui }: CheckedScreen, { set: { plugins } }: LintInput): readonly string[] {
  const own = schema ?? {};
  const rules = [files.ui?.value ?? null, own['computed'] ?? null, ...Object.values(ui.visible ?? {})];
  const confirming = Object.entries(flattenFields(own)).flatMap(([name, field]) => {
    const repeats = Object.entries(field).some(
      ([keyword, parameters]) => (plugins.rules.get(keyword)?.rule.reads?.(parameters as never) ?? []).length > 0, // cast: each rule has its own parameter type, which `checkPluginRuleKeyword` has validated
    );
    return field['const'] !== undefined || repeats ? [name] : [];
  });
  return [...rules.flatMap(listFieldsReadByLogic), ...confirming];
}

export const droppedFieldLintRules = [dataDropped, dataItems];
