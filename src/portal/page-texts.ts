import type { Language } from '../contract/portal-config.ts';
import { createT, loadAccountTexts, type TFunction, type Texts } from './texts.ts';

/** The sentences of the page: what everybody reads, and those of the account once somebody asked for them. */
export class PageTexts {
  #texts: Texts;
  #t: TFunction;
  /** They are asked for, or here. */
  #account: Promise<void> | null = null;

  constructor(texts: Texts) {
    this.#texts = texts;
    this.#t = createT(texts);
  }

  /** Answers a sentence of now: another function in another language, so that what shows it is drawn anew. */
  get t(): TFunction {
    return this.#t;
  }

  /** From now on these are the sentences. */
  take(texts: Texts): void {
    this.#texts = texts;
    this.#t = createT(texts);
  }

  /** Brings those of the account, once. */
  learnAccount(language: Language): Promise<void> {
    this.#account ??= loadAccountTexts(language)
      .then((account) => this.take({ ...this.#texts, ...account }))
      .catch((error: unknown) => {
        this.#account = null;
        throw error;
      });
    return this.#account;
  }
}
