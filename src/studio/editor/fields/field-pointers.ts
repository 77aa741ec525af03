import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { asObject, isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import type { JsonEdit, StudioDefinitions } from '../../studio-api-types.ts';
import { buildScreenFilePaths, readFileValue, readScreenSchemaValue } from '../definition-set.ts';
import { asListOrEmpty } from '../../json-values.ts';
import { isFieldGroupSchema, splitFieldName } from '../../../engine/core/field-path.ts';

/** Names of nested fields contain dots: `domicilio.calle`, or `telefonos.items.numero` in a list. */
export function buildFieldSchemaPointer(set: StudioDefinitions, screen: string, name: string): string {
  const { schema } = buildScreenFilePaths(screen);
  const steps = name === '' ? [] : splitFieldName(name);
  return steps.reduce(
    (at, step) =>
      readFileValue(set, schema, `${at}/type`) === 'array' ? `${at}/items` : `${at}/properties/${escapePointer(step)}`,
    '',
  );
}

export function getParentFieldName(name: string): string {
  return name.slice(0, Math.max(name.lastIndexOf('.'), 0));
}

export function findEnclosingList(set: StudioDefinitions, screen: string, name: string): string | null {
  for (let at = getParentFieldName(name); at !== ''; at = getParentFieldName(at))
    if (isListItemName(set, screen, at)) return getParentFieldName(at);
  return null;
}

/** Whether a name is that of the items of a list, such as `telefonos.items`. It is not the name of a field. */
export function isListItemName(set: StudioDefinitions, screen: string, name: string): boolean {
  return (
    name.includes('.') &&
    readScreenSchemaValue(set, screen, `${buildFieldSchemaPointer(set, screen, getParentFieldName(name))}/type`) ===
      'array'
  );
}

/** Whether a schema is a list of items. A field with several selected choices is an array too, but not a list. */
export function isItemListSchema({ type, items }: JsonObject): boolean {
  return type === 'array' && isObject(items) && !('enum' in items);
}

export function listSchemaFields(set: StudioDefinitions, screen: string): Readonly<Record<string, JsonObject>> {
  const within = (holder: Json | undefined, before: string): readonly (readonly [string, JsonObject])[] =>
    Object.entries(asObject(holder)).flatMap(([key, own]) => {
      if (!isObject(own)) return [];
      const [name, field] = [`${before}${key}`, own];
      const inner = isFieldGroupSchema(field)
        ? field['properties']
        : isItemListSchema(field)
          ? { items: field['items'] ?? null }
          : undefined;
      return [[name, field], ...within(inner, `${name}.`)];
    });
  return Object.fromEntries(within(readScreenSchemaValue(set, screen, '/properties'), ''));
}

export function isComputedField(set: StudioDefinitions, screen: string, name: string): boolean {
  return readScreenSchemaValue(set, screen, `/computed/${escapePointer(name)}`) !== undefined;
}

export function isRequiredField(set: StudioDefinitions, screen: string, name: string): boolean {
  return findRequiredList(set, screen, name).names.includes(getLastFieldNameSegment(name));
}

export function createRequiredEdits(
  set: StudioDefinitions,
  screen: string,
  name: string,
  required: boolean,
): readonly JsonEdit[] {
  const { at, names } = findRequiredList(set, screen, name);
  const key = getLastFieldNameSegment(name);
  const index = names.indexOf(key);
  if (!required) return index < 0 ? [] : [{ pointer: names.length === 1 ? at : `${at}/${index}` }];
  if (index >= 0) return [];
  if (names.length === 0) return [{ pointer: at, value: [key], before: 'properties' }];
  const captcha = names.indexOf('captcha_response');
  return [{ pointer: `${at}/-`, value: key, ...(captcha >= 0 && { before: String(captcha) }) }];
}

function findRequiredList(set: StudioDefinitions, screen: string, name: string) {
  const at = `${buildFieldSchemaPointer(set, screen, getParentFieldName(name))}/required`;
  return { at, names: asListOrEmpty(readScreenSchemaValue(set, screen, at)) as readonly string[] }; // the cast is safe, because the checker has validated the file against its format
}

export function getLastFieldNameSegment(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
