export class ObservableValue<Value> {
  readonly #listeners = new Set<() => void>();
  #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  /** Registers a listener. Returns a function that unsubscribes. A stable arrow function, because React resubscribes if it changes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  set(value: Value): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }
}
