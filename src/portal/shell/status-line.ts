/** Nobody is told of what comes within this time. */
const momentMs = 700;

/** The focus moves first where it does: a screen reader breaks off what it is saying then. */
const breathMs = 150;
/** Who walks through the page later reads a message where it stands, and not here as well. */
const saidMs = 5_000;

/** What the one status region of the page says: a message that came, else that something is awaited which takes longer than a moment. */
export class StatusLine {
  #awaited: readonly string[] = [];
  #said = '';
  readonly #listeners = new Set<() => void>();

  /** Empty where there is nothing to say. */
  get text(): string {
    return this.#said || (this.#awaited[0] ?? '');
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
      if (place >= 0) this.#set(this.#awaited.toSpliced(place, 1));
    };
  }

  /** A message came, the newest one of which is said for a while; answers the way to say that it went. */
  say(text: string): () => void {
    const timers = [setTimeout(() => this.#tell(text), breathMs), setTimeout(() => this.#tell(''), breathMs + saidMs)];
    return () => {
      timers.forEach(clearTimeout);
      this.#tell('');
    };
  }

  #set(awaited: readonly string[]): void {
    this.#awaited = awaited;
    this.#changed();
  }

  #tell(said: string): void {
    this.#said = said;
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
