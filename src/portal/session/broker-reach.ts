/** Whether the broker is reachable. While it is not, the page reports this and the session does not end. */
export class BrokerReach {
  #isOut = false;
  readonly #listeners = new Set<() => void>();

  get isOut(): boolean {
    return this.#isOut;
  }

  /** An instance property, so that React keeps its subscription. */
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
