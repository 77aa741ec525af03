import { createCleaner } from '../../../../core/cleaning/create-cleaner.ts';
import type { JsonObject } from '../../../../core/json.ts';
import { findFieldUiText } from '../../../../core/screen-ui-queries.ts';
import type { PluginIndex } from '../../../files/index-plugins.ts';
import { explain } from '../../../sources/localized-text.ts';
import { allErrorsAjv } from '../../../sources/standard-ajv.ts';
import type { LintInput } from '../../lint-input.ts';
import { createFindingAt, type LintedField, type LintFinding } from '../../lint-rule.ts';

/** Keywords that a validator of JSON Schema checks in a single value. */
const valueKeywords = ['type', 'enum', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'multipleOf'];

/** Reports values that the texts of a field tell people to write, but that the field rejects. */
export function* findRejectedExamples(field: LintedField, { contract, set }: LintInput): Iterable<LintFinding> {
  const { name, schema, screen, locateUi, locateMessage } = field;
  if (schema.type !== 'string' || schema.enum !== undefined) return;
  for (const [language, ui] of screen.uis) {
    const introductions = contract.wording?.[language]?.example ?? [];
    const clean = createCleaner(ui, { name, schema, secret: false });
    const isEmail = findFieldUiText(ui, name, 'ui:widget') === 'email' || schema.format === 'email';
    const texts = (['ui:title', 'ui:help'] as const).map((key) => {
      return { text: findFieldUiText(ui, name, key) ?? '', place: () => locateUi(key, language) };
    });
    const messages = Object.entries(ui.messages?.[name] ?? {}).map(([key, text]) => {
      return { text, place: () => locateMessage(key, language) };
    });
    const placeholder = findFieldUiText(ui, name, 'ui:placeholder') ?? '';
    const words = listExampleWords(placeholder);
    const places = [
      ...[...texts, ...messages].map(({ text, place }) => {
        const requested = listRequestedWords(text, schema);
        return { values: [...listExamples(text, introductions), ...requested], requested, place };
      }),
      {
        values: [
          ...listExamples(placeholder, introductions),
          ...(words.length > 0 || !isEmail || !/\d/.test(placeholder) ? words : [placeholder]),
        ],
        requested: [] as readonly string[],
        place: () => locateUi('ui:placeholder', language),
      },
    ];
    for (const { values, requested, place } of places) {
      const keywords = values.map((value) =>
        isEmail && !value.includes('@') ? 'email' : findViolatedKeyword(schema, clean(value), set.plugins),
      );
      if (values.length === 0 || keywords.includes(undefined)) continue;
      const [value = '', keyword = ''] = [values.at(-1), keywords.at(-1)];
      yield createFindingAt(place())(
        requested.includes(value)
          ? explain`
            This asks for "${value}", which the rules of its field reject ("${keyword}").
            Ask for words that the field accepts, or correct the rule.`
          : explain`
            The example "${value}" is rejected by the rules of its field ("${keyword}").
            Write an example that the field accepts, or correct the rule.`,
      );
      break; // reports one example per field, because its other texts probably repeat the mistake
    }
  }
}

/** Returns the words of a placeholder that look like example values: letters combined with digits, an @ or a period. */
export function listExampleWords(placeholder = ''): readonly string[] {
  return placeholder
    .split(/\s+/)
    .filter((word) => /(?=.*\p{L})(?:.*[\d@])|\p{L}\.\p{L}/u.test(word) && !/^[{(]/.test(word));
}

/** Returns the values after words such as "Ej.". Omits descriptions in words, such as "por ejemplo, el de tu cédula". */
function listExamples(text: string, introductions: readonly string[]): readonly string[] {
  if (introductions.length === 0) return [];
  const begin = introductions.map((word) => word.replaceAll('.', String.raw`\.`)).join('|');
  const pattern = new RegExp(
    String.raw`(?<!\p{L})(?:${begin})[,:]?\s+(?:[«“"]([^»”"]+)|(.+?)(?=[.,;:](?:\s|$)|\s\(|$))`,
    'giu',
  );
  const isValue = (words: string) => words.split(' ').every((word) => /[\d@]/.test(word) || /^\p{Lu}+$/u.test(word));
  return [...text.matchAll(pattern)].flatMap(([, quoted, value = '']) => quoted ?? (isValue(value) ? [value] : []));
}

/** Returns the words and phrases in capitals of a text, if the field's pattern consists only of words. Phrases are last. */
function listRequestedWords(text: string, { pattern }: JsonObject): readonly string[] {
  const isOfWords = typeof pattern === 'string' && /^[\p{L}()|?:^$ ]+$/u.test(pattern) && /\p{Lu}{3}/u.test(pattern);
  if (!isOfWords) return [];
  const words = text.match(/(?<!\p{L})\p{Lu}{3,}(?!\p{L})/gu) ?? [];
  const phrases = text.match(/(?<!\p{L})\p{Lu}{2,}(?: \p{Lu}+)+(?!\p{L})/gu) ?? [];
  return [...words, ...phrases];
}

/** Returns the keyword of a schema that a value violates. Skips plugin rules that also read other fields or facts. */
function findViolatedKeyword(schema: JsonObject, value: unknown, plugins: PluginIndex): string | undefined {
  const own = Object.fromEntries(Object.entries(schema).filter(([keyword]) => valueKeywords.includes(keyword)));
  const validate = allErrorsAjv.compile(own);
  if (!validate(value)) return validate.errors?.[0]?.keyword;
  const format = plugins.formats.get(String(schema.format));
  if (format && !format.check(String(value))) return 'format';
  return Object.entries(schema).find(([keyword, parameters]) => {
    const rule = plugins.rules.get(keyword)?.rule;
    if (rule?.level !== 'field' || rule.reads || rule.facts) return false;
    return rule.check({ value, parameters: parameters as never, form: {}, context: {} }) !== null; // cast: `checkPluginRuleKeyword` has validated the parameters
  })?.[0];
}
