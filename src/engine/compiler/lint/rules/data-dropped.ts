import type { Effect, Flow, State, Step } from '../../../core/definition.ts';
import { isWithin } from '../../../core/field-path.ts';
import type { Json } from '../../../core/json.ts';
import { listVariables } from '../../../core/logic.ts';
import { readFieldUi } from '../../../core/ui.ts';
import { ownWidgets } from '../../../core/widgets.ts';
import { listStateEffects, listTemplates } from '../../flow/flow-parts.ts';
import { readProperties, buildFieldPointer, flattenFields } from '../../screen/fields-of-schema.ts';
import { say } from '../../sources/say.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { type LintedScreen, type Subject, flowRule } from '../subject.ts';

/** Reports fields whose input is lost: nothing sends or reads it, or the operation does not accept it. */
export const dataDropped = flowRule('data/dropped', 'W', ({ flow, file, toSourcePointer }, subject) =>
  Object.entries(flow.states).flatMap(([name, state]) => {
    const screen = subject.screens.get(state.screen ?? '');
    const schemaFile = screen?.files.schema;
    if (!screen?.schema || !schemaFile || state.block !== undefined) return [];
    const sending = effectsSending(flow, name);
    const read = [...listDependencies(flow, state), ...listScreenReads(screen, subject)];
    return Object.keys(readProperties(screen.schema))
      .filter(
        (field) =>
          isFilledIn(screen, state, field) &&
          !read.some((path) => path === '' || isWithin(field, path) || isWithin(path, field)),
      )
      .flatMap((field) => {
        const deaf = sending.filter(({ src }) => !keeps(subject, src, field));
        if (deaf.length < sending.length) return [];
        const [first] = deaf;
        return {
          file: schemaFile,
          pointer: buildFieldPointer(field),
          message: first
            ? say`The operation ${first.src} does not keep "${field}": what is filled in there is lost.`
            : say`In "${name}" of the flow "${flow.id}" nothing sends "${field}", and nothing reads it: what is filled in there is lost.`,
          hint: first
            ? say`Remove the field, or ask a developer to let the operation read it.`
            : say`Add it to "input" of the operation, read it in a rule, or remove the field.`,
          related: [{ file: file.path, pointer: toSourcePointer(`/states/${escapePointer(name)}/on`) }],
        };
      });
  }),
);

/** Whether users fill in a field. The widget of a plugin may only display initial values or variables. */
function isFilledIn({ ui }: LintedScreen, { prefill = {} }: State, field: string): boolean {
  const { 'ui:widget': widget, 'ui:readonly': isFixed, 'ui:options': options = null } = readFieldUi(ui, field);
  const isKnown = Object.hasOwn(prefill, field) || listVariables(options).some((path) => path.startsWith('context.'));
  const isShown = isKnown && typeof widget === 'string' && !Object.hasOwn(ownWidgets, widget);
  return widget !== 'hidden' && isFixed !== true && !isShown;
}

/** Returns the operations that receive the form of a state: its own, or those later in its journey. */
function effectsSending({ states, progress = [] }: Flow, name: string): readonly Effect[] {
  const own = listEventEffects(states[name]).filter(({ input, progress: whole }) => whole || input === undefined);
  const later = progress.flatMap((steps) => {
    const here = steps.findIndex(({ state }) => leadsTo(states, state, name));
    return here < 0
      ? []
      : steps
          .slice(here)
          .flatMap(({ state }: Step) => listEventEffects(states[state]).filter(({ progress: whole }) => whole));
  });
  return [...own, ...later];
}

// A step may have an alternative state with the same screen.
function leadsTo(states: Flow['states'], step: string, name: string): boolean {
  return step === name || (states[step]?.screen !== undefined && states[step].screen === states[name]?.screen);
}

function listEventEffects(state: State | undefined): readonly Effect[] {
  return state ? listStateEffects({ on: state.on ?? {} }) : [];
}

function keeps({ contract }: Subject, operation: string, field: string): boolean {
  const shape = contract.operations[operation];
  if (!shape) return true;
  if (!shape.sends) return false;
  return shape.reads?.includes(field) ?? true;
}

/** Returns the form paths that a state reads, without `form.`. An empty text stands for the whole form. */
function listDependencies({ id, initial }: Flow, state: State): readonly string[] {
  return listTemplates({ id, initial, states: { own: state } })
    .flatMap((template) => listVariables(template))
    .flatMap((path) => (path === 'form' ? [''] : path.startsWith('form.') ? [path.slice(5)] : []));
}

/** Returns the fields that the screen's own rules read, and confirmation fields: boxes that must be ticked and repetitions of other fields. */
function listScreenReads({ schema, files, ui }: LintedScreen, { set: { plugins } }: Subject): readonly string[] {
  const own = schema ?? {};
  const rules = [files.ui?.value ?? null, own['computed'] ?? null, ...Object.values(ui.visible ?? {})];
  const confirming = Object.entries(flattenFields(own)).flatMap(([name, field]) => {
    const repeats = Object.entries(field).some(
      ([keyword, parameters]) => (plugins.rules.get(keyword)?.rule.reads?.(parameters as never) ?? []).length > 0, // the parameters were checked
    );
    return field['const'] !== undefined || repeats ? [name] : [];
  });
  return [...rules.flatMap(logicIn), ...confirming];
}

function logicIn(part: Json): readonly string[] {
  return listVariables(part).flatMap((path) => (path.startsWith('form.') ? [path.slice(5)] : []));
}
