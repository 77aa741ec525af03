import { compareStructural, computed, reaction } from 'mobx';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { findChoiceLabel } from '../../core/answer-summary.ts';
import { asObject, type Json, type JsonObject } from '../../core/json.ts';
import { parseNumericInput } from '../../core/values/numbers.ts';
import type { Form } from '../../runtime/open-screen.ts';
import type { FieldModel } from '../../runtime/form/field-model.ts';
import type { FormModel } from '../../runtime/form/form-model.ts';

/** Re-renders when the result of `read` changes. `read` must be a stable function of observables. */
export function useComputed<Result>(read: () => Result): Result {
  const { get, subscribe } = useMemo(() => {
    const shown = computed(read, { equals: compareStructural, keepAlive: true });
    const get = () => shown.get();
    return { get, subscribe: (listener: () => void) => reaction(get, listener) };
  }, [read]);
  return useSyncExternalStore(subscribe, get, get);
}

export type FieldState = Pick<FieldModel, 'value' | 'typed' | 'error' | 'required' | 'visible' | 'set' | 'blur'> & {
  readonly label: string;
  /** Currently available choices. Empty if the field has none, or if an operation returns them. */
  readonly choices: readonly FieldChoice[];
};

export interface FieldChoice {
  readonly value: Json;
  readonly label: string;
}

/** Returns the state of a field, and re-renders when it changes. The name of a field in a list contains its index: `people.0.name`. */
export function useField(form: Form<unknown> | FormModel, name: string): FieldState {
  const model = 'model' in form ? form.model : form;
  const read = useCallback(() => {
    const field = model.field(name);
    if (!field) throw new Error(`The form has no field ${name}.`);
    const { value, typed, error, required, visible } = field;
    const choices = listFieldChoices(field, model.findFieldUi(name));
    return { field, label: model.findFieldLabel(name), value, typed, error, required, visible, choices };
  }, [model, name]);
  const { field, ...state } = useComputed(read);
  const { language } = model.validator.screen;
  const set = (input: unknown) =>
    field.set(typeof input === 'string' ? parseNumericInput(input, field.spec.schema, language) : input);
  return { ...state, set, blur: () => field.blur() };
}

function listFieldChoices({ spec: { schema }, choices }: FieldModel, ui: JsonObject): readonly FieldChoice[] {
  const { enum: own = asObject(schema.items).enum } = schema;
  return (Array.isArray(own) ? own : [])
    .filter((value: Json) => choices?.includes(value) ?? true)
    .map((value: Json) => ({ value, label: findChoiceLabel(schema, ui, value) ?? String(value) }));
}
