import {
  listEnclosingObjectNames,
  isFieldWithin,
  joinItemFieldName,
  splitFieldName,
  isFieldGroupSchema,
} from '../../core/field-path.ts';
import { asObject, isObject, mapValues, type Json, type JsonObject } from '../../core/json.ts';
import type { FieldSpec } from '../../core/compiled-screen.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import type { JsonLogic, ScreenUi, ScreenLinkUi, Paragraph } from '../../core/flow-and-screen-types.ts';
import { readFieldUi, listFieldLinks } from '../../core/screen-ui-queries.ts';
import { listPathsReadByLogic } from '../../core/json-logic.ts';

/** Length of the prefixes `form.` and `item.`. */
const rootLength = 5;

export function getComputedRules({ computed }: JsonObject): Readonly<Record<string, JsonLogic>> {
  return asObject(computed);
}

export function listFieldsReadByRules(rules: readonly JsonLogic[], names: readonly string[]): readonly string[] {
  const paths = rules.flatMap(listPathsReadByLogic).filter((path) => /^(form|item)\./.test(path));
  return [...new Set(paths.flatMap((path) => listFieldsAtPath(path.slice(rootLength), names)))];
}

/** Returns the computed fields in dependency order. A visibility rule counts as a dependency. */
export function orderComputedFields(schema: JsonObject, ui: ScreenUi): readonly string[] {
  const reads = createDependencyLookup(schema, ui);
  const ordered = new Set<string>();
  const visited = new Set<string>();
  const visitField = (name: string): void => {
    if (visited.has(name)) return;
    visited.add(name);
    reads(name).forEach(visitField);
    if (Object.hasOwn(getComputedRules(schema), name)) ordered.add(name);
  };
  Object.keys(getComputedRules(schema)).forEach(visitField);
  return [...ordered];
}

/** Returns the shortest dependency cycle through a computed field, or `null` if there is none. A visibility rule counts as a dependency. */
export function findDependencyCycle(schema: JsonObject, ui: ScreenUi, name: string): readonly string[] | null {
  const reads = createDependencyLookup(schema, ui);
  const visited = new Set<string>();
  let paths: readonly (readonly string[])[] = [[name]];
  while (paths.length > 0) {
    const extendedPaths: (readonly string[])[] = [];
    for (const way of paths)
      for (const read of reads(way.at(-1) ?? '')) {
        if (read === name) return [...way, name];
        if (!visited.has(read)) extendedPaths.push([...way, read]);
        visited.add(read);
      }
    paths = extendedPaths;
  }
  return null;
}

// Creates a lookup of the fields on which a field depends. Includes visibility rules, because a hidden field has no value.
function createDependencyLookup(schema: JsonObject, ui: ScreenUi): (name: string) => readonly string[] {
  const names = Object.keys(flattenFields(schema));
  const rules = getComputedRules(schema);
  return (name) => {
    const own = Object.hasOwn(rules, name) ? [rules[name] ?? null] : [];
    return listFieldsReadByRules([...own, ...listVisibilityRules(ui, name)], names);
  };
}

/** Returns the fields in display order: `ui:order`, where `*` is all other fields, then unlisted fields. Fields of a section are adjacent. */
export function listFieldsInDisplayOrder(ui: ScreenUi, schema: JsonObject): readonly string[] {
  const orderedFields = sortBySections(
    ui,
    applyOrder(ui.fields?.['ui:order'], Object.keys(readSchemaProperties(schema))),
  );
  return listWithin(ui, schema, orderedFields, '');
}

function listWithin(ui: ScreenUi, schema: JsonObject, steps: readonly string[], within: string): readonly string[] {
  const own = readSchemaProperties(schema);
  return steps.flatMap((step) => {
    const name = within + step;
    const field = own[step] ?? {};
    if (!isFieldGroupSchema(field)) return [name];
    const order = readFieldUi(ui, name)['ui:order'] as readonly string[] | undefined; // cast: ui.json was validated against its format
    return listWithin(ui, field, applyOrder(order, Object.keys(readSchemaProperties(field))), `${name}.`);
  });
}

function applyOrder(order: readonly string[] = [], names: readonly string[]): readonly string[] {
  const rest = names.filter((name) => !order.includes(name));
  const listed = order.flatMap((name) => (name === '*' ? rest : names.includes(name) ? [name] : []));
  return order.includes('*') ? listed : [...listed, ...rest];
}

