import type {
  OperationInvocation,
  JsonLogic,
  StateDefinition,
  JourneyStep,
} from '../../../core/flow-and-screen-types.ts';
import { isFieldWithin, parseFieldPointer } from '../../../core/field-path.ts';
import { listPathsReadByLogic } from '../../../core/json-logic.ts';
import { listPlaceholders } from '../../../core/messages.ts';
import { listStateBranches, listStateInvocations, areRulesContradictory } from '../../flow/flow-queries.ts';
import {
  listFieldsOfEarlierSteps,
  listFieldsAtPath,
  readSchemaProperties,
  flattenFields,
  listRequiredProperties,
} from '../../screen/schema-fields.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { isKnownVariable } from '../check-json-logic.ts';
import type { FlowCheckContext } from './flow-check-context.ts';
import { explain, localize, suggestSimilarName, type LocalizedText } from '../../sources/localized-text.ts';

/** Checks the journeys of a flow: each step, the order of the steps, and the forms sent at the end. */
export function checkJourneySteps(check: FlowCheckContext): void {
  const { flow, report } = check;
  const journeys = flow.progress ?? [];
  const unknown = journeys.flat().filter(({ state }) => !Object.hasOwn(flow.states, state));
  for (const step of unknown) check.target(check.findPointer(step) ?? '/progress', step.state);
  if (unknown.length > 0) return; // after an unknown state name, the other checks would report steps as missing
  for (const [place, journey] of journeys.entries()) {
    let isOrdered = true;
    for (const [index, step] of journey.entries()) {
      const at = check.findPointer(step) ?? '/progress';
      const state = flow.states[step.state];
      if (!state) continue;
      if (journey.slice(0, index).some((other) => other.state === step.state))
        report(at)(explain`"${step.state}" is already a step of this journey.
          Name each state once.`);
      else if (journeys.slice(0, place).some((other) => sharesForbiddenStep(other, journey, step)))
        report(
          at,
        )(explain`"${step.state}" is a step of two journeys: its progress bar cannot determine which one to show.
          Give each journey its own states. They may share the first step, with "bar": false.`);
      checkStep(check, at, step, state, journey.slice(0, index));
      checkSkippedSteps(check, at, journey.slice(0, index), step, state);
      isOrdered &&= checkNext(check, at, journey, index);
    }
  }
  const repeatedFields = new Set<string>(); // fields of two screens are reported once, even if several journeys show both screens
  for (const [name, state] of Object.entries(flow.states)) {
    const journey = journeys.find((steps) => steps.some((step) => step.state === name)) ?? [];
    const index = journey.findIndex((step) => step.state === name);
    const before = journey.slice(0, index + 1).filter((step) => !excludesStep(step, journey[index]));
    for (const effect of listStateInvocations(state))
      if (effect.progress) checkSentForms(check, name, before, { operation: effect, repeatedFields });
    checkEarlier(check, name, state, before.slice(0, -1));
    checkReview(check, name, state, before.slice(0, -1));
  }
}

function excludesStep(step: JourneyStep, other: JourneyStep | undefined): boolean {
  return areRulesContradictory([step.guard, other?.guard]);
}

function checkEarlier(
  check: FlowCheckContext,
  name: string,
  { screen = '' }: StateDefinition,
  before: readonly JourneyStep[],
) {
  const { around, report } = check;
  const savedFields = listSavedFields(check, before);
  const schema = around.screens.get(screen)?.schema ?? {};
  for (const field of listFieldsOfEarlierSteps(schema))
    if (!savedFields.includes(field) && !Object.hasOwn(readSchemaProperties(schema), field))
      // a field of the screen itself is reported there
      report(`/states/${escapePointer(name)}/screen`)(explain`
        The rules of "${screen}" read the earlier answer "${field}", which no step before "${name}" asks for.
        ${suggestSimilarName(field, savedFields)}List the step that asks for it before this one in "progress", or correct "earlier" of the screen. Secrets are never kept.`);
}

