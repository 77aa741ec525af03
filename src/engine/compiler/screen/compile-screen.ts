import { _, Ajv2020 } from 'ajv/dist/2020.js';
import { useFunc } from 'ajv/dist/compile/util.js';
import type { CodeKeywordDefinition } from 'ajv/dist/types/index.js';
import addFormats from 'ajv-formats';
import standaloneCode from 'ajv/dist/standalone/index.js';
import type { JsonLogic, ScreenUi } from '../../core/flow-and-screen-types.ts';
import { isMultipleOf } from '../../core/values/numbers.ts';
import { joinItemFieldName, nestFieldValues } from '../../core/field-path.ts';
import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import {
  listAllFieldSpecs,
  type FieldSpec,
  type CompiledFormRule,
  type CompiledScreen,
} from '../../core/compiled-screen.ts';
import { buildListItemUi, pickListItemEntries } from '../../core/list-fields.ts';
import { readFieldUi } from '../../core/screen-ui-queries.ts';
import {
  getComputedRules,
  orderComputedFields,
  listFieldsReadByRules,
  listFieldsInDisplayOrder,
  listVisibilityRules,
  listFieldsOfEarlierSteps,
  listFieldGroupSchemas,
  isListSchema,
  normalizeItemSchema,
  listFieldsAtPath,
  resolveFieldRequirement,
  flattenFields,
  listRequiredProperties,
  pickStandardKeywords,
  omitAnnotations,
} from './schema-fields.ts';
import { hashForUrl } from '../sources/hash-for-url.ts';
import type { CheckedScreen, FieldConditions } from '../intermediate-representation.ts';
import type { PluginIndex } from '../files/index-plugins.ts';
import type { DefinitionLoadCache } from '../sources/load-cache.ts';
import { standardAjv, standardFormatNames } from '../sources/standard-ajv.ts';

export type LanguageNeutralScreen = Omit<CompiledScreen, 'language' | 'ui' | 'messages' | 'texts'> & {
  /** Body of the generated function `validators(formats, runtime)`. */
  readonly validatorCode: string;
};

export function compileLanguageNeutralScreen(
  { id, schema, ui, conditions }: Pick<CheckedScreen, 'id' | 'ui' | 'conditions'> & { readonly schema: JsonObject },
  plugins: PluginIndex,
  cache: DefinitionLoadCache,
): LanguageNeutralScreen {
  const properties = flattenFields(schema);
  const formRules = listFormRules(schema, plugins);
  const fields = specifyFields(schema, ui, formRules, plugins, conditions);
  const conditional = Object.values(conditions).filter((rules) => Object.keys(rules).length > 0);
  const computedNames = orderComputedFields(schema, ui);
  const earlier = listFieldsOfEarlierSteps(schema);
  const defaults = Object.entries(properties).flatMap(([name, field]) =>
    field.default === undefined ? [] : [[name, field.default] as const],
  );
  const every = fields.flatMap(listFieldWithItemFields);
  const formats = every.flatMap(({ schema: { format } }) => (typeof format === 'string' ? [format] : []));
  return {
    id,
    version: hashForUrl(
      JSON.stringify([
        Object.entries(properties).map(([name, field]) => [name, omitAnnotations(field)]),
        listRequiredProperties(schema),
        ...Object.entries(listFieldGroupSchemas(schema)).map(([name, group]) => [name, listRequiredProperties(group)]),
        formRules,
        Object.keys(properties).map((name) => listVisibilityRules(ui, name)),
        ...(computedNames.length > 0 ? [getComputedRules(schema)] : []),
        ...(earlier.length > 0 ? [earlier] : []),
        ...conditional,
        ...fields.flatMap(({ item = [] }) => listAllFieldSpecs(item).flatMap(({ visible = [] }) => visible)),
      ]),
    ),
    fields,
    formRules,
    ...(earlier.length > 0 ? { earlier } : {}),
    ...(computedNames.length > 0 ? { computed: computedNames } : {}),
    ...(Object.keys(conditions.decidedBy).length > 0 ? { decidedBy: conditions.decidedBy } : {}),
    ...(defaults.length > 0 ? { defaults: nestFieldValues(defaults) } : {}),
    rulePlugins: listRulePlugins(every, formRules, [schema, ui], plugins),
    standardFormats: formats.some((name) => standardFormatNames.includes(name) && !plugins.formats.has(name)),
    validatorCode: cache.getStoredOrCompute(`validators ${id}`, listValidatorInputs(every, plugins), () =>
      generateValidators(every, plugins),
    ),
  };
}

/** Returns a field and, if it is a list, the fields of its items. Their names have the prefix `<list>.items.`, as in their validators. */
export function listFieldWithItemFields(field: FieldSpec): readonly FieldSpec[] {
  const inner = (field.item ?? []).flatMap(listFieldWithItemFields);
  return [field, ...inner.map((own) => ({ ...own, name: joinItemFieldName(field.name, own.name) }))];
}

