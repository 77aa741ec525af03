import type { Language } from '../contract/portal-config.ts';
import { createT, loadAccountTexts, type TFunction, type Texts } from './texts.ts';

export class PageTexts {
  #texts: Texts;
  #t: TFunction;
  #account: Promise<void> | null = null;

  constructor(texts: Texts) {
    this.#texts = texts;
    this.#t = createT(texts);
  }

  /** A new function after each change of language, so that components re-render. */
  get t(): TFunction {
    return this.#t;
  }

  take(texts: Texts): void {
    this.#texts = texts;
    this.#t = createT(texts);
  }

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
