import type {
  Flow,
  DelayedEvent,
  StateDefinition,
  TransitionBranch,
  OperationInvocation,
  Transition,
  ScreenUi,
} from '../../../core/flow-and-screen-types.ts';
import { anyoneAccess, belongsToSeparatePortal } from '../../../core/definitions-manifest.ts';
import { isFieldWithin, parseFieldPointer } from '../../../core/field-path.ts';
import { isObject } from '../../../core/json.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { getComputedRules, listUiLinks, flattenFields } from '../../screen/schema-fields.ts';
import {
  findNearestName,
  listNearNames,
  suggestSimilarName,
  suggestSimilarOrKnownNames,
  formatAlternatives,
  explain,
  localize,
  type LocalizedText,
} from '../../sources/localized-text.ts';
import type { ReadableVariables } from '../check-json-logic.ts';
import { findMisspeltSubmitEvent } from '../ui/ui-check-context.ts';
import { listReadableInState, suggestFieldOrState } from './fields-of-other-states.ts';
import { checkTransitionBranches, reportStoredSecrets, type FlowCheckContext } from './flow-check-context.ts';
import { listDirectBranches, findTransitionInvocation } from '../../../core/transition.ts';
import { errorRedirectBranch } from '../../flow/expand-flow.ts';
import { isUnconditionalBranch } from '../../flow/unexpanded-flow-types.ts';
import { restartEvent } from '../../../core/saved-journey.ts';

export function checkStateDefinition(check: FlowCheckContext, name: string, state: StateDefinition): void {
  const at = `/states/${escapePointer(name)}`;
  const fields = check.listFields(state);
  const readable = listReadableInState(check, state);
  const { around } = check;
  checkView(check, at, state);
  checkAccess(check, at, state);
  checkSource(check, at, state, readable);
  if (state.requires) {
    check.condition(`${at}/requires/guard`, state.requires.guard, readable);
    check.target(`${at}/requires/else`, state.requires.else);
  }
  if (
    state.screen !== undefined &&
    state.always?.some((branch) => isUnconditionalBranch(branch) && leavesState(branch))
  )
    check.report(`${at}/always`)(explain`The screen of this state is never shown: "always" leaves it in every case.
      Give the branch a "guard", or remove "screen".`);
  if (state.always)
    checkTransitionBranches(check, `${at}/always`, state.always, { state, readable, mustEndUnconditionally: false });
  if (state.invoke) checkEffect(check, `${at}/invoke`, state.invoke, state);
  for (const [event, transition] of Object.entries(state.on ?? {}))
    if (!transitionKeywords.includes(event))
      checkTransition(check, `${at}/on/${escapePointer(event)}`, transition, state);
  if (state.after) checkDelay(check, state.after);
  for (const [field, template] of Object.entries(state.prefill ?? {})) {
    const pointer = `${at}/prefill/${escapePointer(field)}`;
    if (fields && (field.includes('.') || ![...fields].some((known) => isFieldWithin(known, field))))
      check.report(pointer)(explain`The screen has no field "${field}".
        ${suggestFieldOrState(check, field, fields)}Fields: ${listNearNames(field, fields)}.`);
    if (Object.hasOwn(getComputedRules(around.screens.get(state.screen ?? '')?.schema ?? {}), field))
      check.report(pointer)(explain`"${field}" is computed: a prefilled value would be overwritten at once.
        Remove it here, and prefill the fields that it is computed from.`);
    check.template(pointer, template, readable);
  }
  for (const [name, template] of Object.entries(state.carry ?? {})) {
    const pointer = `${at}/carry/${escapePointer(name)}`;
    check.template(pointer, template, readable);
    reportStoredSecrets(check, pointer, template, state);
  }
  if (state.back !== undefined && !['history', 'none'].includes(state.back)) check.target(`${at}/back`, state.back);
  checkClearedSecrets(check, at, state);
  checkEvents(check, at, state);
  checkExits(check, at, state);
}

