import { observable } from 'mobx';
import { faultMessage, type Fault } from '../../core/messages.ts';
import type { ScreenData } from '../../core/screen.ts';
import type { FieldState } from './field-state.ts';

/** What is said of the fields of an open form by its rules, by the server and by the fields themselves, and which of it is on screen. */
export class Verdicts {
  readonly #screen: ScreenData;
  readonly #faults = new Map<string, Fault | null>();
  readonly #serverErrors = new Map<string, string>();
  /** Why fields were not ready to be sent; it does not refuse the next try. */
  readonly #unprepared = new Map<string, string>();
  readonly #shown = new Set<string>();
  /** Fields whose value has changed since the form was opened. */
  readonly #typed = new Set<string>();
  readonly #refused = new Set<string>();
  /** Refused values whose message is on screen. */
  readonly #wrong = observable.set<string>();

  constructor(screen: ScreenData) {
    this.#screen = screen;
  }

  /** How many fields are refused. */
  get refused(): number {
    return this.#refused.size;
  }

  /** Observable: how many refused fields hold a value whose message is on screen. */
  get wrong(): number {
    return this.#wrong.size;
  }

  /** Whether the server has refused a value that still stands. */
  isRefusedByServer(name: string): boolean {
    return this.#serverErrors.has(name);
  }

  /** What a field's own rules say. */
  record(field: FieldState, fault: Fault | null): void {
    this.#faults.set(field.name, fault);
    this.#publish(field, false);
  }

  /** The server's message: it stays until the field changes. `quiet`: with others, of which the summary speaks. */
  refuse(field: FieldState, message: string, quiet: boolean): void {
    this.#serverErrors.set(field.name, message);
    this.show(field, quiet);
  }

  /** Why a field was not ready to be sent; null: it is. */
  unprepared(field: FieldState, message: string | null): void {
    if (message === null) this.#unprepared.delete(field.name);
    else this.#unprepared.set(field.name, message);
    this.#publish(field, false);
  }

  /** Shows the message of a field that was left, unless nobody typed in it and it is only missing. */
  leave(field: FieldState): void {
    if (this.#faults.get(field.name)?.keyword !== 'required' || this.#typed.has(field.name)) this.show(field, false);
  }

  /** From now on the field's message is on screen; `quiet`: with others, of which the summary speaks. */
  show(field: FieldState, quiet: boolean): void {
    this.#shown.add(field.name);
    this.#publish(field, quiet);
  }

  /** Another value: what was said of the one before is over. */
  renew(name: string): void {
    this.#typed.add(name);
    this.acquit(name);
    this.#unprepared.delete(name);
    if (this.#screen.ui.showErrors === 'change') this.#shown.add(name);
    else this.#shown.delete(name);
  }

  /** Another field changed that the server's message was also about. */
  acquit(name: string): void {
    this.#serverErrors.delete(name);
  }

  /** Takes every message away. */
  reset(fields: Iterable<FieldState>): void {
    this.#serverErrors.clear();
    this.#unprepared.clear();
    this.#shown.clear();
    this.#typed.clear();
    for (const field of fields) this.#publish(field, false);
  }

  #publish(field: FieldState, quiet: boolean): void {
    const { name } = field;
    const fault = this.#faults.get(name) ?? null;
    const serverError = this.#serverErrors.get(name);
    const refused = field.visible && (fault !== null || serverError !== undefined);
    if (refused) this.#refused.add(name);
    else this.#refused.delete(name);
    const invalid = refused && (serverError !== undefined || fault?.keyword !== 'required');
    if (invalid && this.#shown.has(name)) this.#wrong.add(name);
    else this.#wrong.delete(name);
    const error =
      refused && this.#shown.has(name)
        ? (serverError ?? (fault ? faultMessage(this.#screen, name, fault) : null))
        : (this.#unprepared.get(name) ?? null);
    field.update({ error, invalid, quiet });
  }
}