/** Checks that a screen with a review has answers to show, and that earlier steps have the fields in `without`. */
function checkReview(
  check: FlowCheckContext,
  name: string,
  { screen = '' }: StateDefinition,
  before: readonly JourneyStep[],
): void {
  const { around, report } = check;
  const { review } = around.screens.get(screen)?.ui ?? {};
  if (!review) return;
  const fields = listSavedFields(check, before);
  const at = `/states/${escapePointer(name)}/screen`;
  if (fields.length === 0)
    report(at)(explain`"${screen}" reviews the earlier answers, but no step before "${name}" asks for anything.
      List "${name}" in "progress" after the steps with the answers, or remove "review" of the screen.`);
  const screens = before.map(({ state }) => around.screens.get(check.flow.states[state]?.screen ?? '')?.schema ?? {});
  const isRequired = (field: string) => screens.some((schema) => listRequiredProperties(schema).includes(field));
  const isSecret = (field: string) => screens.some((schema) => flattenFields(schema)[field]?.writeOnly === true);
  for (const [index, unknown] of (fields.length > 0 ? (review.without ?? []) : []).map(parseFieldPointer).entries())
    // a required field that does not exist is reported at its screen
    if (!fields.some((own) => isFieldWithin(own, unknown)) && (isSecret(unknown) || !isRequired(unknown)))
      (around.uiFiles?.get(screen)?.report(`/review/without/${index}`) ?? report(at))(explain`
        The review omits "${unknown}", but no step before "${name}" saves it.
        ${isSecret(unknown) ? localize`Secrets are never shown: remove it.` : localize`${suggestSimilarName(unknown, fields)}Correct the name, or remove it.`}`);
}

/** Returns the fields of the steps except secrets, which are never saved. */
function listSavedFields({ around, flow }: FlowCheckContext, steps: readonly JourneyStep[]): readonly string[] {
  const schemas = steps.map(({ state }) => around.screens.get(flow.states[state]?.screen ?? '')?.schema ?? {});
  const fields = schemas.flatMap((schema) => Object.entries(flattenFields(schema)));
  return fields.flatMap(([name, { writeOnly }]) => (writeOnly === true ? [] : [name]));
}

// Whether two journeys share a step that they must not share. Two journeys may share only the first step, and only if that step has no progress bar
// in either journey.
function sharesForbiddenStep(
  other: readonly JourneyStep[],
  journey: readonly JourneyStep[],
  { state, bar }: JourneyStep,
): boolean {
  const common = other.findIndex((step) => step.state === state);
  if (common < 0) return false;
  return !(common === 0 && journey[0]?.state === state && bar === false && other[0]?.bar === false);
}

function checkStep(
  check: FlowCheckContext,
  at: string,
  step: JourneyStep,
  state: StateDefinition,
  before: readonly JourneyStep[],
): void {
  const { around, report } = check;
  const ui = around.screens.get(state.screen ?? '')?.ui;
  if (step.guard !== undefined) checkGuard(check, `${at}/guard`, step.guard, listSavedFields(check, before));
  if (state.block !== undefined || state.screen === undefined)
    report(at)(explain`The step "${step.state}" has no screen that could show the progress bar.
      List only states with a "screen".`);
  else if (state.modal)
    report(at)(explain`The step "${step.state}" is a dialog, which has no bar.
      Remove "modal".`);
  else if (ui && ui.step === undefined && (typeof ui.title !== 'string' || listPlaceholders(ui.title).length > 0))
    report(at)(explain`
      The progress bar has no name for "${step.state}": the title of its screen varies.
      Add "step" to schemas/${state.screen}/ui.json.`);
  if (before.length > 0 && step.guard === true)
    report(`${at}/guard`)(explain`This guard is always true.
      Remove it.`);
}

