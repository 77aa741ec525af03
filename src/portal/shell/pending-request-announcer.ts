import { ObservableValue } from '../../engine/core/observable-value.ts';

/** Minimum duration of a request before it is announced, in milliseconds. */
const announceAfterMs = 700;

export class PendingRequestAnnouncer {
  readonly #awaited = new ObservableValue<readonly string[]>([]);
  readonly subscribe = this.#awaited.subscribe;

  get text(): string {
    return this.#awaited.value[0] ?? '';
  }

  /** Announces a pending request after a delay. Returns a function to call when the request has ended. */
  announcePending(text: string): () => void {
    const timer = setTimeout(() => this.#awaited.set([...this.#awaited.value, text]), announceAfterMs);
    return () => {
      clearTimeout(timer);
      const place = this.#awaited.value.indexOf(text);
      if (place >= 0) this.#awaited.set(this.#awaited.value.filter((_, at) => at !== place));
    };
  }
}
