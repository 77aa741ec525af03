import { observable, runInAction } from 'mobx';
import type { ValueCheck } from './field-model.ts';

/** Checks a value elsewhere. Resolves to the message that refuses it, or to `null`. `signal` aborts once the value has changed. */
export type Check = (value: unknown, signal: AbortSignal) => Promise<string | null>;

/** The asynchronous check of a field. Runs once per value, at most one at a time. */
export class FieldCheck implements ValueCheck {
  readonly #check: Check;
  readonly #verdicts = new Map<string, string | null>();
  readonly #pending = observable.box(false);
  #running: { readonly key: string; readonly abort: AbortController; readonly verdict: Promise<string | null> } | null =
    null;

  constructor(check: Check) {
    this.#check = check;
  }

  get isPending(): boolean {
    return this.#pending.get();
  }

  /** Resolves to the message about a value, or to `null` if it is accepted or the check failed: then the submit has the last word. */
  async run(value: unknown): Promise<string | null> {
    const key = JSON.stringify(value);
    const known = this.#verdicts.get(key);
    if (known !== undefined) return known;
    if (this.#running?.key !== key) {
      this.cancel();
      this.#start(key, value);
    }
    return (await this.#running?.verdict) ?? null;
  }

  cancel(): void {
    this.#running?.abort.abort();
    this.#end();
  }

  #start(key: string, value: unknown): void {
    const abort = new AbortController();
    const ask = async () => {
      try {
        const verdict = await this.#check(value, abort.signal);
        this.#verdicts.set(key, verdict);
        return verdict;
      } catch {
        return null;
      } finally {
        if (this.#running?.abort === abort) this.#end();
      }
    };
    runInAction(() => this.#pending.set(true));
    this.#running = { key, abort, verdict: ask() };
  }

  #end(): void {
    this.#running = null;
    runInAction(() => this.#pending.set(false));
  }
}
