import { observable, runInAction } from 'mobx';

/** Validates a value asynchronously. Resolves to an error message, or to `null` if the value is valid. `signal` aborts when the value changes. */
export type AsyncValidator = (value: unknown, signal: AbortSignal) => Promise<string | null>;

/** Asynchronous check of a field. Runs once per value, one check at a time. */
export class AsyncFieldCheck {
  readonly #check: AsyncValidator;
  readonly #verdicts = new Map<string, string | null>();
  readonly #pending = observable.box(false);
  #running: { readonly key: string; readonly abort: AbortController; readonly verdict: Promise<string | null> } | null =
    null;

  constructor(check: AsyncValidator) {
    this.#check = check;
  }

  get isPending(): boolean {
    return this.#pending.get();
  }

  /** Resolves to an error message or `null`. A failed check is valid, because the submit checks again. */
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
