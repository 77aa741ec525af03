import type { Change } from '../../engine/compiler/compare/screen-changes.ts';
import { uiText } from '../../engine/core/ui.ts';
import type { Json } from '../../engine/core/json.ts';
import { textPlace } from '../../studio/editor/text-place.ts';
import { inLanguage } from '../../engine/compiler/localized.ts';
import { say } from './say.ts';

/** Formats changes as a list for people: breaking changes first, then the others. */
export function formatList(changes: readonly Change[], language: 'es' | 'en'): string {
  const part = (breaking: boolean) => {
    const own = changes.filter((change) => change.breaking === breaking);
    const lines = own.map((change) => `  ${change.where}: ${formatChange(change, language)}\n`);
    return own.length === 0
      ? ''
      : `${(breaking ? say`Breaks something that was:` : say`Breaks nothing:`)[language]}\n${lines.join('')}`;
  };
  return changes.length === 0 ? `${say`Nothing changed.`[language]}\n` : part(true) + part(false);
}

/** Formats a change as a sentence. In the analysts' language it names the place of a text as the studio does. */
export function formatChange({ place, text }: Change, language: 'es' | 'en'): string {
  const said = inLanguage(text, language);
  if (!place) return said;
  const { pointer, ui } = place;
  const fields = Object.fromEntries(
    Object.keys(ui.fields ?? {}).map((name) => [name, { title: uiText(ui, name, 'ui:title') ?? name }]),
  );
  const named = language === 'es' ? textPlace(pointer, ui as unknown as Json, fields) : pointer; // definitions are JSON
  return `${named} ${said}`;
}
