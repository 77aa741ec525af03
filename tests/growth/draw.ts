/** Numbers that look drawn, each by its place alone: whoever asks again, in whatever order, gets the same. */
export class Draw {
  readonly #base: number;

  constructor(seed: number, kind: string) {
    let base = seed >>> 0;
    for (const sign of kind) base = mix(base ^ sign.charCodeAt(0)) + 0x9e3779b9;
    this.#base = base >>> 0;
  }

  /** From 0 to below 1. */
  share(index: number): number {
    return this.#word(index, 0) / 2 ** 32;
  }

  /** 128 bits as a UUID is written; no two of less than 2^28 places are the same. */
  uuid(index: number): string {
    const hex = this.#hexes(index, 4);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  /** 256 bits, as a digest is written. */
  hex(index: number): string {
    return this.#hexes(index, 8);
  }

  #hexes(index: number, words: number): string {
    let text = '';
    for (let word = 0; word < words; word += 1) text += this.#word(index, word).toString(16).padStart(8, '0');
    return text;
  }

  #word(index: number, word: number): number {
    return mix((this.#base + Math.imul(index, 16) + word) | 0);
  }
}

/** The finalizer of MurmurHash3: a bijection, so that different places give different numbers. */
function mix(number: number): number {
  let mixed = number;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
