import type { CheckedScreen } from '../../ir.ts';
import type { Effect, Flow, State, Step } from '../../../core/definition.ts';
import { isWithin } from '../../../core/field-path.ts';
import type { Json } from '../../../core/json.ts';
import { listVariables } from '../../../core/logic.ts';
import { readFieldUi } from '../../../core/ui.ts';
import { ownWidgets } from '../../../core/widgets.ts';
import { listStateEffects, listTemplates } from '../../flow/flow-parts.ts';
import { readProperties, buildFieldPointer, flattenFields } from '../../screen/fields-of-schema.ts';
import { explain } from '../../sources/say.ts';
import type { Subject } from '../subject.ts';
import { reportAt, stateRule } from '../rule.ts';

/** Reports fields whose input is lost: nothing sends or reads it, or the operation does not accept it. */
export const dataDropped = stateRule('data/dropped', 'W', ({ name, state, screen, linted, locate }, subject) => {
  const { flow } = linted;
  const file = screen?.files.schema;
  if (!screen?.schema || !file || state.block !== undefined) return null;
  const sending = effectsSending(flow, name);
  const read = [...listDependencies(flow, state), ...listScreenReads(screen, subject)];
  const isRead = (field: string) => read.some((path) => path === '' || isWithin(field, path) || isWithin(path, field));
  return Object.keys(readProperties(screen.schema))
    .filter((field) => isFilledIn(screen, state, field) && !isRead(field))
    .flatMap((field) => {
      const deaf = sending.filter(({ src }) => !keeps(subject, src, field));
      if (deaf.length < sending.length) return [];
      const [first] = deaf;
      const related = [{ file: linted.file.path, pointer: locate('on').pointer }];
      const report = reportAt({ file, pointer: buildFieldPointer(field), related });
      if (first)
        return report(explain`The operation ${first.src} does not keep "${field}": what is filled in there is lost.
          Remove the field, or ask a developer to let the operation read it.`);
      return report(explain`
        In "${name}" of the flow "${flow.id}" nothing sends "${field}", and nothing reads it: what is filled in there is lost.
        Add it to "input" of the operation, read it in a rule, or remove the field.`);
    });
});

/** Whether users fill in a field. The widget of a plugin may only display initial values or variables. */
function isFilledIn({ ui }: CheckedScreen, { prefill = {} }: State, field: string): boolean {
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
function listScreenReads({ schema, files, ui }: CheckedScreen, { set: { plugins } }: Subject): readonly string[] {
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
