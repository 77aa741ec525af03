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
export class ShownForm {
  /** Values of visible fields. */
  readonly values: Record<string, unknown> = {};
  readonly #owner: OpenForm;
  readonly #verdicts: Verdicts;

  constructor(owner: OpenForm, verdicts: Verdicts) {
    this.#owner = owner;
    this.#verdicts = verdicts;
  }

  /** Takes what the form is opened with. */
  begin(): void {
    const fields = [...this.#owner.fields.values()];
    for (const field of fields) this.#store(field);
    for (const { name } of computedFields(this.#owner.validator.screen)) this.#compute(this.#owner.fields.get(name));
    for (const field of fields) if (this.#follow(field)) this.#updateDependents(field);
    for (const field of fields) this.#check(field);
  }

  /** A field's value changed: its own rules and those that name it run, nothing else. */
  changed(field: FieldState): void {
    this.#verdicts.renew(field.name);
    this.#store(field);
    this.#check(field);
    this.#updateDependents(field);
  }

  #store(field: FieldState): void {
    const value = this.#owner.lists.of(field.name)?.shown ?? field.value;
    setValue(this.values, field.name, field.visible && !isEmpty(value) ? value : undefined);
  }

  /** Whether a computed field has another value. */
  #compute(field: FieldState | undefined): boolean {
    if (field?.plan.computed === undefined) return false;
    if (!field.take(computedValue(field.plan.computed, this.values, this.#owner.context))) return false;
    this.#store(field);
    return true;
  }

  /** Whether the field came, went, or lost its value, which is offered no more. */
  #follow(field: FieldState): boolean {
    const { plan, visible } = field;
    if (plan.visible !== undefined) field.update({ visible: isVisible(plan, this.values, this.#owner.context) });
    if (plan.requiredWhen !== undefined) field.update({ required: isWanted(plan, this.values, this.#owner.context) });
    const choices = offeredChoices(plan, this.values, this.#owner.context);
    const lost = choices !== null && field.offer(choices);
    if (lost) this.#verdicts.renew(field.name);
    if (lost || plan.visible !== undefined) this.#store(field);
    return lost || field.visible !== visible;
  }

  /**
   * Looks at what depends on a field, and at what depends on whatever thereby came, went, or is computed to be something else. What is
   * computed is looked at as often as something changes that it reads: it never leads back to itself.
   */
  #updateDependents(field: FieldState, seen = new Set([field.name])): void {
    for (const name of field.plan.dependents) {
      const dependent = this.#owner.fields.get(name);
      if (!dependent || (seen.has(name) && dependent.plan.computed === undefined)) continue;
      this.#verdicts.acquit(name); // it was about both
      const computed = this.#compute(dependent);
      if (computed) this.#verdicts.renew(name);
      const moved = this.#follow(dependent);
      this.#check(dependent);
      if (computed) this.#updateDependents(dependent);
      else if (moved) this.#updateDependents(dependent, seen.add(name));
    }
  }

  #check(field: FieldState): void {
    const fault = field.visible
      ? fieldFault(this.#owner.validator, field.plan, this.values, this.#owner.context)
      : null;
    this.#verdicts.record(field, fault);
  }
}
