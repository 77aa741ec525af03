import { selectLanguage, type Localized } from '../../engine/compiler/sources/say.ts';
import { createAction } from '../command.ts';
import { root } from '../project.ts';
import { createPrint, languageOption, parseLanguage, say } from './language.ts';
import { listStatedValues, type StatedValue } from './stated-values.ts';

export const command = createAction(languageOption, async ({ options: { lang }, terminal }) => {
  const language = parseLanguage(lang);
  const values = await listStatedValues(root);
  terminal.out(formatStatedValues(values, language));
  const handwritten = values.filter(({ isHandwritten }) => isHandwritten).length;
  createPrint(terminal, language)(say`${values.length} values in texts. Written by hand: ${handwritten}.`);
});

/** Formats values with their sources and places. Omits values with a placeholder that are stated only once in each language. */
export function formatStatedValues(values: readonly StatedValue[], language: 'es' | 'en'): string {
  return values
    .filter(({ isHandwritten, places }) => isHandwritten || isRepeated(places))
    .map(({ places, ...stated }) => {
      const lines = places.map(({ file, line, pointer }) => `  ${file}:${line} ${pointer}`.trimEnd());
      return `${selectLanguage(describeValue(stated), language)}\n${lines.join('\n')}\n\n`;
    })
    .join('');
}

function describeValue({ value, sources, isHandwritten }: Omit<StatedValue, 'places'>): Localized {
  const names = sources.join(', ');
  if (!isHandwritten) return say`${value}: comes from ${names}.`;
  if (names === '') return say`${value}: written by hand. No setting or constant has this value.`;
  return say`${value}: written by hand. If it means ${names}, change both at once.`;
}

function isRepeated(places: StatedValue['places']): boolean {
  return new Set(places.map(({ language }) => language)).size < places.length;
}
