import { asObject, type Json, type JsonObject, isObject } from '../../../core/json.ts';
import { escapePointer, splitPointer, walkJson } from '../../../core/json-pointer.ts';
import {
  listFieldsOfEarlierSteps,
  readSchemaProperties,
  flattenFields,
  annotationKeywords,
  typesByKeyword,
} from '../../screen/schema-fields.ts';
import { hasUnusablePlugin, type PluginIndex } from '../../files/index-plugins.ts';
import {
  suggestSimilarName,
  suggestSimilarOrKnownNames,
  findNearestName,
  type ProblemExplanation,
  explain,
  localize,
  type LocalizedText,
} from '../../sources/localized-text.ts';
import type { ProblemReporter } from '../../sources/problem-collector.ts';
import type { ResolvedSchema } from '../../shared/resolve-schema.ts';
import { describeKeywordPlace } from '../../formats/keyword-places.ts';
import { checkPluginParameters } from '../plugin-parameters.ts';

const beside = localize`Write it beside the "properties" of the whole screen, or show fields with "visible" in ui.json.`;
const ofSeveralFields = localize`Alternatives of several fields belong beside the "properties" of the whole screen.`;
const followed = localize`References are written as "$ref".`;
const unnamed = localize`Remove it: only a definition of "$defs" has a name that references use.`;
const names = localize`Name each field in "properties".`;
const closed = localize`Remove it: unknown fields are always rejected.`;
const least = localize`Remove it: list required fields in "required".`;
const content = localize`Remove it: a file has "format": "file", with the widget and the rule "file" of a plugin.`;
const ofItems = localize`Remove it: "minItems", "maxItems" and "uniqueItems" say how many items there are.`;

/** Unsupported keywords of JSON Schema and other form libraries, with an alternative. */
export const unsupportedKeywordHints: Readonly<Record<string, LocalizedText>> = {
  ui: localize`The appearance of a field belongs in "fields" of ui.json. Only a definition of schemas/_shared contains its own.`,
  messages: localize`Messages belong in "messages" of ui.json. Only a definition of schemas/_shared contains its own.`,
  examples: localize`In a project with several languages, texts belong in ui.json: use "ui:placeholder" there.`,
  enumNames: localize`Use "ui:enumNames" in ui.json.`,
  if: beside,
  then: beside,
  else: beside,
  oneOf: ofSeveralFields,
  anyOf: ofSeveralFields,
  allOf: localize`Its parts contradict each other: write the keywords into the field itself.`,
  not: localize`Write it as a rule of a plugin: see plugins/README.md.`,
  dependentRequired: beside,
  dependentSchemas: beside,
  dependencies: beside,
  conditional: localize`Show fields with "visible" in ui.json.`,
  visibleIf: localize`Show fields with "visible" in ui.json.`,
  calculateValue: localize`Compute it with "computed" beside "properties".`,
  choicesFromQuestion: localize`Put choices that depend on another answer in "if" and "then" beside the "properties" of the whole screen. For choices of an operation, use "source" and "params" in "ui:options".`,
  prefixItems: localize`Use one field for each item.`,
  patternProperties: names,
  propertyNames: names,
  unevaluatedProperties: closed,
  unevaluatedItems: closed,
  additionalProperties: localize`Remove it: it applies only to objects.`,
  minProperties: least,
  maxProperties: localize`Remove it: a form sends only the fields of "properties".`,
  contains: ofItems,
  minContains: ofItems,
  maxContains: ofItems,
  contentEncoding: content,
  contentMediaType: content,
  contentSchema: content,
  discriminator: localize`Remove it: use a field with a different "const" in each alternative.`,
  $id: unnamed,
  $anchor: unnamed,
  $dynamicAnchor: unnamed,
  $dynamicRef: followed,
  $recursiveRef: followed,
  required: localize`List the field in "required" beside its "properties".`,
  properties: localize`Write "type": "object" beside it, for an object of fields.`,
};

/** Maps an unsupported keyword to the one without which it has no effect, e.g. "then" to "if". If a field has both, only "if" is reported, as one mistake. */
const companions: Readonly<Record<string, string>> = {
  then: 'if',
  else: 'if',
  minContains: 'contains',
  maxContains: 'contains',
  contentMediaType: 'contentEncoding',
  contentSchema: 'contentMediaType',
};

export function isCompanionKeyword(keyword: string, field: JsonObject): boolean {
  const other = Object.hasOwn(companions, keyword) ? companions[keyword] : undefined;
  return other !== undefined && field[other] !== undefined;
}

