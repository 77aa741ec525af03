import type { Language } from '../contract/portal-config.ts';
import type { Manifest } from '../engine/core/manifest.ts';
import type { FlowRunner } from '../engine/runtime/flow-runner.ts';
import { redraw } from '../engine/runtime/redraw.ts';
import { pages } from '../contract/pages.ts';
import { loadAccountTexts, loadTexts, type Texts } from './texts.ts';

/** What a portal speaks a language with. */
export interface Spoken {
  readonly texts: Texts;
  readonly manifest: Manifest;
}

/** Speaks another language, which the server remembers from then on: `take` it, then all that runs is drawn in it. Throws where it cannot be loaded. */
export async function speak(
  language: Language,
  runners: Iterable<FlowRunner>,
  take: (spoken: Spoken) => void,
): Promise<void> {
  take(await loadLanguage(language));
  await Promise.all([...runners].map((runner) => runner.redraw(redraw)));
  document.documentElement.lang = language;
}

async function loadLanguage(language: Language): Promise<Spoken> {
  const [open, account, answer] = await Promise.all([
    loadTexts(language),
    loadAccountTexts(language),
    fetch(`/definitions/manifest.json?lang=${language}`),
    fetch(`${pages.home}?lang=${language}`, { method: 'HEAD' }),
  ]);
  if (!answer.ok) throw new Error(`The manifest was answered with ${answer.status}.`);
  return { texts: { ...open, ...account }, manifest: (await answer.json()) as Manifest }; // the server's own manifest
}
