import { asObject, isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { validatorRuntime } from '../../../core/validator-runtime.ts';
import {
  isListSchema,
  isValidationKeyword,
  annotationKeywords,
  pickStandardKeywords,
  typesByKeyword,
} from '../../screen/schema-fields.ts';
import { hasUnusablePlugin, type PluginIndex } from '../../files/index-plugins.ts';
import { escapePointer, findByPointer } from '../../../core/json-pointer.ts';
import type { ProblemReporter } from '../../sources/problem-collector.ts';
import {
  formatAlternatives,
  explain,
  localize,
  suggestSimilarOrKnownNames,
  findNearestName,
  type LocalizedText,
} from '../../sources/localized-text.ts';
import { suggestValueForError } from '../../formats/suggest-correction.ts';
import { formatAjvError, allErrorsAjv, standardFormatNames } from '../../sources/standard-ajv.ts';
import { numberFormatNames } from '../../json-schema/normalize-schema.ts';
import { checkPattern } from './check-pattern.ts';

const suggestFormat = (format: string) => localize`Write "${format}".`;
const asPattern = localize`Remove it, or write a "pattern".`;
const asFile = localize`For a file, write "format": "file" with the widget and the rule "file" of a plugin. For a short text, remove it.`;

/** Formats that have no form control, with an alternative. */
const formatsWithoutControl: Readonly<Record<string, LocalizedText>> = {
  duration: asPattern,
  'iso-date-time': suggestFormat('date-time'),
  'iso-time': suggestFormat('time'),
};

/** Unsupported formats of JSON Schema and OpenAPI's registry, with an alternative. */
const uncheckedFormats: Readonly<Record<string, LocalizedText>> = {
  'idn-email': localize`Write "email", or a "pattern" where an address may have other letters than a to z.`,
  'idn-hostname': localize`Write "hostname", or a "pattern" where a name may have other letters than a to z.`,
  iri: localize`Write "uri", or a "pattern" where an address may have other letters than a to z.`,
  'iri-reference': localize`Write "uri-reference", or a "pattern" where an address may have other letters than a to z.`,
  byte: asFile,
  base64url: asFile,
  binary: asFile,
  'data-url': asFile,
  decimal: asPattern,
  decimal128: asPattern,
  char: localize`Remove it, and write "maxLength": 1.`,
  commonmark: localize`Remove it: for a long text, use "ui:widget": "textarea".`,
  html: localize`Remove it: for a long text, use "ui:widget": "textarea".`,
};

function hintForUnknown(format: string, known: readonly string[]): LocalizedText {
  const nearest = findNearestName(format, known);
  return nearest === undefined ? suggestSimilarOrKnownNames(format, known) : localize`Did you mean "${nearest}"?`;
}

/** Checks that a format exists, is supported, and fits the type of the field. */
function checkFormatName(
  report: ProblemReporter,
  at: string,
  { format, type }: { readonly format: string; readonly type: string | undefined },
  plugins: PluginIndex,
): void {
  if (plugins.formats.has(format) || hasUnusablePlugin(plugins)) return;
  const hint = Object.hasOwn(uncheckedFormats, format) ? uncheckedFormats[format] : undefined;
  const isOfNumbers = numberFormatNames.includes(format);
  const undrawn = Object.hasOwn(formatsWithoutControl, format) ? formatsWithoutControl[format] : undefined;
  const others = [...Object.keys({ ...formatsWithoutControl, ...uncheckedFormats }), ...numberFormatNames];
  const known = standardFormatNames.filter((name) => !others.includes(name));
  if (isOfNumbers && type !== undefined)
    report(at)(explain`The format "${format}" is for numbers, and the field is of type ${type}.
      Write "type": "integer" or "number", or remove the format.`);
  else if (hint)
    report(at)(explain`The format "${format}" exists but is not checked here.
      ${hint}`);
  else if (undrawn)
    report(at)(explain`The format "${format}" cannot be displayed.
      ${undrawn}`);
  else if (!isOfNumbers && !known.includes(format))
    report(at)(explain`Unknown format "${format}".
      ${hintForUnknown(format, [...known, ...plugins.formats.keys()])}`);
  else if (type !== undefined && type !== 'string')
    report(at)(explain`The format "${format}" is for texts, and the field is of type ${type}.
      Write "type": "string", or remove the format.`);
}

const bounds = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minimum', 'maximum'],
  ['exclusiveMinimum', 'maximum'],
  ['minimum', 'exclusiveMaximum'],
  ['exclusiveMinimum', 'exclusiveMaximum'],
] as const;

/** Checks that the value keywords of a field can be rendered, validated and satisfied. Returns whether the keywords are valid. */
export function checkValueKeywords(
  report: ProblemReporter,
  at: string,
  field: JsonObject,
  plugins: PluginIndex,
): boolean {
  if (typeof field.type === 'string') checkType(report, at, field, field.type);
  else if (Array.isArray(field.enum)) checkObjectChoices(report, `${at}/enum`, field.enum);
  return checkStandardKeywords(report, at, pickStandardKeywords(field), plugins);
}

