import { createAtom } from 'mobx';
import type { FieldPlan } from '../../core/screen.ts';
import { afterPress } from '../press.ts';
import type { Field, Preparation } from './field.ts';

/** What a field asks of the draft that holds it. */
export interface FieldOwner {
  changed(field: FieldState): void;
  left(field: FieldState): void;
  unprepared(field: FieldState, message: string | null): void;
}

/**
 * One field of a draft: two atoms and plain values, so that a form of a thousand fields stays light. A key reports the
 * value alone; message and visibility report only when they differ.
 */
export class FieldState implements Field {
  readonly plan: FieldPlan;
  readonly #owner: FieldOwner;
  readonly #valueAtom;
  readonly #stateAtom;
  readonly #clean: (value: unknown) => unknown;
  #value: unknown;
  #typed: unknown;
  #error: string | null = null;
  #invalid = false;
  #visible = true;
  #required: boolean;
  #choices: readonly unknown[] | null = null;
  #quiet = false;
  #prepare: (() => Promise<Preparation>) | null = null;

  constructor(plan: FieldPlan, owner: FieldOwner, value: unknown, clean: (value: unknown) => unknown) {
    this.plan = plan;
    this.#owner = owner;
    this.#value = clean(value);
    this.#typed = this.#value;
    this.#required = plan.required;
    this.#clean = clean;
    this.#valueAtom = createAtom(`${plan.name}.value`);
    this.#stateAtom = createAtom(`${plan.name}.state`);
  }

  get name(): string {
    return this.plan.name;
  }

  get value(): unknown {
    this.#valueAtom.reportObserved();
    return this.#value;
  }

  get typed(): unknown {
    this.#valueAtom.reportObserved();
    return this.#typed;
  }

  get error(): string | null {
    this.#stateAtom.reportObserved();
    return this.#error;
  }

  get invalid(): boolean {
    this.#stateAtom.reportObserved();
    return this.#invalid;
  }

  get visible(): boolean {
    this.#stateAtom.reportObserved();
    return this.#visible;
  }

  /** Whether it must be filled in now, whatever else is. */
  get required(): boolean {
    this.#stateAtom.reportObserved();
    return this.#required;
  }

  /** The choices that are offered now; null where they are always the same. */
  get choices(): readonly unknown[] | null {
    this.#stateAtom.reportObserved();
    return this.#choices;
  }

  /** Offers other choices, and takes back what was chosen of those that are gone; whether anything was. */
  offer(choices: readonly unknown[]): boolean {
    if (JSON.stringify(choices) === JSON.stringify(this.#choices)) return false;
    this.#choices = choices;
    this.#stateAtom.reportChanged();
    const value = this.#value;
    const chosen = [value].flat();
    const left = chosen.filter((one) => choices.includes(one));
    return left.length < chosen.length && this.take(Array.isArray(value) ? left : undefined);
  }

  /** Whether the message came with others at a submit: the summary speaks then, not each field. */
  get quiet(): boolean {
    this.#stateAtom.reportObserved();
    return this.#quiet;
  }

  set(value: unknown): void {
    if (this.plan.computed !== undefined) return;
    const typed = emptyAsNone(value);
    if (this.#store(this.clean(typed), typed)) this.#owner.changed(this);
  }

  clean(input: unknown): unknown {
    return emptyAsNone(this.#clean(input));
  }

  /** Takes the value that the field is computed to be, or that is left of it; returns whether that is another one. */
  take(value: unknown): boolean {
    return this.#store(value, value);
  }

  /** Shows the cleaned value in place of what was typed. */
  settle(): void {
    this.#store(this.#value, this.#value);
  }

  #store(value: unknown, typed: unknown): boolean {
    const isSame = Object.is(value, this.#value);
    if (isSame && Object.is(typed, this.#typed)) return false;
    this.#value = value;
    this.#typed = typed;
    this.#valueAtom.reportChanged();
    return !isSame;
  }

  blur(): void {
    this.settle();
    afterPress(() => this.#owner.left(this));
  }

  beforeSubmit(prepare: () => Promise<Preparation>): () => void {
    this.#prepare = prepare;
    return () => {
      if (this.#prepare === prepare) this.#prepare = null;
    };
  }

  /** What is to be done before a submit; null: nothing. */
  get prepare(): (() => Promise<Preparation>) | null {
    return this.#prepare;
  }

  /** Says why it was not ready to be sent; null: it is. */
  unprepared(message: string | null): void {
    this.#owner.unprepared(this, message);
  }

  /** Sets what the draft found out; reports only what differs. */
  update(state: {
    error?: string | null;
    invalid?: boolean;
    visible?: boolean;
    required?: boolean;
    quiet?: boolean;
  }): void {
    const { error = this.#error, invalid = this.#invalid, visible = this.#visible, quiet = this.#quiet } = state;
    const { required = this.#required } = state;
    if (error === this.#error && invalid === this.#invalid && visible === this.#visible && required === this.#required)
      return;
    this.#required = required;
    this.#error = error;
    this.#invalid = invalid;
    this.#visible = visible;
    this.#quiet = quiet;
    this.#stateAtom.reportChanged();
  }
}

function emptyAsNone(value: unknown): unknown {
  return value === '' || value === null ? undefined : value;
}

/** What fields do before a submit: one after the other, until one refuses, and while that runs nothing else. */
export class Preparations {
  #running = false;

  /** Whether the form may be sent; at once where none of its fields does anything. */
  run(fields: readonly FieldState[]): true | Promise<boolean> {
    const preparing = fields.filter(({ visible, prepare }) => visible && prepare !== null);
    return preparing.length === 0 ? true : this.#runAll(preparing);
  }

  async #runAll(fields: readonly FieldState[]): Promise<boolean> {
    if (this.#running) return false;
    this.#running = true;
    try {
      for (const field of fields) {
        field.unprepared(null);
        const verdict = await field.prepare?.();
        if (!verdict) continue;
        field.unprepared(verdict.refused);
        return false;
      }
      return true;
    } finally {
      this.#running = false;
    }
  }
}
