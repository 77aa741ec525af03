import axios from 'axios';
import type { Language } from '../contract/portal-config.ts';
import type { Manifest } from '../engine/core/manifest.ts';
import type { FlowRunner } from '../engine/runtime/flow-runner.ts';
import { pages } from '../contract/pages.ts';
import { loadAccountTexts, loadTexts, type Texts } from './texts.ts';

export interface LanguageTexts {
  readonly texts: Texts;
  readonly manifest: Manifest;
}

/**
 * Loads a language, passes its texts to `take`, and re-renders all flows. The server stores the language. Rejects if
 * the language cannot be loaded.
 */
export async function loadAndApplyLanguage(
  language: Language,
  runners: Iterable<FlowRunner>,
  take: (spoken: LanguageTexts) => void,
): Promise<void> {
  take(await loadLanguage(language));
  await Promise.all([...runners].map((runner) => runner.redraw()));
  document.documentElement.lang = language;
}

async function loadLanguage(language: Language): Promise<LanguageTexts> {
  const params = { lang: language };
  const [open, account, { data: manifest }] = await Promise.all([
    loadTexts(language),
    loadAccountTexts(language),
    axios.get<Manifest>('/definitions/manifest.json', { params }),
    axios.head(pages.home, { params, validateStatus: null }),
  ]);
  return { texts: { ...open, ...account }, manifest };
}