/** Checks the guard of a step. The guard may read only facts and fields of earlier steps, because the server has no other values. */
function checkGuard(check: FlowCheckContext, at: string, guard: JsonLogic, kept: readonly string[]): void {
  const read = listPathsReadByLogic(guard);
  const variable = read.find((name) => name.startsWith('context.'));
  const answer = read.find((name) => name.startsWith('form.') && listFieldsAtPath(name.slice(5), kept).length === 0);
  const { facts, validated } = check.around;
  if (variable !== undefined)
    check.report(at)(explain`The guard reads "${variable}", which the server does not know when it checks the steps.
      Read a field of an earlier step: "form.<field>". Or write a journey for each case: "progress": { "<name>": [ … ], "<other>": [ … ] }. They may share the first step, with "bar": false. Every other step needs its own state, which may have the same screen.`);
  else if (answer !== undefined)
    check.report(at)(explain`The guard reads "${answer}", which no step before this one asks for.
      List the step that asks for it before this one in "progress". Secrets are never kept.`);
  else {
    const readable = { ...check.readable(new Set(kept)), context: new Set<string>(), facts: validated?.facts ?? facts };
    check.condition(at, guard, readable);
  }
}

// Reports a step whose URL lets users skip the earlier steps. If no earlier step has a form, only `requires` can prevent skipping.
function checkSkippedSteps(
  { around, flow, report }: FlowCheckContext,
  at: string,
  before: readonly JourneyStep[],
  step: JourneyStep,
  state: StateDefinition,
) {
  const hasEarlierForm = before.some(({ state: name }) => around.screens.get(flow.states[name]?.screen ?? '')?.schema);
  if (before.length === 0 || hasEarlierForm || state.path === undefined || state.requires) return;
  report(
    at,
  )(explain`The address of the step "${step.state}" skips the earlier steps: the step requires nothing from them.
    Require the results of those steps in its "requires".`);
}

/** Checks that a step has a transition to each step that may follow. Returns whether it has all of them. */
function checkNext(
  { flow, report }: FlowCheckContext,
  at: string,
  journey: readonly JourneyStep[],
  index: number,
): boolean {
  const own = journey[index];
  const from = own?.state ?? '';
  const after = journey.slice(index + 1);
  const certain = after.findIndex((step) => step.guard === undefined || hasSameGuard(step, own));
  const following = after.slice(0, certain < 0 ? undefined : certain + 1);
  // Steps with the same guard are all included or all skipped, so only the first of these steps can be next.
  const next = following.filter((step, place) => !following.slice(0, place).some((other) => hasSameGuard(other, step)));
  const nextViews = findNextViews(flow.states, from);
  if ([...nextViews].some((target) => !flow.states[target])) return true; // the unknown target is reported, and is probably the next step
  const unreached = next.find(
    (step) => flow.states[step.state] && !nextViews.has(step.state) && !excludesStep(step, own),
  );
  const between = [...nextViews].find(
    (name) =>
      flow.states[name]?.screen !== undefined &&
      !journey.some(({ state }) => state === name) &&
      unreached !== undefined &&
      findNextViews(flow.states, name).has(unreached.state),
  );
  if (unreached && between !== undefined)
    report(at)(explain`"${between}" is between "${from}" and "${unreached.state}", but is not a step.
      Add "${between}" to "progress" before "${unreached.state}".`);
  else if (unreached && flow.states[from]?.on !== undefined)
    // a step without events is reported at its state
    report(at)(explain`Nothing leads from the step "${from}" to "${unreached.state}", which may be the next step.
      Target it with an event, or list the steps in their actual order.`);
  return !unreached;
}

function hasSameGuard({ guard }: JourneyStep, other: JourneyStep | undefined): boolean {
  return guard !== undefined && JSON.stringify(guard) === JSON.stringify(other?.guard);
}

/** Returns the next states that render a view. Skips states that render nothing. Includes the `else` target of the `requires` of `from`. */
function findNextViews(
  states: FlowCheckContext['flow']['states'],
  from: string,
  found = new Set<string>(),
): ReadonlySet<string> {
  const { requires, ...state } = states[from] ?? {};
  for (const { target } of [...listStateBranches(state), ...(requires ? [{ target: requires.else }] : [])]) {
    if (target === undefined || found.has(target)) continue;
    found.add(target);
    const { screen, block } = states[target] ?? {};
    if (screen === undefined && block === undefined) findNextViews(states, target, found);
  }
  return found;
}

