import { nameOfPointer, setValue } from '../core/field-path.ts';
import type { Values } from '../core/json.ts';
import type { Draft } from './draft.ts';

/** What was typed into the forms of a flow, by state, while the page lives; never a secret. */
export class KeptDrafts {
  readonly #values = new Map<string, Values>();

  /** What was typed in a state; empty where nothing was. */
  of(state: string): Values {
    return this.#values.get(state) ?? {};
  }

  /** Keeps what stands in a form, without its secrets and without the fields of these pointers. */
  keep(state: string, draft: Draft, clear: readonly string[] = []): void {
    const secrets = draft.validator.screen.fields.filter(({ secret }) => secret).map(({ name }) => name);
    this.#values.set(state, without(draft.values, [...secrets, ...clear.map(nameOfPointer)]));
  }

  /** Takes what was saved of a form that was not opened yet. */
  restore(state: string, values: Values): void {
    this.#values.set(state, values);
  }

  /** Empties fields of a form that is not open. */
  clear(state: string, pointers: readonly string[]): void {
    if (pointers.length > 0) this.#values.set(state, without(this.of(state), pointers.map(nameOfPointer)));
  }

  forget(state: string): void {
    this.#values.delete(state);
  }
}

function without(values: Values, names: readonly string[]): Values {
  const rest = { ...values };
  for (const name of names) setValue(rest, name, undefined);
  return rest;
}
