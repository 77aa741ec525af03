import { normalizeTypedCode, cleanText, normalizeToNfc } from './clean-text.ts';
import type { ScreenUi } from '../flow-and-screen-types.ts';
import { asObject, isObject, type JsonObject } from '../json.ts';
import type { FieldSpec } from '../compiled-screen.ts';
import { readFieldUi, findFieldUiText } from '../screen-ui-queries.ts';

const transforms: Readonly<Record<string, (text: string) => string>> = {
  lowercase: (text) => text.toLowerCase(),
  uppercase: (text) => text.toUpperCase(),
  trim: (text) => text,
  code: normalizeTypedCode,
};

export const cleanerTransformNames: readonly string[] = Object.keys(transforms);

/** Uses `cleanText` and the field's `transform`. Only normalizes secrets without `transform` to NFC. Keeps choices, because they are keys. */
export function createCleaner(
  ui: ScreenUi,
  { name, schema, secret, item }: Pick<FieldSpec, 'name' | 'schema' | 'secret' | 'item'>,
): (value: unknown) => unknown {
  const own = readFieldUi(ui, name)['ui:options'];
  const { transform, source } = asObject(own);
  if (item !== undefined || source !== undefined) return (value) => value;
  const change = typeof transform === 'string' ? transforms[transform] : undefined;
  const lines = findFieldUiText(ui, name, 'ui:widget') === 'textarea';
  const clean =
    change === undefined
      ? (text: string) => (secret ? normalizeToNfc(text) : cleanText(text, { lines }))
      : (text: string) => cleanText(change(cleanText(text, { lines })), { lines });
  return createSchemaCleaner(schema, clean);
}

function createSchemaCleaner(schema: JsonObject, clean: (text: string) => string): (value: unknown) => unknown {
  const { type, items } = schema;
  if (type === 'array' && isObject(items)) {
    const inner = createSchemaCleaner(items, clean);
    return (value) => (Array.isArray(value) ? value.map(inner) : value);
  }
  if (type !== 'string') return (value) => value;
  const choices: readonly unknown[] = [schema.const, schema.enum].flat();
  return (value) => (typeof value !== 'string' || choices.includes(value) ? value : clean(value));
}
