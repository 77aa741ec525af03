import type { Page } from '../api/page.ts';
import type { CallResult } from '../engine/core/call.ts';
import type { Source } from '../engine/react/widget.ts';

const loading: Source = { state: 'loading' };

/** Answers of GET calls without parameters: from the page where it carries them, else loaded once and kept. */
export class Sources {
  readonly #invoke: (call: string) => Promise<CallResult>;
  readonly #sources = new Map<string, Source>();
  readonly #listeners = new Map<string, Set<() => void>>();

  constructor(data: Page['data'], invoke: (call: string) => Promise<CallResult>) {
    this.#invoke = invoke;
    for (const [call, answer] of Object.entries(data)) this.#sources.set(call, { state: 'ready', data: answer });
  }

  /** How the source stands; the first question starts the loading. */
  get(call: string): Source {
    const known = this.#sources.get(call);
    if (known) return known;
    this.#sources.set(call, loading);
    void this.#load(call);
    return loading;
  }

  subscribe(call: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(call) ?? new Set();
    this.#listeners.set(call, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  async #load(call: string): Promise<void> {
    const answer = await this.#invoke(call);
    this.#sources.set(call, answer.ok ? { state: 'ready', data: answer.result } : { state: 'failed' });
    for (const listener of this.#listeners.get(call) ?? []) listener();
  }
}
