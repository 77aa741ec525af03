import type { JsonLogic, ScreenUi } from '../../core/flow-and-screen-types.ts';
import { asObject, groupBy, isObject, type Json, type JsonObject } from '../../core/json.ts';
import { escapePointer, walkJson } from '../../core/json-pointer.ts';
import { listFieldsReadByLogic } from '../../core/json-logic.ts';
import {
  listAllFields,
  listFieldsAtPath,
  annotationKeywords,
  readSchemaProperties,
  flattenFields,
  listRequiredProperties,
} from '../screen/schema-fields.ts';
import type { FieldConditions } from '../intermediate-representation.ts';
import type { ResolvedSchema } from '../shared/resolve-schema.ts';
import type { ProblemReporter } from '../sources/problem-collector.ts';
import { explain, suggestSimilarName } from '../sources/localized-text.ts';
import {
  joinRulesWithAnd,
  joinRulesWithOr,
  convertIfSchemaToRule,
  buildPresenceRule,
  negateRule,
  type ConditionScope,
  reportNumericFieldNames,
  convertFixedItemsToObject,
} from './convert-if-schema.ts';
import {
  findDiscriminatorField,
  combineFieldOccurrences,
  type FieldOccurrence,
  simplifyFieldSchema,
} from './combine-field-occurrences.ts';
import {
  collectNestedFieldConditions,
  collectConditionalSubschema,
  omitNestedFieldConditions,
  type NestedFieldConditions,
} from './nested-conditions.ts';
import { normalizeSchema, normalizeFieldTypes } from './normalize-schema.ts';
import { isFieldGroupSchema } from '../../core/field-path.ts';

interface LoweredSchema extends ResolvedSchema, FieldConditions {
  readonly visible: Readonly<Record<string, JsonLogic>>;
}

interface CollectedSchema {
  readonly fields: FieldOccurrence[];
  readonly required: { readonly name: string; readonly when: JsonLogic | null; readonly at: string }[];
  readonly decidedBy: Record<string, JsonLogic>;
  readonly requiredWhen: Record<string, JsonLogic>;
  readonly inner: NestedFieldConditions;
}

/** Keywords of the root schema that apply subschemas to its fields. The lowered schema has none of them. */
const applicators = [
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
];
const partKeywords = ['type', 'properties', 'required', ...applicators, ...annotationKeywords];

