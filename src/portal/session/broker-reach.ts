/** Whether the broker can be asked if the session goes on: while it cannot, the page says so and nothing ends. */
export class BrokerReach {
  #isOut = false;
  readonly #listeners = new Set<() => void>();

  get isOut(): boolean {
    return this.#isOut;
  }

  /** Calls `listener` at each change; returns the way to stop. An own property, so that React keeps one subscription. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  setOut(isOut: boolean): void {
    if (isOut === this.#isOut) return;
    this.#isOut = isOut;
    for (const listener of this.#listeners) listener();
  }
}
