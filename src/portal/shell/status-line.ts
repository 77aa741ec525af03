/** Shortest wait that is announced, in milliseconds. */
const momentMs = 700;

export class StatusLine {
  #awaited: readonly string[] = [];
  readonly #listeners = new Set<() => void>();

  get text(): string {
    return this.#awaited[0] ?? '';
  }

  /** An instance property, so that React keeps its subscription. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Announces a pending request. Returns a function that ends the announcement. */
  wait(text: string): () => void {
    const timer = setTimeout(() => this.#set([...this.#awaited, text]), momentMs);
    return () => {
      clearTimeout(timer);
      const place = this.#awaited.indexOf(text);
      if (place >= 0) this.#set(this.#awaited.filter((_, at) => at !== place));
    };
  }

  #set(awaited: readonly string[]): void {
    this.#awaited = awaited;
    for (const listener of this.#listeners) listener();
  }
}
