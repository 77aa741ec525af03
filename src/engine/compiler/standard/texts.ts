import type { Ui } from '../../core/definition.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { isGroup, isList, ownPropertiesOf } from '../screen/fields-of-schema.ts';

/** The words of a schema that say what is seen, and those of ui.json that win over them. */
const texts = { title: 'ui:title', description: 'ui:help', enumNames: 'ui:enumNames' } as const;

/** What is seen of a screen, with the texts of its schema where ui.json has none: for a set of one language, since only ui.json is translated. */
export function withTexts(ui: Ui, schema: JsonObject): Ui {
  const fields = withFields((ui.fields ?? {}) as JsonObject, schema); // ui.json passed its format
  return Object.keys(fields).length === 0 ? ui : { ...ui, fields: fields as NonNullable<Ui['fields']> };
}

function withFields(ui: JsonObject, schema: JsonObject): JsonObject {
  const own = Object.entries(ownPropertiesOf(schema)).map(([name, field]): readonly [string, JsonObject] => {
    return [name, withField((isObject(ui[name]) ? ui[name] : {}) as JsonObject, field)];
  });
  return { ...ui, ...Object.fromEntries(own.filter(([, given]) => Object.keys(given).length > 0)) };
}

function withField(ui: JsonObject, field: JsonObject): JsonObject {
  const given = Object.entries(texts).flatMap(([word, uiWord]): readonly (readonly [string, Json])[] => {
    const said = field[word];
    return said === undefined ? [] : [[uiWord, said]];
  });
  const shown = { ...Object.fromEntries(given), ...ui };
  if (isGroup(field)) return withFields(shown, field);
  if (!isList(field)) return shown;
  const item = field.items as JsonObject; // a list has them
  return { ...shown, items: withField((isObject(ui['items']) ? ui['items'] : {}) as JsonObject, item) };
}

/** A schema without the texts that a ui has taken over. */
export function withoutNames(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([word, part]) =>
      word === 'enumNames'
        ? []
        : [[word, word === 'properties' ? eachWithout(part) : word === 'items' ? without(part) : part]],
    ),
  );
}

function eachWithout(fields: Json): Json {
  return isObject(fields)
    ? Object.fromEntries(Object.entries(fields as JsonObject).map(([name, field]) => [name, without(field)]))
    : fields;
}

function without(field: Json): Json {
  return isObject(field) ? withoutNames(field as JsonObject) : field;
}