function checkDelay(check: FlowCheckContext, { at, event }: DelayedEvent): void {
  const pointer = `/delays/${escapePointer(event)}/at`;
  check.logic(pointer, at, check.readable(new Set()));
  if (!isObject(at) && (typeof at !== 'string' || Number.isNaN(Date.parse(at))))
    check.report(pointer)(explain`${JSON.stringify(at)} is not a time: the delay would never end.
      Write the variable that contains the time, e.g. "context.vence".`);
}

function checkView(check: FlowCheckContext, at: string, state: StateDefinition): void {
  const { around, report } = check;
  if (state.screen !== undefined && !around.screens.has(state.screen))
    report(`${at}/screen`)(explain`There is no screen "${state.screen}".
      ${suggestSimilarName(state.screen, around.screenNames ?? [])}Name a folder of schemas/.`);
  const separate = belongsToSeparatePortal(check.flow, around.separatePortal?.access)
    ? around.separatePortal
    : undefined;
  const { blocks } = separate ?? around;
  if (state.block !== undefined && !blocks.includes(state.block))
    report(`${at}/block`)(explain`There is no block "${state.block}".
      ${suggestSimilarOrKnownNames(state.block, blocks)}`);
  if (separate && state.path !== undefined && state.access !== separate.access)
    report(`${at}/path`)(explain`Other states of this flow are only for "${separate.access}", but this one is not.
      Write "access": "${separate.access}" once, for the whole flow.`);
  if (state.chrome !== undefined) check.logic(`${at}/chrome`, state.chrome, check.readable(new Set()));
  if (state.modal && state.path !== undefined)
    report(`${at}/modal`)(explain`A dialog has no address.
      Remove "path" or "modal".`);
}

// Reports secrets in `clear`. Leaving a form always discards secrets, so clearing them has no effect.
function checkClearedSecrets(
  { around, report }: FlowCheckContext,
  at: string,
  { screen, clear = [] }: StateDefinition,
): void {
  const fields = flattenFields(around.screens.get(screen ?? '')?.schema ?? {});
  clear.forEach((pointer, index) => {
    const name = parseFieldPointer(pointer);
    if (fields[name]?.writeOnly === true)
      report(`${at}/clear/${index}`)(explain`"${name}" is a secret: secrets are discarded when people leave the form.
        Remove it.`);
  });
}

function checkAccess(
  { around: { access: words = {} }, report }: FlowCheckContext,
  at: string,
  { access = anyoneAccess, permissions }: StateDefinition,
): void {
  const known = Object.entries(words).flatMap(([word, { isIdentified }]) => (isIdentified ? [`"${word}"`] : []));
  if (access !== anyoneAccess && !Object.hasOwn(words, access))
    report(`${at}/access`)(explain`"${access}" is not a known value of "access".
      ${suggestSimilarOrKnownNames(access, [anyoneAccess, ...Object.keys(words)])}`);
  else if (permissions && !words[access]?.isIdentified)
    report(`${at}/permissions`)(explain`Permissions require a signed-in user.
      ${known.length > 0 ? localize`Add "access": ${formatAlternatives(known)}.` : localize`Remove it: this portal has no signed-in users.`}`);
}

function checkSource(
  check: FlowCheckContext,
  at: string,
  { block, source }: StateDefinition,
  readable: ReadableVariables,
): void {
  if (source === undefined) return;
  if (block === undefined)
    check.report(`${at}/source`)(explain`Only a block shows a source.
      Add a "block", or name the source in the fields of the screen.`);
  check.operation(`${at}/source/operation`, source.operation, true);
  for (const [name, template] of Object.entries(source.params ?? {}))
    check.template(`${at}/source/params/${escapePointer(name)}`, template, readable);
}

function leavesState({ target, leave }: TransitionBranch): boolean {
  return target !== undefined || leave !== undefined;
}

function checkTransition(check: FlowCheckContext, at: string, transition: Transition, state: StateDefinition): void {
  const effect = findTransitionInvocation(transition);
  if (effect) return checkEffect(check, at, effect, state);
  checkTransitionBranches(check, at, listDirectBranches(transition), {
    state,
    readable: listReadableInState(check, state),
  });
}

