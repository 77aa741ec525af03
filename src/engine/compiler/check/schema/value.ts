import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { runtime } from '../../../core/runtime.ts';
import { isList, isValueKeyword, notes, standardPart, valueKinds } from '../../screen/fields-of-schema.ts';
import type { Plugins } from '../../files/plugin-table.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { standardFormats } from '../../sources/standard-formats.ts';
import type { Report } from '../../sources/report.ts';
import { either, say } from '../../sources/say.ts';
import { wordsOf } from '../../sources/ajv-words.ts';

/** Pairs of a lower and an upper bound. */
const bounds = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minimum', 'maximum'],
  ['exclusiveMinimum', 'maximum'],
  ['minimum', 'exclusiveMaximum'],
  ['exclusiveMinimum', 'exclusiveMaximum'],
] as const;

/** Standard formats that no citizen writes into a field by hand. */
const undrawnFormats = new Set([
  'iso-date-time',
  'iso-time',
  'duration',
  'byte',
  'binary',
  'int32',
  'int64',
  'float',
  'double',
]);

const plain = new Ajv2020({ strict: false, allErrors: true });

/** Checks what a field says of its own value: that it can be drawn, validated, and satisfied. */
export function checkValue(report: Report, at: string, field: JsonObject, plugins: Plugins): void {
  checkType(report, at, field);
  checkStandardKeywords(report, at, standardPart(field), plugins);
}

function checkType(report: Report, at: string, field: JsonObject): void {
  const { type } = field;
  if (type === undefined && Array.isArray(field.enum)) return checkObjects(report, `${at}/enum`, field.enum);
  if (type === 'object')
    return report(
      `${at}/type`,
      say`An object without "properties" cannot be drawn.`,
      say`Name its fields in "properties", each with a type.`,
    );
  if (!['string', 'number', 'integer', 'boolean', 'array'].includes(String(type))) {
    return report(
      at,
      say`The field has no "type" that can be drawn.`,
      say`Use string, number, integer, boolean or array.`,
    );
  }
  if (type === 'array') return isList(field) ? checkWhole(report, at, field) : checkItems(report, at, field);
  checkChoices(report, `${at}/enum`, field.enum, String(type));
  for (const keyword of ['const', 'default']) {
    const value = field[keyword];
    if (value !== undefined && !fits(value, String(type)))
      report(
        `${at}/${keyword}`,
        say`"${keyword}" is no ${String(type)}.`,
        say`Write a value of the type of the field.`,
      );
  }
}

// A choice that is an object is sent as it stands; the texts of "ui:enumNames" say what it is.
function checkObjects(report: Report, at: string, choices: readonly Json[]): void {
  const plain = (value: Json) => ['string', 'number', 'boolean'].includes(typeof value);
  choices.forEach((choice, index) => {
    const parts = isObject(choice) ? Object.values(choice) : [];
    if (parts.length === 0 || !parts.every(plain))
      report(
        `${at}/${index}`,
        say`The choice ${JSON.stringify(choice)} is no object of texts and numbers.`,
        say`Write choices of one "type", or objects that hold texts, numbers, true and false.`,
      );
    else if (choices.findIndex((other) => runtime.equal(other, choice)) < index)
      report(`${at}/${index}`, say`The choice ${JSON.stringify(choice)} stands twice.`, say`Remove one of them.`);
  });
}

// An array without items to fill in is several choices of one list.
function checkItems(report: Report, at: string, field: JsonObject): void {
  const items = isObject(field.items) ? (field.items as JsonObject) : {};
  if (!Array.isArray(items.enum))
    report(
      at,
      say`An array is drawn as a choice of several or as a list.`,
      say`Give "items" a "type", and an "enum" for a choice.`,
    );
  for (const keyword of Object.keys(items)) {
    if (!['type', 'enum', ...notes].includes(keyword))
      report(
        `${at}/items/${escapePointer(keyword)}`,
        say`"${keyword}" cannot stand in "items".`,
        say`The items are the choices of "enum", which needs no other rule.`,
      );
  }
  if (items.type !== undefined && items.type !== 'string')
    report(`${at}/items/type`, say`Choices of several are texts.`, say`Write "type": "string".`);
  checkChoices(report, `${at}/items/enum`, items.enum, 'string');
  checkWhole(report, at, field);
}