function specifyFields(
  schema: JsonObject,
  ui: ScreenUi,
  formRules: readonly CompiledFormRule[],
  plugins: PluginIndex,
  conditions: FieldConditions = { requiredWhen: {}, offeredWhen: {}, decidedBy: {} },
): readonly FieldSpec[] {
  const properties = flattenFields(schema);
  const { requiredWhen, offeredWhen } = conditions;
  const readers = indexDependents(schema, ui, formRules, plugins, conditions);
  const computed = getComputedRules(schema);
  const specifyItem = (name: string, list: JsonObject) =>
    specifyFields(normalizeItemSchema(list), buildListItemUi(ui, name), [], plugins, {
      requiredWhen: pickListItemEntries(requiredWhen, name),
      offeredWhen: pickListItemEntries(offeredWhen, name),
      decidedBy: {},
    });
  return listFieldsInDisplayOrder(ui, schema).map((name): FieldSpec => {
    const field = omitAnnotations(properties[name] ?? {});
    const [visible, ...more] = listVisibilityRules(ui, name);
    const widget = readFieldUi(ui, name)['ui:widget'];
    return {
      name,
      schema: field,
      ...resolveFieldRequirement(schema, name),
      ...(Object.hasOwn(requiredWhen, name) ? { requiredWhen: requiredWhen[name] ?? null } : {}),
      ...(Object.hasOwn(offeredWhen, name) ? { offeredWhen: pairChoices(field, offeredWhen[name]) } : {}),
      secret: field.writeOnly === true,
      ...(visible === undefined ? {} : { visible: more.length === 0 ? visible : { and: [visible, ...more] } }),
      ...(Object.hasOwn(computed, name) ? { computed: computed[name] ?? null } : {}),
      dependents: [...(readers.get(name) ?? [])],
      formRules: formRules.flatMap((rule, index) => (rule.target === name ? [index] : [])),
      ...(isListSchema(field) && { item: specifyItem(name, field) }),
      ...(typeof widget === 'string' && plugins.byName.get(widget)?.hasWidget ? { plugin: widget } : {}),
    };
  });
}

function pairChoices({ enum: own, items }: JsonObject, rules: readonly JsonLogic[] = []): FieldSpec['offeredWhen'] {
  const choices = isObject(items) ? (items as JsonObject).enum : own;
  return (Array.isArray(choices) ? choices : []).map((choice: Json, index) => [choice, rules[index] ?? true] as const);
}

export function emitScreenModule(screen: CompiledScreen, validatorCode: string): string {
  return `export const screen = ${JSON.stringify(screen)};\nexport function validators(formats, runtime) {\n"use strict";\n${validatorCode}\n}\n`;
}

// Helpers that generated code requires, by path. The module gets the helpers as arguments, because browsers have no `require`.
const runtimeHelpers: Readonly<Record<string, string>> = {
  'ajv/dist/runtime/ucs2length': 'runtime.ucs2length',
  'ajv/dist/runtime/equal': 'runtime.equal',
  'core/values/decimal': 'runtime.isMultipleOf',
};

