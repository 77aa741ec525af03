import { setValue } from '../../core/field-path.ts';
import type { Values } from '../../core/json.ts';
import {
  computedFields,
  computedValue,
  fieldFault,
  isEmpty,
  isVisible,
  isWanted,
  offeredChoices,
  type Validator,
} from '../../core/validate.ts';
import type { FieldState } from './field-state.ts';
import type { FormLists } from './form-lists.ts';
import type { Verdicts } from './verdicts.ts';

/** An open form, as far as what its rules see is made of it. */
interface OpenForm {
  readonly validator: Validator;
  readonly fields: ReadonlyMap<string, FieldState>;
  readonly lists: FormLists;
  /** Facts that rules see beside the form. */
  readonly context: Values;
}

/** What rules see of an open form, and the fields that follow others: which are shown, required, computed, and offer what. */
export interface ShownForm {
  /** Values of visible fields. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Takes what the form is opened with. */
  begin(): void;
  /** A field's value changed: its own rules and those that name it run, nothing else. */
  changed(field: FieldState): void;
}

/** Looks after what the rules of a form see. */
export function showForm(form: OpenForm, verdicts: Verdicts): ShownForm {
  const { validator, context } = form;
  const values: Record<string, unknown> = {};

  function store(field: FieldState): void {
    const value = form.lists.of(field.name)?.shown ?? field.value;
    setValue(values, field.name, field.visible && !isEmpty(value) ? value : undefined);
  }

  /** Whether a computed field has another value. */
  function compute(field: FieldState | undefined): boolean {
    if (field?.plan.computed === undefined) return false;
    if (!field.take(computedValue(field.plan.computed, values, context))) return false;
    store(field);
    return true;
  }

  /** Whether the field came, went, or lost its value, which is offered no more. */
  function follow(field: FieldState): boolean {
    const { plan, visible } = field;
    if (plan.visible !== undefined) field.update({ visible: isVisible(plan, values, context) });
    if (plan.requiredWhen !== undefined) field.update({ required: isWanted(plan, values, context) });
    const choices = offeredChoices(plan, values, context);
    const lost = choices !== null && field.offer(choices);
    if (lost) verdicts.renew(field.name);
    if (lost || plan.visible !== undefined) store(field);
    return lost || field.visible !== visible;
  }

  /**
   * Looks at what depends on a field, and at what depends on whatever thereby came, went, or is computed to be something else. What is
   * computed is looked at as often as something changes that it reads: it never leads back to itself.
   */
  function updateDependents(field: FieldState, seen = new Set([field.name])): void {
    for (const name of field.plan.dependents) {
      const dependent = form.fields.get(name);
      if (!dependent || (seen.has(name) && dependent.plan.computed === undefined)) continue;
      verdicts.acquit(name); // it was about both
      const computed = compute(dependent);
      if (computed) verdicts.renew(name);
      const moved = follow(dependent);
      check(dependent);
      if (computed) updateDependents(dependent);
      else if (moved) updateDependents(dependent, seen.add(name));
    }
  }

  function check(field: FieldState): void {
    verdicts.record(field, field.visible ? fieldFault(validator, field.plan, values, context) : null);
  }

  return {
    values,
    begin() {
      const fields = [...form.fields.values()];
      for (const field of fields) store(field);
      for (const { name } of computedFields(validator.screen)) compute(form.fields.get(name));
      for (const field of fields) if (follow(field)) updateDependents(field);
      for (const field of fields) check(field);
    },
    changed(field) {
      verdicts.renew(field.name);
      store(field);
      check(field);
      updateDependents(field);
    },
  };
}
