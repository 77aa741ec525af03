/** Loads after which what none of them used is forgotten. */
const keptLoads = 8;

/** Collects what is wrong, as `Problems` does. */
interface Collector<Own> {
  readonly list: readonly unknown[];
  empty(): Own;
  take(others: Own): void;
}

interface Entry {
  readonly inputs: readonly unknown[];
  readonly value: unknown;
  /** The last load that used it. */
  load: number;
}

/**
 * What loads of a set worked out, for the next load in the same process: a value stands under its key with the inputs that it was made of. A key
 * has one value, so that memory is bounded by the size of the set. Values are shared by loads: nobody may change them.
 */
export class LoadCache {
  readonly #entries = new Map<string, Entry>();
  #load = 0;

  /** Begins a load. */
  begin(): void {
    this.#load += 1;
    for (const [key, { load }] of this.#entries) if (load < this.#load - keptLoads) this.#entries.delete(key);
  }

  /** The number of values that are kept. */
  get size(): number {
    return this.#entries.size;
  }

  /** The value that `make` gave for the same inputs, else what it gives now. Inputs are compared by identity: texts, numbers, values of this cache. */
  once<T>(key: string, inputs: readonly unknown[], make: () => T): T {
    const known = this.#find(key, inputs);
    return known ? (known.value as T) : this.#keep(key, inputs, make()); // each key is used for values of one type
  }

  /** As `once`, of what says what is wrong: a value with problems is made again by each load, which thereby hears of them. */
  checked<T, Own extends Collector<Own>>(
    key: string,
    inputs: readonly unknown[],
    problems: Own,
    make: (own: Own) => T,
  ): T {
    const known = this.#find(key, inputs);
    if (known) return known.value as T; // as above
    const own = problems.empty();
    const value = make(own);
    if (own.list.length === 0) return this.#keep(key, inputs, value);
    problems.take(own);
    return value;
  }

  #find(key: string, inputs: readonly unknown[]): Entry | undefined {
    const known = this.#entries.get(key);
    const isSame = known?.inputs.length === inputs.length && known.inputs.every((own, index) => own === inputs[index]);
    if (!known || !isSame) return undefined;
    known.load = this.#load;
    return known;
  }

  #keep<T>(key: string, inputs: readonly unknown[], value: T): T {
    this.#entries.set(key, { inputs, value, load: this.#load });
    return value;
  }
}