function checkEffect(check: FlowCheckContext, at: string, effect: OperationInvocation, state: StateDefinition): void {
  const list = (...facts: readonly string[]) => listReadableInState(check, state, { facts, isOperation: true });
  const readable = list();
  check.operation(`${at}/src`, effect.src);
  if (effect.input !== undefined) check.template(`${at}/input`, effect.input, readable);
  for (const [name, template] of Object.entries(effect.params ?? {}))
    check.template(`${at}/params/${escapePointer(name)}`, template, readable);
  checkTransitionBranches(check, `${at}/onDone`, effect.onDone, {
    state,
    readable: list('result'),
  });
  const errors = effect.onError.filter((branch) => branch !== errorRedirectBranch);
  checkCopies(check, errors);
  if (errors.length === 0)
    check.report(at)(explain`The effect has no "onError".
      Add one whose last branch has no guard, e.g. { "field": true }, here or at the top of the flow.`);
  checkTransitionBranches(check, `${at}/onError`, errors, { state, readable: list('error') });
}

// Reports copies of the first error branch, which the compiler adds to every operation. A copy is unreachable.
function checkCopies(check: FlowCheckContext, errors: readonly TransitionBranch[]): void {
  for (const branch of errors) {
    if (JSON.stringify(branch) === JSON.stringify(errorRedirectBranch))
      check.report(check.findPointer(branch) ?? '')(explain`An error response with a next address always leads there.
        Remove this branch. To stay here after errors, give the operation "followNext": false.`);
  }
}

/** Suggests the next step as the target of an event of a step without events. */
function suggestNextStep({ states, progress = [] }: Flow, state: StateDefinition, event: string): LocalizedText | null {
  const steps = progress.find((own) => own.some((step) => states[step.state] === state)) ?? [];
  const next = steps[steps.findIndex((step) => states[step.state] === state) + 1]?.state;
  if (state.on !== undefined || next === undefined) return null;
  return localize`The next step is "${next}": write "on": { "${event}": "${next}" }.`;
}

/** Keywords of a transition, which are probably written one level too high if they are the name of an event. */
const transitionKeywords: readonly string[] = [
  'onDone',
  'onError',
  'src',
  'input',
  'target',
  'guard',
  'assign',
  'notice',
  'leave',
];