/** The step that contains a field, and the guards of the step and the field. */
interface GuardedStep {
  readonly state: string;
  readonly screen: string;
  readonly rules: readonly (JsonLogic | undefined)[];
}

/**
 * Checks an operation that sends all forms of the journey. No earlier step may ask for a secret, because the secret would be lost. Two steps must not
 * ask for the same field. The server must validate the screens of these steps.
 */
function checkSentForms(
  check: FlowCheckContext,
  name: string,
  journey: readonly JourneyStep[],
  {
    operation: { src },
    repeatedFields,
  }: { readonly operation: OperationInvocation; readonly repeatedFields: Set<string> },
): void {
  const { around, flow, report } = check;
  const at = `/states/${name}`;
  if (journey.length === 0)
    return report(at)(explain`"${name}" sends the forms of its journey, but is not a step of a journey.
      List it in "progress" of the flow, or define in "input" what is sent.`);
  const stepsByField = new Map<string, GuardedStep>();
  const screens = new Set<string>();
  for (const step of journey) {
    const { screen = '' } = flow.states[step.state] ?? {};
    const place = check.findPointer(step) ?? '/progress';
    const { schema, ui } = around.screens.get(screen) ?? {};
    if (!schema || screens.has(screen)) continue; // skip repeated screens, because several states may show the same screen
    screens.add(screen);
    const readable = check.readable(null);
    for (const field of Object.keys(readSchemaProperties(schema))) {
      if (listPathsReadByLogic(ui?.visible?.[field] ?? true).some((path) => !isKnownVariable(path, readable))) continue; // reported in ui.json
      const other = stepsByField.get(field);
      const own = { state: step.state, screen, rules: [step.guard, ui?.visible?.[field]] };
      stepsByField.set(field, own);
      if (other === undefined || check.hasUnknownVariable() || areRulesContradictory([...other.rules, ...own.rules]))
        continue;
      const repeated = `${other.screen} ${screen} ${field}`;
      if (!repeatedFields.has(repeated))
        report(
          place,
        )(explain`"${other.state}" and "${step.state}" both ask for "${field}", but one operation sends both.
          Remove it from the screen "${other.screen}" or "${screen}", or rename one of them. Both may stay if the guard of the step and "visible" of the field exclude each other.`);
      repeatedFields.add(repeated);
    }
    for (const [field, { writeOnly }] of Object.entries(flattenFields(schema))) {
      if (writeOnly === true && step.state !== name)
        report(place)(explain`
          The secret "${field}" of the step "${step.state}" would be lost before "${name}" sends it.
          Ask for it in the step that sends the forms.`);
    }
  }
  const validating = around.forms?.[src];
  const canAskMore = around.extra?.includes(src) ?? false;
  const isRight =
    validating?.every((screen) => screens.has(screen)) && (canAskMore || validating.length === screens.size);
  const lacking = (validating ?? []).filter((screen) => !screens.has(screen));
  const left = Object.entries(flow.states).find(([, { screen = '' }]) => lacking.includes(screen));
  if (left)
    report('/progress')(explain`
      "progress" lacks the state "${left[0]}": the operation "${src}" needs the fields of its screen "${left[1].screen ?? ''}".
      Add it in its position, or ask a developer to remove the screen from the operation's row of the contract.`);
  else if (validating && !isRight)
    report(at)(explain`
      The operation "${src}" is validated with ${formatScreenList(validating)}, but the path to "${name}" asks for ${formatScreenList([...screens])}.
      List the screens of the steps with fields in its row of the contract.`);
}

function formatScreenList(screens: readonly string[]): string | LocalizedText {
  return screens.length === 0 ? localize`no screen` : screens.map((screen) => `"${screen}"`).join(', ');
}