export function explainUnsupportedAlternatives(keyword: string, alternatives: Json): ProblemExplanation {
  const branches = Array.isArray(alternatives) ? alternatives.filter((one) => isObject(one)) : [];
  const types = [...new Set(branches.map(({ type }) => type))];
  const cannot = localize`"${keyword}" is not allowed in a field.`;
  if (branches.length > 0 && branches.every((one) => Object.hasOwn(one, 'const')))
    return {
      message: cannot,
      hint: localize`Write the values as "enum", and their texts as "ui:enumNames" in ui.json.`,
    };
  if (types.length > 1 && types.every((type) => typeof type === 'string'))
    return explain`The field has several types: ${types.join(', ')}.
      Leave one of them.`;
  if (branches.some((one) => isObject(one['properties']))) return { message: cannot, hint: ofSeveralFields };
  return { message: cannot, hint: localize`Write the rules of one alternative into the field itself.` };
}

/** Keywords that belong in a field. */
const fieldKeywords = [
  '$ref',
  ...Object.keys(typesByKeyword),
  'properties',
  'required',
  'default',
  'examples',
  'readOnly',
  'writeOnly',
  'nullable',
  'enumNames',
  ...annotationKeywords,
];

/** Whether a keyword is at the wrong level: a field keyword at `form`, or a form keyword at `field`. */
function isMisplaced(keyword: string, level: 'field' | 'form'): boolean {
  return (level === 'form' ? fieldKeywords : screenKeywords).includes(keyword);
}

/** Keywords that belong beside "properties" of a screen's schema. */
const screenKeywords = [
  '$id',
  '$schema',
  '$defs',
  'computed',
  'earlier',
  'if',
  'then',
  'else',
  'oneOf',
  'anyOf',
  'allOf',
  'dependentRequired',
  'dependentSchemas',
];

/** Reports keywords of the whole screen among the fields in "properties". Returns whether there are none. */
export function checkKeywordsAmongFields(schema: Json, { rules }: PluginIndex, report: ProblemReporter): boolean {
  const found = [...walkJson(schema)].flatMap(([pointer, value]) => {
    const [name = '', parent] = splitPointer(pointer).toReversed();
    const isKeyword = name === 'required' || isMisplaced(name, 'field') || rules.get(name)?.rule.level === 'form';
    const isField = ['type', '$ref', 'enum'].some((keyword) => keyword in Object(value));
    return parent === 'properties' && isKeyword && !isField ? [{ pointer, name }] : [];
  });
  for (const { pointer, name } of found)
    report(pointer)(explain`"${name}" is in the wrong place.
      Put it beside "properties".`);
  return found.length === 0;
}

/** Reports fields beside "properties". Returns the schema with these fields inside "properties", so that the files that name them are not reported too. */
export function moveFieldsIntoProperties(
  resolved: ResolvedSchema | null,
  { rules }: PluginIndex,
): ResolvedSchema | null {
  if (!resolved) return null;
  const known = [...screenKeywords, ...fieldKeywords, ...Object.keys(unsupportedKeywordHints), ...rules.keys()];
  const outside = Object.entries(resolved.schema).filter(
    ([name, value]) => isObject(value) && 'type' in value && !known.includes(name),
  );
  if (outside.length === 0) return resolved;
  for (const [name] of outside)
    resolved.report(`/${escapePointer(name)}`)(explain`The field "${name}" is outside of "properties".
      Move it into "properties": a brace may close it too early.`);
  const names = outside.map(([name]) => name);
  const rest = Object.entries(resolved.schema).filter(([name]) => !names.includes(name));
  const properties = { ...asObject(resolved.schema['properties']), ...Object.fromEntries(outside) };
  return { ...resolved, schema: { ...Object.fromEntries(rest), properties } as JsonObject };
}

/**
 * Keywords that define the structure of a field. If such a keyword is misspelt, the errors that follow from the missing structure are not reported.
 */
const structuralKeywords = new Set(['type', 'properties', 'items', 'enum', '$ref', 'prefixItems', 'oneOf', 'anyOf']);

function suggestKeyword(keyword: string, plugins: PluginIndex): string | undefined {
  return findNearestName(keyword, [...fieldKeywords, ...screenKeywords, ...plugins.rules.keys()]);
}

/** Whether an invalid keyword was meant to define the structure of its field. If it was, the missing structure is not reported in addition. */
export function isMeantAsStructuralKeyword(keyword: string, plugins: PluginIndex): boolean {
  const words = [
    'patternProperties',
    'additionalProperties',
    'propertyNames',
    'unevaluatedProperties',
    'not',
    'allOf',
    '$dynamicRef',
    '$recursiveRef',
  ];
  if (words.includes(keyword) || structuralKeywords.has(keyword)) return true;
  return (
    !Object.hasOwn(unsupportedKeywordHints, keyword) &&
    !plugins.rules.has(keyword) &&
    structuralKeywords.has(suggestKeyword(keyword, plugins) ?? '')
  );
}

