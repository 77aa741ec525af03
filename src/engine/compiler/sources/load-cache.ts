import { hashForUrl } from './hash-for-url.ts';

/** Number of loads after which an unused value is dropped. */
const maxUnusedLoads = 8;

interface Collector<Own> {
  readonly list: readonly unknown[];
  createEmpty(): Own;
  addAll(others: Own): void;
}

interface Entry {
  readonly inputs: readonly unknown[];
  readonly value: unknown;
  /** Number of the last load that used the value. */
  load: number;
}

/** JSON values by key, with a hash of the texts from which each was computed. Some results may come from an earlier process of the same program. */
export type StoredCacheResults = Map<string, { readonly inputs: string; readonly value: unknown }>;

/** Each key has a single value, stored with its inputs, so memory is bounded by the definitions. Loads share the values, which must not change. */
export class DefinitionLoadCache {
  readonly #entries = new Map<string, Entry>();
  readonly #stored: StoredCacheResults;
  #load = 0;

  constructor(kept: StoredCacheResults = new Map()) {
    this.#stored = kept;
  }

  startLoad(): void {
    this.#load += 1;
    for (const [key, { load }] of this.#entries) if (load < this.#load - maxUnusedLoads) this.#entries.delete(key);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns the cached value if the inputs are identical (`===`) to the cached ones. Otherwise calls `make`. */
  getOrCompute<T>(key: string, inputs: readonly unknown[], make: () => T): T {
    const known = this.#find(key, inputs);
    return known ? (known.value as T) : this.#store(key, inputs, make()); // cast: all values of a key have the same type
  }

  /** Does not cache a result with problems, so that every load reports the problems. */
  getOrCheck<T, Own extends Collector<Own>>(
    key: string,
    inputs: readonly unknown[],
    problems: Own,
    make: (own: Own) => T,
  ): T {
    const known = this.#find(key, inputs);
    if (known) return known.value as T; // cast: all values of a key have the same type
    const own = problems.createEmpty();
    const value = make(own);
    if (own.list.length === 0) return this.#store(key, inputs, value);
    problems.addAll(own);
    return value;
  }

  /** Returns the value that `store` has stored for the same texts, even in an earlier process. */
  findStored<T>(key: string, texts: readonly string[]): T | undefined {
    const known = this.#stored.get(key);
    return known?.inputs === hashForUrl(texts.join('\0')) ? (known.value as T) : undefined; // cast: all values of a key have the same type
  }

  /** Stores a value, which must be JSON, because it outlives the process. */
  store<T>(key: string, texts: readonly string[], value: T): void {
    this.#stored.set(key, { inputs: hashForUrl(texts.join('\0')), value });
  }

  /** Returns the stored value if the texts are unchanged. Otherwise calls `make`, whose result must be JSON, because it outlives the process. */
  getStoredOrCompute<T>(key: string, texts: readonly string[], make: () => T): T {
    const known = this.findStored<T>(key, texts);
    if (known !== undefined) return known;
    const value = make();
    this.store(key, texts, value);
    return value;
  }

  /** Like `getStoredOrCompute`, but awaits `make`. */
  async getStoredOrComputeAsync<T>(key: string, texts: readonly string[], make: () => Promise<T>): Promise<T> {
    const known = this.findStored<T>(key, texts);
    if (known !== undefined) return known;
    const value = await make();
    this.store(key, texts, value);
    return value;
  }

  /** Skips a check that has passed for the same texts, even in an earlier process. `check` returns whether it passed. */
  checkOnce(key: string, texts: readonly string[], check: () => boolean): boolean {
    const inputs = hashForUrl(texts.join('\0'));
    if (this.#stored.get(key)?.inputs === inputs) return true; // only successful checks are stored
    const isFine = check();
    if (isFine) this.#stored.set(key, { inputs, value: true });
    return isFine;
  }

  /** Skips a check that has reported no problems for the same texts, even in an earlier process. Problems are added to `problems`. */
  collectProblemsOnce<Own extends Collector<Own>>(
    key: string,
    texts: readonly string[],
    problems: Own,
    check: (own: Own) => void,
  ): void {
    this.checkOnce(key, texts, () => {
      const own = problems.createEmpty();
      check(own);
      problems.addAll(own);
      return own.list.length === 0;
    });
  }

  /**
   * Skips parts that have passed the check before. If the shared `texts` have changed, all parts are checked again. Calls `prepare`, which creates the
   * check, only if a part has to be checked.
   */
  checkChangedParts<Part, Found>(
    key: string,
    texts: readonly string[],
    parts: readonly (readonly [digest: string, part: Part])[],
    prepare: () => (part: Part) => readonly Found[],
  ): readonly Found[] {
    const inputs = hashForUrl(texts.join('\0'));
    const known = this.#stored.get(key);
    const passed = new Set(known?.inputs === inputs ? (known.value as readonly string[]) : []); // cast: stored below as a list of digests
    const passing = new Set<string>();
    let check: ((part: Part) => readonly Found[]) | undefined;
    const found = parts.flatMap(([digest, part]) => {
      const list = passed.has(digest) ? [] : (check ??= prepare())(part);
      if (list.length === 0) passing.add(digest);
      return list;
    });
    this.#stored.set(key, { inputs, value: [...passing] });
    return found;
  }

  #find(key: string, inputs: readonly unknown[]): Entry | undefined {
    const known = this.#entries.get(key);
    const isSame = known?.inputs.length === inputs.length && known.inputs.every((own, index) => own === inputs[index]);
    if (!known || !isSame) return undefined;
    known.load = this.#load;
    return known;
  }

  #store<T>(key: string, inputs: readonly unknown[], value: T): T {
    this.#entries.set(key, { inputs, value, load: this.#load });
    return value;
  }
}
