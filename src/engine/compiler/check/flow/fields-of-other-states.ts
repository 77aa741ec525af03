import type { StateDefinition } from '../../../core/flow-and-screen-types.ts';
import { findNearestName, localize, type LocalizedText } from '../../sources/localized-text.ts';
import type { ReadableVariables } from '../check-json-logic.ts';
import type { FlowCheckContext } from './flow-check-context.ts';

/** Names the other state whose screen has a field that a state prefills, or else a similar field. */
export function suggestFieldOrState(
  check: FlowCheckContext,
  field: string,
  fields: ReadonlySet<string>,
): LocalizedText {
  const states = Object.values(check.flow.states);
  const used = states.flatMap(({ prefill = {} }) => (Object.hasOwn(prefill, field) ? Object.keys(prefill) : []));
  const nearest = findNearestName(
    field,
    [...fields].filter((name) => !used.includes(name)),
  );
  if (nearest !== undefined) return localize`Did you mean "${nearest}"? `;
  const [other] = check.listStatesWithField(field).filter(([, { prefill = {} }]) => !Object.hasOwn(prefill, field));
  return other
    ? localize`If you moved it to the screen of the state "${other[0]}", move this line to the "prefill" of that state. `
    : localize`If you removed the field, remove this line. `;
}

/** Returns the names that a rule of a state may read. A field of another step is reported with its screen. */
export function listReadableInState(
  check: FlowCheckContext,
  state: StateDefinition,
  { facts = [], isOperation = false }: { readonly facts?: readonly string[]; readonly isOperation?: boolean } = {},
): ReadableVariables {
  const suggestMoved = (field: string): LocalizedText | undefined => {
    const [other] = check.listStatesWithField(field);
    const { states, progress = [] } = check.flow;
    if (!other) return undefined;
    const [name, { screen = '' }] = other;
    const steps = progress.map((journey) => journey.map((step) => step.state)).find((own) => own.includes(name)) ?? [];
    const own = steps.findIndex((step) => states[step] === state);
    const part = isOperation ? localize`the operation` : localize`this line`;
    if (own !== -1 && own < steps.indexOf(name))
      return localize`"${field}" is now in the screen "${screen}", of a later step. Move ${part} to that step.`;
    return localize`"${field}" is now in the screen "${screen}"${own === -1 ? '' : localize`, of an earlier step`}. Store it in a variable with "assign" in that step and read "context.…", or move ${part} to that step.`;
  };
  return { ...check.readable(check.listFields(state), facts), suggestMoved };
}