/** Lowers conditional keywords beside "properties" to conditions. Objects of fields and list items only support "if". `named`: schema texts are shown. */
export function lowerSchema(
  { schema: resolved, references, unresolvedFields: unread, report, reportUse }: ResolvedSchema,
  named: boolean,
): LoweredSchema {
  const schema = normalizeSchema(resolved);
  const inner = { fields: [], required: [] };
  const collected: CollectedSchema = { fields: [], required: [], decidedBy: {}, requiredWhen: {}, inner };
  const groups = Object.entries(readSchemaProperties(schema)).flatMap(([name, field]) =>
    isFieldGroupSchema(field) ? [name] : [],
  );
  const scope = { report, required: new Set(listRequiredFields(schema)), named, groups };
  reportNumericFieldNames(report, schema);
  collectSchemaPart(scope, collected, { part: schema, at: '', when: null });
  const byName = groupBy(collected.fields, ({ name }) => name);
  const moved = new Map<string, string>();
  const visible: Record<string, JsonLogic> = {};
  const offeredWhen: Record<string, readonly JsonLogic[]> = {};
  const properties = [...byName].map(([name, own]) => {
    moved.set(`/properties/${escapePointer(name)}`, own[0]?.at ?? '');
    const shown = joinRulesWithOr(own.map(({ when }) => when));
    if (shown !== null) visible[name] = shown;
    const { field, offered } = combineFieldOccurrences(report, own);
    if (offered) offeredWhen[name] = offered;
    return [name, normalizeFieldTypes(field)] as const;
  });
  const required: string[] = [];
  const requiredWhen: Record<string, JsonLogic> = { ...collected.requiredWhen };
  for (const { name, at } of collected.required)
    if (!byName.has(name) && !at.startsWith('/required/'))
      report(at)(explain`"${name}" is required but is not a field.
        ${suggestSimilarName(name, byName.keys())}Add it to "properties" or remove it here.`);
  for (const [name, own] of groupBy(collected.required, ({ name }) => name)) {
    const when = joinRulesWithOr(own.map((one) => one.when));
    if (when === null || JSON.stringify(when) === JSON.stringify(visible[name])) required.push(name);
    else requiredWhen[name] = when;
  }
  const rest = Object.entries(schema).filter(([keyword]) => !applicators.includes(keyword));
  const expanded = {
    ...Object.fromEntries(rest),
    ...(required.length > 0 || schema.required !== undefined ? { required } : {}),
    properties: Object.fromEntries(properties),
  };
  addInnerConditions();
  const ofForm = Object.keys(flattenFields(expanded)); // excludes fields of list items, because their rules read the item
  const selectFormRules = <Rule>(table: Readonly<Record<string, Rule>>) =>
    Object.entries(table).flatMap(([name, rule]) => (ofForm.includes(name) ? [rule] : []));
  checkReads([...Object.values(visible), ...selectFormRules(requiredWhen), ...selectFormRules(offeredWhen).flat()]);
  return {
    schema: expanded,
    references,
    unresolvedFields: unread,
    visible,
    requiredWhen,
    offeredWhen,
    decidedBy: collected.decidedBy,
    report: (pointer) => report(toSourcePointer(pointer)),
    reportUse: (pointer) => reportUse(toSourcePointer(pointer)),
  };

  function toSourcePointer(pointer: string): string {
    const [from, to] = [...moved].find(([at]) => pointer === at || pointer.startsWith(`${at}/`)) ?? ['', ''];
    return to + pointer.slice(from.length);
  }

  function addInnerConditions(): void {
    const every = new Map(listAllFields(expanded).map(([name, field]) => [name, field]));
    const { fields, required: asked } = collected.inner;
    for (const [name, own] of groupBy(fields, ({ name }) => name)) {
      const field = every.get(name);
      if (!field) reportAbsent(report, own[0]?.at ?? '', name, every.keys());
      const { offered } = field ? combineFieldOccurrences(report, [{ name, field, when: null, at: '' }, ...own]) : {};
      if (offered) offeredWhen[name] = offered;
    }
    for (const [name, own] of groupBy(asked, ({ name }) => name)) {
      if (!every.has(name)) reportAbsent(report, own[0]?.at ?? '', name, every.keys());
      requiredWhen[name] = joinRulesWithOr(own.map(({ when }) => when)) ?? true;
    }
  }

  function checkReads(rules: readonly JsonLogic[]): void {
    for (const name of new Set(rules.flatMap((rule) => listFieldsReadByLogic(rule)))) {
      if (listFieldsAtPath(name, ofForm).length > 0) continue;
      const [place = ''] = [...walkJson(schema)].find(([at]) => at.endsWith(`/${escapePointer(name)}`)) ?? [];
      report(place)(explain`A condition reads "${name}", which is not a field.
        ${suggestSimilarName(name, ofForm)}Add it to "properties".`);
    }
  }
}

function reportAbsent(report: ProblemReporter, at: string, name: string, known: Iterable<string>): void {
  report(at)(explain`"${name}" is not a field of its object.
    ${suggestSimilarName(name, known)}Add it to the "properties" of the object, and show it with "visible" in ui.json.`);
}

function listRequiredFields(part: JsonObject): readonly string[] {
  const parts = Array.isArray(part.allOf) ? part.allOf : [];
  return [
    ...listRequiredProperties(part),
    ...parts.flatMap((one: Json) => (isObject(one) ? listRequiredFields(one) : [])),
  ];
}

type Scope = ConditionScope & {
  readonly named: boolean;
  readonly groups: readonly string[];
};

interface ConditionalPart {
  readonly part: JsonObject;
  readonly at: string;
  readonly when: JsonLogic | null;
}

