import axios from 'axios';
import type { Language } from '../contract/portal-config.ts';
import type { DefinitionsManifest } from '../engine/core/definitions-manifest.ts';
import type { FlowRunner } from '../engine/runtime/flow-runner.ts';
import { pagePaths } from '../contract/page-paths.ts';
import { loadAccountTexts, loadPortalTexts, type PortalTexts } from './portal-texts.ts';

export interface LanguageTexts {
  readonly texts: PortalTexts;
  readonly manifest: DefinitionsManifest;
}

/** Passes the texts to `take` and re-renders all flows. The server stores the language. Rejects if the language cannot be loaded. */
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
    loadPortalTexts(language),
    loadAccountTexts(language),
    axios.get<DefinitionsManifest>('/definitions/manifest.json', { params }),
    axios.head(pagePaths.home, { params, validateStatus: null }),
  ]);
  return { texts: { ...open, ...account }, manifest };
}
