/** Nobody is told of what comes within this time. */
const momentMs = 700;

/** What the one status region of the page says: that something is awaited which takes longer than a moment. */
export class StatusLine {
  #awaited: readonly string[] = [];
  readonly #listeners = new Set<() => void>();

  /** Empty where nothing is awaited. */
  get text(): string {
    return this.#awaited[0] ?? '';
  }

  /** Calls `listener` at each change; answers the way to stop. An own property, so that React keeps one subscription. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Something is awaited; answers the way to say that it came, or comes no more. */
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
