import { cleanCode, cleanText, composeText } from './clean-text.ts';
import type { Ui } from '../definition.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { FieldSpec } from '../screen.ts';
import { uiOf, uiText } from '../ui.ts';

const transforms: Readonly<Record<string, (text: string) => string>> = {
  lowercase: (text) => text.toLowerCase(),
  uppercase: (text) => text.toUpperCase(),
  trim: (text) => text,
  code: cleanCode,
};

/** The names that `transform` in `ui:options` accepts. */
export const transformNames: readonly string[] = Object.keys(transforms);

/**
 * Returns the cleaning of a field's values, the same in the browser and on the server: texts by `cleanText`, then by the field's `transform`.
 * A secret is only composed unless it names a `transform`. A value among the field's choices, or from a source, is a key and stays as it is.
 */
export function cleanerOf(
  ui: Ui,
  { name, schema, secret, item }: Pick<FieldSpec, 'name' | 'schema' | 'secret' | 'item'>,
): (value: unknown) => unknown {
  const own = uiOf(ui, name)['ui:options'];
  const { transform, source } = isObject(own) ? own : {};
  if (item !== undefined || source !== undefined) return (value) => value;
  const change = typeof transform === 'string' ? transforms[transform] : undefined;
  const lines = uiText(ui, name, 'ui:widget') === 'textarea';
  const clean =
    change === undefined
      ? (text: string) => (secret ? composeText(text) : cleanText(text, { lines }))
      : (text: string) => cleanText(change(cleanText(text, { lines })), { lines });
  return cleaned(schema, clean);
}

function cleaned(schema: JsonObject, clean: (text: string) => string): (value: unknown) => unknown {
  const { type, items } = schema;
  if (type === 'array' && isObject(items)) {
    const inner = cleaned(items as JsonObject, clean);
    return (value) => (Array.isArray(value) ? value.map(inner) : value);
  }
  if (type !== 'string') return (value) => value;
  const choices: readonly unknown[] = [schema.const, schema.enum].flat();
  return (value) => (typeof value !== 'string' || choices.includes(value) ? value : clean(value));
}