/** Checks that a field has exactly one type. An object needs properties, an array needs items. Returns whether the field is valid. */
export function checkFieldType(report: ProblemReporter, at: string, field: JsonObject): boolean {
  const { type } = field;
  if (Array.isArray(type))
    report(`${at}/type`)(explain`The field has several types: ${type.join(', ')}.
      Leave one of them.`);
  else if (type === undefined && !Array.isArray(field.enum))
    report(at)(explain`The field has no "type".
      Write its "type": ${formatAlternatives(inferTypes(field))}.`);
  else if (type === 'null')
    report(`${at}/type`)(explain`
      A field of the type "null" has no input: put it beside the other fields of the screen, without a condition.
      Give it another type, or remove it.`);
  else if (type === 'object')
    report(`${at}/type`)(explain`An object without "properties" cannot be displayed.
      Name its fields in "properties", each with a type.`);
  else if (type !== 'array' || isListSchema(field) || isChoiceOfSeveral(field)) return true;
  else if (field.enum === undefined)
    report(at)(explain`The array has no "items".
      Describe one item there: its "type" and, for a multiple choice, its "enum".`);
  return false;
}

/** Returns the types that are compatible with the other keywords of a field. */
function inferTypes(field: JsonObject): readonly string[] {
  const kinds = Object.keys(field).flatMap((keyword) => (isValidationKeyword(keyword) ? typesByKeyword[keyword] : []));
  const types = kinds.filter((kind) => kind !== 'any');
  return types.length > 0 ? [...new Set(types)] : ['string', 'number', 'integer', 'boolean', 'array', 'object'];
}

function isChoiceOfSeveral({ items }: JsonObject): boolean {
  return isObject(items) && Array.isArray(items.enum);
}

function checkType(report: ProblemReporter, at: string, field: JsonObject, type: string): void {
  if (type === 'array') return isChoiceOfSeveral(field) ? checkItems(report, at, field) : checkWhole(report, at, field);
  checkChoices(report, `${at}/enum`, field.enum, type);
  for (const keyword of ['const', 'default']) {
    const value = field[keyword];
    if (value !== undefined && !hasType(value, type))
      report(`${at}/${keyword}`)(explain`"${keyword}" is not of type ${type}.
        Write a value of the type of the field.`);
  }
}

// Checks choices that are objects, and reports mixed types. An object is sent unchanged, and `ui:enumNames` has its label.
function checkObjectChoices(report: ProblemReporter, at: string, choices: readonly Json[]): void {
  if (!choices.some((choice) => isObject(choice))) {
    const types = [...new Set(choices.map((choice) => (Array.isArray(choice) ? 'array' : typeof choice)))];
    return report(at)(explain`The choices are of several types: ${types.join(', ')}.
      Write all of them as texts, or all as numbers.`);
  }
  const plain = (value: Json) => ['string', 'number', 'boolean'].includes(typeof value);
  choices.forEach((choice, index) => {
    const parts = isObject(choice) ? Object.values(choice) : [];
    if (parts.length === 0 || !parts.every(plain))
      report(`${at}/${index}`)(explain`The choice ${JSON.stringify(choice)} is not an object of texts and numbers.
        Write choices of one "type", or objects with texts, numbers, true and false.`);
    else if (choices.findIndex((other) => validatorRuntime.equal(other, choice)) < index)
      report(`${at}/${index}`)(explain`The choice ${JSON.stringify(choice)} appears twice.
        Remove one of them.`);
  });
}

// Checks the items of a multiple choice: an array whose items are an `enum`.
function checkItems(report: ProblemReporter, at: string, field: JsonObject): void {
  const items = asObject(field.items);
  for (const keyword of Object.keys(items)) {
    if (!['type', 'enum', ...annotationKeywords].includes(keyword))
      report(`${at}/items/${escapePointer(keyword)}`)(explain`"${keyword}" is not allowed in "items".
        The items are the choices of "enum", which needs no other rule.`);
  }
  if (items.type !== undefined && items.type !== 'string')
    report(`${at}/items/type`)(explain`The choices of a multiple choice must be texts.
      Write the choices as texts, with "type": "string".`);
  else checkChoices(report, `${at}/items/enum`, items.enum, 'string');
  checkWhole(report, at, field);
}

function checkWhole(report: ProblemReporter, at: string, field: JsonObject): void {
  for (const keyword of ['enum', 'const']) {
    const value = field[keyword];
    if (value !== undefined)
      report(`${at}/${keyword}`)(explain`"${keyword}" of a whole array cannot be displayed.
        ${Array.isArray(value) && !value.some(Array.isArray) ? localize`Write its choices in "items": ${formatItems(value)}.` : localize`Put the choices into "items".`}`);
  }
}

/** Maximum number of choices in a message. */
const maxListedChoices = 4;

function formatItems(choices: readonly Json[]): string {
  const listed = choices
    .slice(0, maxListedChoices)
    .map((choice) => JSON.stringify(typeof choice === 'number' ? String(choice) : choice));
  const more = choices.length > maxListedChoices ? ['…'] : [];
  return `{ "type": "string", "enum": [${[...listed, ...more].join(', ')}] }`;
}