export interface SchemaCheckContext {
  readonly schema: JsonObject;
  readonly plugins: PluginIndex;
  /** Facts that plugin rules may read. If absent, plugin rules may read any fact. */
  readonly facts?: readonly string[] | undefined;
  /** Number of lists in which the checked fields are nested. Defaults to 0. */
  readonly listDepth?: number;
  /** Maximum number of items of a list. Defaults to `defaultMaxItems`. */
  readonly maxItems?: number;
  /** Fields that could not be read, which later checks skip. */
  readonly faultyFields: Set<string>;
  readonly report: ProblemReporter;
  readonly reportUse: ProblemReporter;
}

/** Checks that a plugin provides a non-standard keyword for this level and field type, and that its parameters are valid. */
export function checkPluginRuleKeyword(
  { schema, plugins, facts, report, reportUse }: SchemaCheckContext,
  at: string,
  level: 'field' | 'form',
  { keyword, value, type }: { readonly keyword: string; readonly value: Json; readonly type?: Json | undefined },
): void {
  const isOfScreen = level === 'form' && ['$id', 'required', 'properties', 'examples'].includes(keyword);
  const hint =
    Object.hasOwn(unsupportedKeywordHints, keyword) && !isOfScreen ? unsupportedKeywordHints[keyword] : undefined;
  if (hint)
    return report(at)({
      message:
        level === 'field'
          ? localize`"${keyword}" is not allowed in a field.`
          : localize`"${keyword}" is not allowed in the schema of a screen.`,
      hint,
    });
  const entry = plugins.rules.get(keyword);
  if (entry ? entry.rule.level !== level : isMisplaced(keyword, level))
    return report(at)(explain`"${keyword}" is in the wrong place.
      ${level === 'form' ? localize`Put it into a field.` : localize`Put it beside "properties".`}`);
  if (!entry) return reportUnknownKeyword(report, at, keyword, plugins);
  const { rule } = entry;
  if (rule.types && typeof type === 'string' && !rule.types.some((own) => own === type))
    return report(at)(explain`"${keyword}" does not fit a field of the type "${type}".
      Remove it here: it applies to fields of ${rule.types.join(', ')}.`);
  const areValid = checkPluginParameters(report, at, value, {
    name: keyword,
    plugin: entry.plugin,
    schema: rule.parameters,
    explainUnknown: (name) => localize`"${keyword}" has no parameter "${name}".`,
  });
  if (!areValid) return;
  const readFields = [...(rule.reads?.(value as never) ?? []), ...(rule.target ? [rule.target(value as never)] : [])];
  for (const name of readFields.filter((one) => !listFieldsOfEarlierSteps(schema).includes(one))) {
    if (!Object.hasOwn(readSchemaProperties(schema), name) || !Object.hasOwn(flattenFields(schema), name))
      reportUse(at)(explain`"${keyword}" names the field "${name}", which does not exist.
        ${suggestSimilarName(name, Object.keys(readSchemaProperties(schema)))}Name a field of the "properties" of the screen itself, or a field of an earlier step that is listed in "earlier".`);
  }
  const [, own, ...inside] = splitPointer(at);
  if (level === 'field' && inside.length === 1 && readFields.includes(own ?? ''))
    report(at)(explain`"${keyword}" compares "${own ?? ''}" with itself.
      Name another field.`);
  for (const name of rule.facts?.(value as never) ?? [])
    if (facts && !facts.includes(name))
      report(at)(explain`"${keyword}" reads the fact "${name}", which does not exist.
        ${suggestSimilarOrKnownNames(name, facts)}`);
}

export function reportUnknownKeyword(report: ProblemReporter, at: string, keyword: string, plugins: PluginIndex): void {
  if (keyword.trim() !== keyword) return; // skip a keyword with surrounding blanks, which the check for misleading characters reports
  const place = describeKeywordPlace(keyword, 'ui');
  if (place) return report(at)({ message: localize`"${keyword}" is in the wrong place.`, hint: place });
  const nearest = suggestKeyword(keyword, plugins);
  if (nearest === undefined && hasUnusablePlugin(plugins)) return;
  if (nearest === undefined)
    report(at)(explain`Unknown keyword "${keyword}".
      Remove it: neither JSON Schema nor a plugin defines it. Plugins define ${[...plugins.rules.keys()].join(', ') || localize`none`}.`);
  else
    report(at)(explain`Unknown keyword "${keyword}".
      Did you mean "${nearest}"?`);
}