/** Returns the rules of a field's section, of its enclosing objects, and its own. All of them must be true. */
export function listVisibilityRules(
  { sections = [], visible: own = {} }: ScreenUi,
  name: string,
): readonly JsonLogic[] {
  const names = [...listEnclosingObjectNames(name), name];
  const section = sections.find(({ fields }) => fields.includes(names[0] ?? ''));
  return [section?.visible, ...names.map((one) => own[one])].filter((rule) => rule !== undefined);
}

function sortBySections({ sections = [] }: ScreenUi, names: readonly string[]): readonly string[] {
  const sectionByField = new Map(sections.flatMap(({ fields }, index) => fields.map((name) => [name, index] as const)));
  let next = 0;
  return names.flatMap((name) => {
    const section = sectionByField.get(name);
    if (section === undefined) return [name];
    const due = sections.slice(next, section + 1); // empty if the section is already placed
    next += due.length;
    return due.flatMap(({ fields }) => fields);
  });
}

export function listUiLinks(ui: ScreenUi): readonly (readonly [pointer: string, link: ScreenLinkUi])[] {
  const list = (links: readonly ScreenLinkUi[] | undefined, pointer: string) =>
    (links ?? []).map((link, index) => [`${pointer}/${index}`, link] as const);
  return [
    ...list(ui.links, '/links'),
    ...listParagraphs(ui.intro).flatMap(({ link }, index) => (link ? [[`/intro/${index}/link`, link] as const] : [])),
    ...Object.keys(ui.fields ?? {}).flatMap((name) =>
      list(listFieldLinks(readFieldUi(ui, name)), `/fields/${escapePointer(name)}/ui:links`),
    ),
    ...(ui.aside?.parts ?? []).flatMap(({ links }, index) => list(links, `/aside/parts/${index}/links`)),
    ...Object.entries(ui.notices ?? {}).flatMap(([name, notice]) =>
      (['link', 'other'] as const).flatMap((part) => {
        const link = notice[part];
        return link ? [[`/notices/${escapePointer(name)}/${part}`, link] as const] : [];
      }),
    ),
  ];
}

export function listParagraphs(texts: ScreenUi['intro']): readonly Paragraph[] {
  return typeof texts === 'object' ? texts : [];
}

/** Keywords of a field that ajv validates, with the types to which each applies. */
export const typesByKeyword = {
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

export const annotationKeywords = ['$comment', 'title', 'description', 'deprecated'];

export function flattenFields(schema: JsonObject): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(listNestedFields(schema, ''));
}

function listNestedFields(schema: JsonObject, within: string): readonly (readonly [name: string, field: JsonObject])[] {
  return Object.entries(readSchemaProperties(schema)).flatMap(([step, field]) =>
    isFieldGroupSchema(field) ? listNestedFields(field, `${within}${step}.`) : [[within + step, field] as const],
  );
}

export function listFieldGroupSchemas(schema: JsonObject, within = ''): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(
    Object.entries(readSchemaProperties(schema)).flatMap(([step, field]) =>
      isFieldGroupSchema(field)
        ? [[within + step, field] as const, ...Object.entries(listFieldGroupSchemas(field, `${within}${step}.`))]
        : [],
    ),
  );
}

export function readSchemaProperties({ properties }: JsonObject): Readonly<Record<string, JsonObject>> {
  return mapValues(asObject(properties), (field) => asObject(field));
}

/** Whether a property is a list whose items are filled in one by one. A multiple choice is a single field, not a list. */
export function isListSchema({ type, items }: JsonObject): boolean {
  return type === 'array' && isObject(items) && typeof items.type === 'string' && !Array.isArray(items.enum);
}

/** Returns the schema of a list item. An item that is a single value becomes an object with one field whose name is empty. */
export function normalizeItemSchema({ items }: JsonObject): JsonObject {
  const item = asObject(items);
  return isFieldGroupSchema(item) ? item : { type: 'object', required: [''], properties: { '': item } };
}

/** A field, possibly of a list item ("telefonos.items.numero"), whether it is required, and the pointer of its schema. */
type ListedField = readonly [name: string, field: JsonObject, needed: boolean, pointer: string];