/** Replaces `multipleOf` of ajv, which divides doubles with a fixed tolerance: 19.99 / 0.01 is 1998.9999999999998. Uses decimal arithmetic. */
const multipleOf: CodeKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  error: { message: 'must be a multiple', params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}` },
  code: (context) => {
    const { gen, data, schemaCode } = context;
    context.pass(_`${useFunc(gen, multiple)}(${data}, ${schemaCode})`);
  },
};

const multiple = Object.assign((value: number, divisor: number) => isMultipleOf(value, divisor), {
  code: 'require("core/values/decimal").default', // ajv emits this import in standalone code
});

/** Omits rules and texts, which the generated code does not contain. */
function listValidatorInputs(fields: readonly FieldSpec[], plugins: PluginIndex): readonly string[] {
  return [
    ...fields.map(({ name, schema }) => JSON.stringify([name, pickStandardKeywords(schema)])),
    ...plugins.formats.keys(),
  ];
}

function generateValidators(fields: readonly FieldSpec[], plugins: PluginIndex): string {
  const ajv = new Ajv2020({
    meta: false,
    validateSchema: false,
    allErrors: true,
    strict: true,
    strictTypes: false,
    unicodeRegExp: true,
    code: { source: true, esm: true, formats: _`formats` },
  });
  ajv.removeKeyword('multipleOf').addKeyword(multipleOf);
  addFormats.default(ajv);
  for (const [name, { check }] of plugins.formats) ajv.addFormat(name, check);
  const ids = new Map<string, string>(); // fields with the same rules share a function
  for (const field of fields) {
    const text = JSON.stringify(pickStandardKeywords(field.schema));
    if (!ids.has(text)) ids.set(text, `v${ids.size}`);
  }
  for (const [text, id] of ids) {
    const schema = { $id: id, ...(JSON.parse(text) as object) };
    void standardAjv.validateSchema(schema, true); // throws if the schema is invalid
    ajv.addSchema(schema);
  }
  const exported = Object.fromEntries([...ids.values()].map((id) => [id, id]));
  const code = ids.size > 0 ? standaloneCode(ajv, exported) : '';
  const functions = new Map<string, string>();
  const body = code
    .replace(/^"use strict";/, '')
    .replaceAll(generatedCodePattern, (whole, id?: string, name?: string, helper?: string) => {
      if (helper !== undefined) return resolveHelper(helper);
      if (id === undefined || name === undefined) return whole;
      functions.set(id, name);
      return '';
    });
  const validatorEntries = fields.map(
    ({ name, schema }) =>
      `${JSON.stringify(name)}: ${functions.get(ids.get(JSON.stringify(pickStandardKeywords(schema))) ?? '') ?? ''}`,
  );
  return `${body}\nreturn {${validatorEntries.join(', ')}};`;
}

// Matches the exports and imports that ajv generates. Matches string literals first, because a choice may look like code.
const generatedCodePattern = /"(?:[^"\\]|\\.)*"|export const (\w+) = (\w+);|require\("([^"]*)"\)\.default/g;

function resolveHelper(module: string): string {
  const helper = runtimeHelpers[module];
  if (helper === undefined) throw new Error(`ajv generated a call of ${module}, which the engine does not provide.`);
  return helper;
}

function listFormRules(schema: JsonObject, plugins: PluginIndex): CompiledFormRule[] {
  return Object.entries(schema).flatMap(([keyword, parameters]) => {
    const rule = plugins.rules.get(keyword)?.rule;
    if (rule?.level !== 'form') return [];
    return [{ keyword, parameters: parameters as JsonObject, target: rule.target?.(parameters as never) ?? '' }]; // cast: each rule has its own parameter type, which `checkPluginRuleKeyword` has validated
  });
}

function indexDependents(
  schema: JsonObject,
  ui: ScreenUi,
  formRules: readonly CompiledFormRule[],
  plugins: PluginIndex,
  { requiredWhen, offeredWhen }: FieldConditions,
): Map<string, Set<string>> {
  const readers = new Map<string, Set<string>>();
  const addDependent = (read: string, reader: string) => {
    if (read !== reader) readers.set(read, (readers.get(read) ?? new Set()).add(reader));
  };
  const properties = flattenFields(schema);
  const names = Object.keys(properties);
  const computed = getComputedRules(schema);
  for (const [name, field] of Object.entries(properties)) {
    for (const [keyword, parameters] of Object.entries(field)) {
      for (const read of listRuleDependencies(keyword, parameters, plugins)) addDependent(read, name);
    }
    const own = [computed, requiredWhen, offeredWhen].flatMap((rules) =>
      Object.hasOwn(rules, name) ? [rules[name] ?? null] : [],
    );
    for (const read of listFieldsReadByRules([...listVisibilityRules(ui, name), ...own], names))
      addDependent(read, name);
    const { requiredWith } = resolveFieldRequirement(schema, name);
    if (requiredWith !== undefined) for (const read of listFieldsAtPath(requiredWith, names)) addDependent(read, name);
  }
  for (const { keyword, parameters, target } of formRules)
    for (const read of listRuleDependencies(keyword, parameters, plugins)) addDependent(read, target);
  return readers;
}

function listRuleDependencies(keyword: string, parameters: Json, plugins: PluginIndex): readonly string[] {
  return plugins.rules.get(keyword)?.rule.reads?.(parameters as never) ?? []; // cast: each rule has its own parameter type, which `checkPluginRuleKeyword` has validated
}

function listRulePlugins(
  fields: readonly FieldSpec[],
  formRules: readonly CompiledFormRule[],
  definitions: readonly unknown[],
  plugins: PluginIndex,
): readonly string[] {
  const keywords = [...fields.flatMap(({ schema }) => Object.keys(schema)), ...formRules.map(({ keyword }) => keyword)];
  const formats = fields.map(({ schema }) => plugins.formats.get(String(schema.format))?.plugin);
  const operators = definitions.flatMap(listKeys).map((key) => plugins.operators.get(key));
  const names = [...keywords.map((keyword) => plugins.rules.get(keyword)?.plugin), ...formats, ...operators];
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

function listKeys(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(listKeys);
  return isObject(value) ? Object.entries(value).flatMap(([key, part]) => [key, ...listKeys(part)]) : [];
}