function collectSchemaPart(scope: Scope, into: CollectedSchema, { part, at, when }: ConditionalPart): void {
  const { report } = scope;
  const collectUnder = (keyword: string, given: Json | undefined, more: JsonLogic | null) => {
    if (isObject(given))
      collectSchemaPart(scope, into, { part: given, at: `${at}/${keyword}`, when: joinRulesWithAnd([when, more]) });
  };
  for (const [name, given] of Object.entries(readSchemaProperties(part))) {
    const place = `${at}/properties/${escapePointer(name)}`;
    if (when !== null && scope.groups.includes(name)) {
      collectConditionalSubschema(scope, into.inner, given, { at: place, name, read: name, when });
      continue;
    }
    const fixed = convertFixedItemsToObject(name, given);
    Object.assign(into.requiredWhen, fixed?.requiredWhen);
    const field = simplifyFieldSchema(omitNestedFieldConditions(fixed?.field ?? given), scope.named);
    into.fields.push({ name, field, when, at: place });
    collectNestedFieldConditions(scope, into.inner, given, { at: place, name, read: name });
  }
  for (const [index, name] of listRequiredProperties(part).entries())
    into.required.push({ name, when, at: `${at}/required/${index}` });
  if (Array.isArray(part.allOf)) part.allOf.forEach((one: Json, index) => collectUnder(`allOf/${index}`, one, null));
  if (isObject(part.if)) {
    const holds = convertIfSchemaToRule(scope, part.if, `${at}/if`);
    collectUnder('then', part.then, holds);
    collectUnder('else', part.else, negateRule(holds));
  }
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    const dependents = part[keyword];
    for (const [name, given] of Object.entries(asObject(dependents))) {
      const isThere = buildPresenceRule(name);
      if (!Array.isArray(given)) collectUnder(`${keyword}/${escapePointer(name)}`, given, isThere);
      else
        for (const [index, other] of given.entries())
          into.required.push({
            name: String(other),
            when: joinRulesWithAnd([when, isThere]),
            at: `${at}/${keyword}/${escapePointer(name)}/${index}`,
          });
    }
  }
  for (const keyword of ['oneOf', 'anyOf'] as const) collectAlternatives(scope, into, { part, at, when }, keyword);
  if (at !== '')
    for (const keyword of Object.keys(part).filter((word) => !partKeywords.includes(word)))
      report(`${at}/${escapePointer(keyword)}`)(explain`
        "${keyword}" is not allowed in a conditional part of the schema.
        It accepts ${partKeywords.slice(1, 3).join(', ')}, ${applicators.join(', ')}.`);
}

function collectAlternatives(
  scope: Scope,
  into: CollectedSchema,
  { part, at, when }: ConditionalPart,
  keyword: 'oneOf' | 'anyOf',
): void {
  const given = part[keyword];
  if (!Array.isArray(given)) return;
  const branches = given.map((one: Json) => asObject(one));
  const isTaken = (name: string) => into.fields.some((field) => field.name === name);
  const deciding = findDiscriminatorField({ keyword, title: part.title, branches, isTaken, named: scope.named });
  if (deciding === undefined)
    return scope.report(`${at}/${keyword}`)(explain`No field determines which alternative of "${keyword}" applies.
      Give each alternative the same field with a different "const", or a required field of its own. Otherwise show fields with "visible" in ui.json.`);
  const { name, field, values, required, decidedBy } = deciding;
  const place = decidedBy === undefined ? `${at}/${keyword}/0/properties/${escapePointer(name)}` : `${at}/${keyword}`;
  into.fields.push({ name, field, when, at: place });
  if (required) into.required.push({ name, when, at: `${at}/${keyword}` });
  if (decidedBy !== undefined) into.decidedBy[name] = decidedBy;
  branches.forEach((branch, index) => {
    const { [name]: _, ...properties } = readSchemaProperties(branch);
    const holds: JsonLogic = { in: [{ var: `form.${name}` }, values[index] ?? []] };
    const own = { ...branch, properties, required: listRequiredProperties(branch).filter((one) => one !== name) };
    collectSchemaPart(scope, into, {
      part: own,
      at: `${at}/${keyword}/${index}`,
      when: joinRulesWithAnd([when, holds]),
    });
  });
}

export function addVisibilityRules(ui: ScreenUi, visible: LoweredSchema['visible']): ScreenUi {
  const own = ui.visible ?? {};
  const rules = Object.entries(visible).map(([name, rule]) => [
    name,
    joinRulesWithAnd([rule, own[name] ?? null]) ?? true,
  ]);
  return rules.length === 0 ? ui : { ...ui, visible: { ...own, ...(Object.fromEntries(rules) as typeof own) } };
}