/** Returns all fields of a schema. Each list is followed by the fields of its items. */
export function listAllFields(schema: JsonObject): readonly ListedField[] {
  return Object.entries(flattenFields(schema)).flatMap(([name, field]): readonly ListedField[] => {
    const pointer = buildFieldPointer(name);
    const own: ListedField = [name, field, isFieldRequired(schema, name), pointer];
    if (!isListSchema(field)) return [own];
    const isOne = !isFieldGroupSchema(field.items as JsonObject); // cast: `isListSchema` guarantees that the items are a schema
    const inner = listAllFields(normalizeItemSchema(field)).map(([step, item, needed, at]): ListedField => [
      joinItemFieldName(name, step),
      item,
      needed,
      `${pointer}/items${isOne ? at.slice(buildFieldPointer('').length) : at}`,
    ]);
    return [own, ...inner];
  });
}

export function listFieldGroupSchemasWithItems(schema: JsonObject): Readonly<Record<string, JsonObject>> {
  const inLists = Object.entries(flattenFields(schema)).flatMap(([name, field]) => {
    if (!isListSchema(field)) return [];
    const item = normalizeItemSchema(field);
    const own = isFieldGroupSchema(field.items as JsonObject) ? [[joinItemFieldName(name, ''), item] as const] : []; // cast: `isListSchema` guarantees that the items are a schema
    const inner = Object.entries(listFieldGroupSchemasWithItems(item)).map(
      ([step, group]) => [joinItemFieldName(name, step), group] as const,
    );
    return [...own, ...inner];
  });
  return { ...listFieldGroupSchemas(schema), ...Object.fromEntries(inLists) };
}

export function buildFieldPointer(name: string): string {
  return splitFieldName(name)
    .map((step) => `/properties/${escapePointer(step)}`)
    .join('');
}

export function replaceFieldSchema(schema: JsonObject, name: string, field: JsonObject): JsonObject {
  const [step = '', ...rest] = splitFieldName(name);
  const own = readSchemaProperties(schema);
  const changed = rest.length === 0 ? field : replaceFieldSchema(own[step] ?? {}, rest.join('.'), field);
  return { ...schema, properties: { ...own, [step]: changed } };
}

export function isFieldRequired(schema: JsonObject, name: string): boolean {
  const { required, requiredWith } = resolveFieldRequirement(schema, name);
  return required || requiredWith !== undefined;
}

export function resolveFieldRequirement(
  schema: JsonObject,
  name: string,
): Pick<FieldSpec, 'required' | 'requiredWith'> {
  const within = listEnclosingObjectNames(name);
  let holder = schema;
  const requiredBySegment = splitFieldName(name).map((step) => {
    const { required, properties } = holder;
    const inner = isObject(properties) ? properties[step] : undefined;
    holder = asObject(inner);
    return Array.isArray(required) && required.includes(step);
  });
  if (requiredBySegment.at(-1) !== true) return { required: false };
  const optional = within[requiredBySegment.slice(0, -1).lastIndexOf(false)];
  return optional === undefined ? { required: true } : { required: false, requiredWith: optional };
}

/** Returns the fields that a rule reads with a path after `form.`: a single field, or all fields of an object. */
export function listFieldsAtPath(path: string, names: readonly string[]): readonly string[] {
  const [field = ''] = path.split('.');
  return names.includes(field)
    ? [field]
    : names.filter((name) => isFieldWithin(name, path) || isFieldWithin(path, name));
}

export function listRequiredProperties(schema: JsonObject): readonly string[] {
  return Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : [];
}

export function omitAnnotations(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => keyword !== '$defs' && !annotationKeywords.includes(keyword)),
  );
}

export function isValidationKeyword(keyword: string): keyword is keyof typeof typesByKeyword {
  return Object.hasOwn(typesByKeyword, keyword);
}

export function pickStandardKeywords(field: JsonObject): Record<string, Json> {
  const own = Object.entries(field).filter(([keyword]) => isValidationKeyword(keyword));
  // omit the items of a list, because they have their own validators
  return Object.fromEntries(isListSchema(field) ? own.filter(([keyword]) => keyword !== 'items') : own);
}

export function listFieldsOfEarlierSteps({ earlier }: JsonObject): readonly string[] {
  return Array.isArray(earlier) ? earlier.filter((name) => typeof name === 'string') : [];
}
