import { selectLocalizedText, type LocalizedText } from '../../engine/compiler/sources/localized-text.ts';
import { createCliAction } from '../command.ts';
import { projectRoot } from '../project.ts';
import { createLocalizedPrint, languageOption, parseLanguageOption, say } from './localized-output.ts';
import { listStatedValues, type StatedValue } from './stated-values.ts';

export const command = createCliAction(languageOption, async ({ options: { lang }, terminal }) => {
  const language = parseLanguageOption(lang);
  const values = await listStatedValues(projectRoot);
  terminal.out(formatStatedValues(values, language));
  const handwritten = values.filter(({ isHandwritten }) => isHandwritten).length;
  createLocalizedPrint(terminal, language)(say`${values.length} values in texts. Written by hand: ${handwritten}.`);
});

/** Omits values with a placeholder that are stated only once in each language. */
export function formatStatedValues(values: readonly StatedValue[], language: 'es' | 'en'): string {
  return values
    .filter(({ isHandwritten, places }) => {
      const isRepeated = new Set(places.map((place) => place.language)).size < places.length;
      return isHandwritten || isRepeated;
    })
    .map(({ places, ...stated }) => {
      const lines = places.map(({ file, line, pointer }) => `  ${file}:${line} ${pointer}`.trimEnd());
      return `${selectLocalizedText(describeValue(stated), language)}\n${lines.join('\n')}\n\n`;
    })
    .join('');
}

function describeValue({ value, sources, isHandwritten }: Omit<StatedValue, 'places'>): LocalizedText {
  const names = sources.join(', ');
  if (!isHandwritten) return say`${value}: comes from ${names}.`;
  if (names === '') return say`${value}: written by hand. No setting or constant has this value.`;
  return say`${value}: written by hand. If it means ${names}, change both at once.`;
}
