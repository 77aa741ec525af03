import { groupsOfName, isWithin, nameInItems, stepsOfName } from '../../core/field-path.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import type { FieldSpec } from '../../core/screen.ts';
import { escapePointer } from '../../core/json-pointer.ts';

/** Keywords of a field that ajv checks, and the types that each speaks of. */
export const valueKinds = {
  type: 'any',
  enum: 'any',
  const: 'any',
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  format: 'any',
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
  exclusiveMinimum: ['number', 'integer'],
  exclusiveMaximum: ['number', 'integer'],
  multipleOf: ['number', 'integer'],
  items: ['array'],
  minItems: ['array'],
  maxItems: ['array'],
  uniqueItems: ['array'],
} as const satisfies Readonly<Record<string, 'any' | readonly string[]>>;

/** Notes for who reads the file: nothing draws or checks them. */
export const notes = ['$comment', 'title', 'description', 'deprecated'];

/** The fields of a schema by name, those inside of objects as well ("direccion.calle"); anything that is no object counts as an empty schema. */
export function propertiesOf(schema: JsonObject): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(fieldsIn(schema, ''));
}

function fieldsIn(schema: JsonObject, within: string): readonly (readonly [name: string, field: JsonObject])[] {
  return Object.entries(ownPropertiesOf(schema)).flatMap(([step, field]) =>
    isGroup(field) ? fieldsIn(field, `${within}${step}.`) : [[within + step, field] as const],
  );
}

/** The objects of fields in a schema by name, the outer ones first. */
export function groupsOf(schema: JsonObject, within = ''): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(
    Object.entries(ownPropertiesOf(schema)).flatMap(([step, field]) =>
      isGroup(field) ? [[within + step, field] as const, ...Object.entries(groupsOf(field, `${within}${step}.`))] : [],
    ),
  );
}

/** What a schema or an object of fields names itself, in its order. */
export function ownPropertiesOf({ properties }: JsonObject): Readonly<Record<string, JsonObject>> {
  if (!isObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, isObject(field) ? (field as JsonObject) : {}]),
  );
}

/** Whether a property holds fields of its own. */
export function isGroup({ type, properties }: JsonObject): boolean {
  return type === 'object' && isObject(properties);
}

/** Whether a property is a list whose items are filled in one by one; a choice of several is one field. */
export function isList({ type, items }: JsonObject): boolean {
  return type === 'array' && isObject(items) && typeof items.type === 'string' && !Array.isArray(items.enum);
}

/** What an item of a list asks for, as the schema of a small form: an item that is one value has one field, under an empty name. */
export function itemSchemaOf({ items }: JsonObject): JsonObject {
  const item = isObject(items) ? (items as JsonObject) : {};
  return isGroup(item) ? item : { type: 'object', required: [''], properties: { '': item } };
}

/** A field, also one of an item of a list ("telefonos.items.numero"), whether it must be filled in, and where its schema stands. */
export type EveryField = readonly [name: string, field: JsonObject, needed: boolean, pointer: string];

/** The fields of a schema, and behind each list those of its items. */
export function everyFieldOf(schema: JsonObject): readonly EveryField[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, field]): readonly EveryField[] => {
    const pointer = pointerOfField(name);
    const own: EveryField = [name, field, isNeeded(schema, name), pointer];
    if (!isList(field)) return [own];
    const isOne = !isGroup(field.items as JsonObject); // a list's items are a schema
    const inner = everyFieldOf(itemSchemaOf(field)).map(([step, item, needed, at]): EveryField => {
      return [
        nameInItems(name, step),
        item,
        needed,
        `${pointer}/items${isOne ? at.slice(pointerOfField('').length) : at}`,
      ];
    });
    return [own, ...inner];
  });
}

/** The objects of fields of a schema, and behind them those of lists: their items, and what these hold. */
export function everyGroupOf(schema: JsonObject): Readonly<Record<string, JsonObject>> {
  const inLists = Object.entries(propertiesOf(schema)).flatMap(([name, field]) => {
    if (!isList(field)) return [];
    const item = itemSchemaOf(field);
    const own = isGroup(field.items as JsonObject) ? [[nameInItems(name, ''), item] as const] : []; // a list's items are a schema
    const inner = Object.entries(everyGroupOf(item)).map(([step, group]) => [nameInItems(name, step), group] as const);
    return [...own, ...inner];
  });
  return { ...groupsOf(schema), ...Object.fromEntries(inLists) };
}

/** Where the schema of a field or of an object of fields stands. */
export function pointerOfField(name: string): string {
  return stepsOfName(name)
    .map((step) => `/properties/${escapePointer(step)}`)
    .join('');
}

/** A schema whose field, or object of fields, says something else. */
export function withField(schema: JsonObject, name: string, field: JsonObject): JsonObject {
  const [step = '', ...rest] = stepsOfName(name);
  const own = ownPropertiesOf(schema);
  const changed = rest.length === 0 ? field : withField(own[step] ?? {}, rest.join('.'), field);
  return { ...schema, properties: { ...own, [step]: changed } };
}

/** Whether a field must be filled in, always or with the rest of its object. */
export function isNeeded(schema: JsonObject, name: string): boolean {
  const { required, requiredWith } = necessityOf(schema, name);
  return required || requiredWith !== undefined;
}

/** When a field must be filled in: always, or with the rest of the innermost optional object that it stands in. */
export function necessityOf(schema: JsonObject, name: string): Pick<FieldSpec, 'required' | 'requiredWith'> {
  const within = groupsOfName(name);
  let holder = schema;
  const asked = stepsOfName(name).map((step) => {
    const { required, properties } = holder;
    const inner = isObject(properties) ? properties[step] : undefined;
    holder = isObject(inner) ? (inner as JsonObject) : {};
    return Array.isArray(required) && required.includes(step);
  });
  if (asked.at(-1) !== true) return { required: false };
  const optional = within[asked.slice(0, -1).lastIndexOf(false)];
  return optional === undefined ? { required: true } : { required: false, requiredWith: optional };
}

/** The fields that a path behind `form.` reads: one, or all those of an object. */
export function namesRead(path: string, names: readonly string[]): readonly string[] {
  const [field = ''] = path.split('.');
  return names.includes(field) ? [field] : names.filter((name) => isWithin(name, path) || isWithin(path, name));
}

/** The names in `required`. */
export function requiredOf(schema: JsonObject): readonly string[] {
  return Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : [];
}

/** A schema without what nobody checks: definitions that were taken in, and notes. */
export function withoutNotes(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => keyword !== '$defs' && !notes.includes(keyword)),
  );
}

/** Whether ajv checks a keyword of a field. */
export function isValueKeyword(keyword: string): keyword is keyof typeof valueKinds {
  return Object.hasOwn(valueKinds, keyword);
}

/** The part of a field's schema that ajv compiles. */
export function standardPart(field: JsonObject): Record<string, Json> {
  const own = Object.entries(field).filter(([keyword]) => isValueKeyword(keyword));
  return Object.fromEntries(isList(field) ? own.filter(([keyword]) => keyword !== 'items') : own); // items are checked one by one
}

/** The fields of earlier steps that the rules of a screen read. */
export function earlierOf({ earlier }: JsonObject): readonly string[] {
  return Array.isArray(earlier) ? earlier.filter((name) => typeof name === 'string') : [];
}
