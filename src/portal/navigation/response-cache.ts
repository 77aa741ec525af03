import { buildPageDataKey, type EmbeddedPageData } from '../../contract/page-data.ts';
import type { OperationParams, OperationResult } from '../../engine/core/operation-result.ts';
import type { OperationResponseState } from '../../engine/react/widget.ts';

const loading: OperationResponseState = { state: 'loading' };

/** Cache of GET responses by operation and parameters. Initially contains the responses embedded in the page. */
export class ResponseCache {
  readonly #invoke: (operation: string, params: OperationParams) => Promise<OperationResult>;
  readonly #sources = new Map<string, OperationResponseState>();
  readonly #listeners = new Map<string, Set<() => void>>();

  constructor(
    data: EmbeddedPageData['data'],
    invoke: (operation: string, params: OperationParams) => Promise<OperationResult>,
  ) {
    this.#invoke = invoke;
    for (const [key, answer] of Object.entries(data)) this.#sources.set(key, { state: 'ready', data: answer });
  }

  /** Returns the state of a response. The first call for an operation and its parameters sends the request. */
  get(operation: string, params: OperationParams = {}): OperationResponseState {
    const key = buildPageDataKey(operation, params);
    const known = this.#sources.get(key);
    if (known) return known;
    this.#sources.set(key, loading);
    void this.#load(operation, params);
    return loading;
  }

  subscribe(operation: string, params: OperationParams, listener: () => void): () => void {
    const key = buildPageDataKey(operation, params);
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  discard(operation: string, params: OperationParams): void {
    const key = buildPageDataKey(operation, params);
    if (this.#sources.delete(key)) this.#notify(key);
  }

  discardFailed(operation: string, params: OperationParams): void {
    if (this.#sources.get(buildPageDataKey(operation, params))?.state === 'failed') this.discard(operation, params);
  }

  /** Discards all responses, because they are in the previous language. */
  clear(): void {
    this.#sources.clear();
  }

  async #load(operation: string, params: OperationParams): Promise<void> {
    const answer = await this.#invoke(operation, params);
    const key = buildPageDataKey(operation, params);
    this.#sources.set(
      key,
      answer.ok ? { state: 'ready', data: answer.result } : { state: 'failed', status: answer.failure.status },
    );
    this.#notify(key);
  }

  #notify(key: string): void {
    for (const listener of this.#listeners.get(key) ?? []) listener();
  }
}