// Checks that the values of choices are unique and not empty, because the page identifies a choice by its text.
function checkChoices(report: ProblemReporter, at: string, choices: Json | undefined, type: string): void {
  if (!Array.isArray(choices)) return;
  const odd = choices.findIndex((choice: Json) => !hasType(choice, type));
  if (odd >= 0)
    report(`${at}/${odd}`)(explain`The choice ${JSON.stringify(choices[odd])} is not of type ${type}.
      ${suggestChoice(choices[odd], type)}`);
  choices.forEach((choice: Json, index) => {
    const pointer = `${at}/${index}`;
    if (choice === '')
      report(pointer)(explain`An empty text cannot be chosen.
        Remove it: a field that is not required may stay empty.`);
    else if (choices.indexOf(choice) < index)
      report(pointer)(explain`The choice ${JSON.stringify(choice)} appears twice.
        Remove one of them.`);
  });
}

function suggestChoice(choice: Json | undefined, type: string): LocalizedText {
  if (type === 'string' && typeof choice === 'number') return localize`Write it in quotes: "${choice}".`;
  if (typeof choice === 'string' && choice.trim() !== '' && hasType(Number(choice), type))
    return localize`Write it without quotes: ${choice}.`;
  return localize`Write choices of the type of the field.`;
}

function hasType(value: Json, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type; // `type` is `string`, `number` or `boolean` here, which are also results of `typeof`
}

function checkStandardKeywords(
  report: ProblemReporter,
  at: string,
  standard: Record<string, Json>,
  plugins: PluginIndex,
): boolean {
  const { format, ...rest } = standard;
  if (!allErrorsAjv.validateSchema(rest)) {
    for (const error of allErrorsAjv.errors ?? []) {
      const value = findByPointer(standard, error.instancePath);
      const suggestion =
        (format === 'date' ? suggestDateRule(error.instancePath.slice(1), value, plugins) : undefined) ??
        suggestValueForError({ ...error, data: value });
      report(at + error.instancePath)(explain`${getLastSegment(error.instancePath)} ${formatAjvError(error)}.
        ${suggestion ?? localize`See JSON Schema 2020-12 for the keyword.`}`);
    }
    return false;
  }
  const type = typeof standard.type === 'string' ? standard.type : undefined;
  const [least, most] = (format === undefined && bounds.find(([low]) => appliesTo(low, type ?? ''))) || [];
  let isLimitReported = false;
  for (const keyword of Object.keys(rest)) {
    if (type === undefined || appliesTo(keyword, type)) continue;
    const isLimit = least !== undefined && bounds.flat().some((bound) => bound === keyword);
    if (!isLimit || !isLimitReported)
      report(`${at}/${keyword}`)(explain`"${keyword}" has no effect on a field of type ${type}.
        ${isLimit ? localize`Its limits are "${least}" and "${most ?? ''}". "${keyword}" applies to ${formatAlternatives(listTypes(keyword))}.` : localize`It applies to ${formatAlternatives(listTypes(keyword))}.`}`);
    isLimitReported ||= isLimit;
  }
  for (const [low, high] of bounds) {
    const [least, most] = [standard[low], standard[high]];
    const either = low.startsWith('exclusive') || high.startsWith('exclusive');
    if (typeof least === 'number' && typeof most === 'number' && (least > most || (either && least === most))) {
      report(`${at}/${low}`)(explain`No value satisfies both "${low}" and "${high}".
        Write the smaller number as the lower bound.`);
    }
  }
  if (typeof format === 'string') checkFormatName(report, `${at}/format`, { format, type }, plugins);
  if (typeof standard.pattern === 'string') checkPattern(report, `${at}/pattern`, standard.pattern);
  return true;
}

/** Suggests the plugin rule whose parameters are dates, in place of a limit that only applies to numbers. */
function suggestDateRule(keyword: string, value: unknown, { rules }: PluginIndex): LocalizedText | undefined {
  if (!listTypes(keyword).includes('number')) return undefined;
  for (const [name, { rule }] of rules) {
    const limits = [...JSON.stringify(rule.parameters ?? {}).matchAll(/"(\w+)":\{"type":"string","format":"date"/g)];
    const limit = (/max/i.test(keyword) ? limits.at(-1) : limits[0])?.[1];
    const date = /^\d{4}-\d\d-\d\d$/.test(String(value)) ? String(value) : '2027-12-31';
    if (limit !== undefined) return localize`Limit a date with "${name}": { "${limit}": "${date}" }.`;
  }
  return undefined;
}

/** Returns the types to which a keyword applies. Empty if it applies to any type. */
function listTypes(keyword: string): readonly string[] {
  const types = isValidationKeyword(keyword) ? typesByKeyword[keyword] : 'any';
  return types === 'any' ? [] : types;
}

function appliesTo(keyword: string, type: string): boolean {
  const types = listTypes(keyword);
  return types.length === 0 || types.includes(type);
}

function getLastSegment(pointer: string): string {
  return `"${pointer.split('/').at(-1) ?? ''}"`;
}