function checkWhole(report: Report, at: string, field: JsonObject): void {
  for (const keyword of ['enum', 'const']) {
    if (field[keyword] !== undefined)
      report(
        `${at}/${keyword}`,
        say`"${keyword}" of a whole array cannot be drawn.`,
        say`Put the choices into "items".`,
      );
  }
}

// A choice is known by its text in the page: it must have one, of its own.
function checkChoices(report: Report, at: string, choices: Json | undefined, type: string): void {
  if (!Array.isArray(choices)) return;
  choices.forEach((choice: Json, index) => {
    const pointer = `${at}/${index}`;
    if (!fits(choice, type))
      report(
        pointer,
        say`The choice ${JSON.stringify(choice)} is no ${type}.`,
        say`Write choices of the type of the field.`,
      );
    else if (choice === '')
      report(
        pointer,
        say`An empty text cannot be chosen.`,
        say`Leave it out: a field that is not required may stay empty.`,
      );
    else if (choices.indexOf(choice) < index)
      report(pointer, say`The choice ${JSON.stringify(choice)} stands twice.`, say`Remove one of them.`);
  });
}

function fits(value: Json, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type; // string, number, boolean
}

function checkStandardKeywords(report: Report, at: string, standard: Record<string, Json>, plugins: Plugins): void {
  const { format, ...rest } = standard;
  if (!plain.validateSchema(rest)) {
    for (const error of plain.errors ?? [])
      report(
        at + error.instancePath,
        say`${lastStep(error.instancePath)} ${wordsOf(error)}.`,
        say`See JSON Schema 2020-12 for the keyword.`,
      );
    return;
  }
  for (const keyword of Object.keys(rest)) {
    const kinds: 'any' | readonly string[] = isValueKeyword(keyword) ? valueKinds[keyword] : 'any';
    if (kinds !== 'any' && typeof standard.type === 'string' && !kinds.includes(standard.type))
      report(
        `${at}/${keyword}`,
        say`"${keyword}" says nothing of a field of type ${standard.type}.`,
        say`It stands with ${either(kinds)}.`,
      );
  }
  for (const [low, high] of bounds) {
    const [least, most] = [standard[low], standard[high]];
    const either = low.startsWith('exclusive') || high.startsWith('exclusive');
    if (typeof least === 'number' && typeof most === 'number' && (least > most || (either && least === most))) {
      report(
        `${at}/${low}`,
        say`No value is both within "${low}" and "${high}".`,
        say`Write the smaller number as the lower bound.`,
      );
    }
  }
  if (typeof format === 'string') checkFormatName(report, `${at}/format`, format, String(standard.type), plugins);
  try {
    if (typeof standard.pattern === 'string') new RegExp(standard.pattern, 'u');
  } catch (error) {
    report(
      `${at}/pattern`,
      say`The pattern is no regular expression: ${String(error)}.`,
      say`Mend the expression; backslashes are doubled in JSON.`,
    );
  }
}

function checkFormatName(report: Report, at: string, format: string, type: string, plugins: Plugins): void {
  if (plugins.formats.has(format)) return;
  if (!standardFormats.includes(format))
    report(
      at,
      say`Unknown format "${format}".`,
      say`Use a standard format or one that a plugin brings; a file has a widget and a rule of a plugin.`,
    );
  else if (type !== 'string' || undrawnFormats.has(format))
    report(
      at,
      say`The format "${format}" cannot be drawn.`,
      say`Use "date" for a day, "date-time" for a day with its hour, "time" for an hour, or a text with a "pattern".`,
    );
}

function lastStep(pointer: string): string {
  return `"${pointer.split('/').at(-1) ?? ''}"`;
}