/** Checks that a state handles exactly the events that its screen raises. */
function checkEvents({ around, flow, report }: FlowCheckContext, at: string, state: StateDefinition): void {
  const ui = around.screens.get(state.screen ?? '')?.ui;
  if (!ui) return;
  const raised = listRaisedEvents(ui, state);
  const handled = Object.keys(state.on ?? {});
  const misspeltSubmit = findMisspeltSubmitEvent(ui, around.screens.get(state.screen ?? '')?.schema ?? {});
  const misspelt = (event: string) => {
    const other = findNearestName(
      event,
      raised.filter((own) => !handled.includes(own)),
    );
    return raised.includes(event) ? undefined : other;
  };
  const renamed = misspeltSubmit === undefined ? reportRenamedEvent(around, state, raised) : [];
  const misspeltEvents = [misspeltSubmit, ...handled.map(misspelt), ...renamed];
  const ofEngine = ['back', ...(flow.save === undefined ? [] : [restartEvent])];
  const unhandled = [...new Set(raised)].filter(
    (event) => ![...ofEngine, ...handled, ...misspeltEvents].includes(event),
  );
  // A handler inherited from a parent state is used if any of the nested states raises the event.
  const isRaised = ([event, transition]: readonly [event: string, transition: unknown]) =>
    Object.values(flow.states)
      .filter(({ on }) => on?.[event] === transition)
      .some((other) => listRaisedEvents(around.screens.get(other.screen ?? '')?.ui, other).includes(event));
  const unraised = Object.entries(state.block === undefined ? (state.on ?? {}) : {}) // skips blocks, because their events are only in their code
    .filter((entry) => !isRaised(entry))
    .map(([event]) => event);
  const replaced = unraised.filter((event) => !transitionKeywords.includes(event) && misspelt(event) === undefined);
  const isReplaced = unhandled.length === 1 && replaced.length === 1;
  const [newEvent = '', oldEvent = ''] = isReplaced ? [unhandled[0], replaced[0]] : [];
  if (isReplaced)
    report(`${at}/on/${escapePointer(oldEvent)}`)(explain`
      The screen "${state.screen ?? ''}" raises "${newEvent}", and "on" handles "${oldEvent}", which nothing raises.
      If both are the same event, give them the same name.`);
  for (const event of isReplaced ? [] : unhandled)
    report(`${at}/on`)(explain`The screen "${state.screen ?? ''}" raises "${event}", which the state does not handle.
      ${suggestNextStep(flow, state, event) ?? localize`Add it to "on".`}`);
  if (state.back === 'none' && raised.includes('back') && !handled.includes('back'))
    report(`${at}/back`)(explain`
      The screen "${state.screen ?? ''}" has a button or link that goes back, but this state has no target for "back".
      Remove it from ui.json, or give "back" a target in "on".`);
  const isReported = (event: string) =>
    (event === 'submit' && misspeltSubmit !== undefined) || [...renamed, oldEvent].includes(event);
  for (const event of unraised.filter((own) => !isReported(own)))
    report(`${at}/on/${escapePointer(event)}`)(
      transitionKeywords.includes(event)
        ? explain`"${event}" is not an event.
            Write it within its event, beside "src" or "target".`
        : explain`Nothing on the screen "${state.screen ?? ''}" raises "${event}".
            ${suggestSimilarName(
              event,
              raised.filter((own) => !handled.includes(own)),
            )}Add a button or link with this event to its ui.json, or remove it here.`,
    );
}

/** Reports an event of a button that the flow and all translations call by another name. Returns both names. */
function reportRenamedEvent(
  { uiFiles, screens }: FlowCheckContext['around'],
  { screen = '', on = {} }: StateDefinition,
  raised: readonly string[],
): readonly string[] {
  const { report, translatedEvents = [] } = uiFiles?.get(screen) ?? {};
  const actions = screens.get(screen)?.ui.actions ?? [];
  const index = actions.findIndex(({ event }) => !Object.hasOwn(on, event) && !translatedEvents.includes(event));
  const [meant, ...others] = Object.keys(on).filter(
    (event) => !raised.includes(event) && translatedEvents.includes(event),
  );
  const event = actions[index]?.event;
  if (!report || event === undefined || event === 'back' || meant === undefined || others.length > 0) return [];
  report(`/actions/${index}/event`)(explain`The flow and the translation call the event of this button "${meant}".
    Write "${meant}" here in place of "${event}".`);
  return [event, meant];
}

function listRaisedEvents(ui: ScreenUi | undefined, { after }: StateDefinition): readonly string[] {
  return [
    ...(ui?.actions ?? []).map(({ event }) => event),
    ...(ui ? listUiLinks(ui) : []).flatMap(([, { event }]) => (event === undefined ? [] : [event])),
    ...(after ? [after.event] : []),
  ];
}

function checkExits({ around, report }: FlowCheckContext, at: string, state: StateDefinition): void {
  if (state.screen !== undefined && !around.screens.has(state.screen)) return; // skip an unknown screen, which another check reports
  const ui: ScreenUi | undefined = around.screens.get(state.screen ?? '')?.ui;
  const exitCount = Object.keys(state.on ?? {}).length + (ui?.links?.length ?? 0) + (ui?.actions ?? []).length; // a button whose event is not handled is reported as such
  const { type, block, always, invoke } = state;
  if (type === 'final' || block !== undefined || always !== undefined || invoke !== undefined || exitCount > 0) return;
  report(at)(explain`This state is a dead end.
    Give it an event, a link on its screen, or "type": "final".`);
}
