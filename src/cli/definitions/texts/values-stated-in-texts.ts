import { portalConstants } from '../../../contract/constants.ts';
import { languages } from '../../../contract/portal-config.ts';
import { selectLocalizedText, type LocalizedText } from '../../../engine/compiler/sources/localized-text.ts';
import { listContentPlaceholderExpressions } from '../../../server/features/content/content-placeholder-values.ts';
import { fixedRetentionPeriods } from '../../../server/platform/base/fixed-periods.ts';
import { settingNames } from '../../../server/platform/config/read-environment.ts';
import { createCliAction } from '../../command.ts';
import { projectRoot } from '../../project.ts';
import { createLocalizedPrint, languageOption, parseLanguageOption, localize } from '../localized-output.ts';
import { listProjectTexts } from './texts-outside-definitions.ts';
import type { ProjectText } from './read-project-texts.ts';
import unitWords from '../units.json' with { type: 'json' };

/** A duration, limit or setting that texts for users state. */
export interface ValueStatedInTexts {
  /** The value as written, such as `2 horas`, or its placeholder in braces. */
  readonly value: string;
  /** Settings or constants that determine the value. For a handwritten value, the constants that are equal to it. */
  readonly sources: readonly string[];
  readonly isHandwritten: boolean;
  readonly places: readonly Pick<ProjectText, 'file' | 'line' | 'pointer' | 'language'>[];
}

/** Suffixes of constant names by unit, with the factor that converts the constant to the unit. */
const units: Readonly<Record<string, Readonly<Record<string, number>>>> = unitWords.units;

/** Spanish unit words by their Portuguese ones. */
const translations: Readonly<Record<string, string>> = unitWords.translations;

const unitPattern = [...Object.keys(units), ...Object.keys(translations)].join('|');
const handwritten = new RegExp(String.raw`(?<![\d.,:])(\d+)\s+(${unitPattern})(?!\p{L})`, 'giu');
const placeholder = /(?<!\{)\{(\w+)\}(?!\})/g;

export const command = createCliAction(languageOption, async ({ options: { lang }, terminal }) => {
  const language = parseLanguageOption(lang);
  const values = await listValuesStatedInTexts(projectRoot);
  terminal.out(formatValuesStatedInTexts(values, language));
  const count = values.filter(({ isHandwritten }) => isHandwritten).length;
  createLocalizedPrint(terminal, language)(localize`${values.length} values in texts. Written by hand: ${count}.`);
});

/** Omits a value with a placeholder if each language states it only once. */
export function formatValuesStatedInTexts(values: readonly ValueStatedInTexts[], language: 'es' | 'en'): string {
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

function describeValue({ value, sources, isHandwritten }: Omit<ValueStatedInTexts, 'places'>): LocalizedText {
  const names = sources.join(', ');
  if (!isHandwritten) return localize`${value}: comes from ${names}.`;
  if (names === '') return localize`${value}: written by hand. No setting or constant has this value.`;
  return localize`${value}: written by hand. If it means ${names}, change both at once.`;
}

/** Lists the durations, limits and settings that texts state, the most frequent first. */
export async function listValuesStatedInTexts(root: string): Promise<readonly ValueStatedInTexts[]> {
  const texts = await listProjectTexts(root, languages);
  const found = new Map<string, ProjectText[]>();
  for (const text of texts.filter(({ readers }) => readers === 'everybody'))
    for (const value of listValues(text.text)) found.set(value, [...(found.get(value) ?? []), text]);
  return [...found]
    .map(([value, places]) => ({ value, places, isHandwritten: !value.startsWith('{'), sources: findSources(value) }))
    .sort((a, b) => b.places.length - a.places.length);
}

function listValues(text: string): readonly string[] {
  const written = [...text.matchAll(handwritten)].map(([, count = '', word = '']) => {
    const unit = word.toLowerCase();
    return `${count} ${translations[unit] ?? unit}`;
  });
  const filled = [...text.matchAll(placeholder)].flatMap(([whole, name = '']) =>
    Object.hasOwn(expressions, name) || settingNames.has(toSettingName(name)) ? [whole] : [],
  );
  return [...new Set([...written, ...filled])];
}

const expressions = listContentPlaceholderExpressions();
const fixedValues = { ...portalConstants, ...fixedRetentionPeriods };

function findSources(value: string): readonly string[] {
  const name = /^\{(\w+)\}$/.exec(value)?.[1];
  if (name === undefined) return listEqualConstants(value);
  const source = expressions[name] ?? name;
  const names = source.match(/(?<!\.)\b[a-z]\w*|[A-Z][A-Z_]+/g) ?? []; // names of variables, and of settings such as retention.LINKS_DAYS
  const settings = [...new Set(names.map(toSettingName))].filter((own) => settingNames.has(own));
  if (settings.length > 0) return settings;
  const used = (source.match(/\w+/g) ?? []).filter((own) => Object.hasOwn(fixedValues, own));
  return used.length > 0 ? used : [source];
}

/** Returns the names of the constants that are equal to `value`, which is e.g. `2 horas`. */
function listEqualConstants(value: string): readonly string[] {
  const [count, unit = ''] = value.split(' ');
  return Object.entries<unknown>(fixedValues).flatMap(([name, own]) => {
    const factor = Object.entries(units[unit] ?? {}).find(([end]) => new RegExp(`[a-z]${end}$`).test(name))?.[1];
    return factor !== undefined && typeof own === 'number' && own * factor === Number(count) ? [name] : [];
  });
}

/** Converts `contactAnswerDays` to `CONTACT_ANSWER_DAYS`. */
function toSettingName(name: string): string {
  return /[a-z]/.test(name) ? name.replace(/[A-Z]+/g, (part) => `_${part}`).toUpperCase() : name;
}
