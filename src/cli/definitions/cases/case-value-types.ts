import { suggestValueOfType } from '../../../engine/compiler/formats/suggest-correction.ts';
import type { LocalizedText } from '../../../engine/compiler/sources/localized-text.ts';
import type { SourceFile } from '../../../engine/compiler/sources/source-file.ts';
import type { ProblemCollector } from '../../../engine/compiler/sources/problem-collector.ts';
import { readSchemaProperties } from '../../../engine/compiler/screen/schema-fields.ts';
import { escapePointer, findByPointer } from '../../../engine/core/json-pointer.ts';
import { asObject, isObject, type JsonObject, type ValuesByName } from '../../../engine/core/json.ts';
import { isEmptyValue } from '../../../engine/core/validate-screen-form.ts';
import { explain, localize } from '../localized-output.ts';
import { parseScreenCases, type ScreenCase } from './screen-cases.ts';

interface WrongType {
  /** Name as in `errors` of a case: "testigos.0.nombre". */
  readonly field: string;
  readonly pointer: string;
  readonly types: readonly string[];
  readonly value: unknown;
}

/** Reports values of another type than their field, unless the case expects the error that `describeTypeError` returns for the field. */
export function checkValueTypes(
  file: SourceFile,
  schema: JsonObject,
  describeTypeError: (field: string) => string,
  problems: ProblemCollector,
): void {
  const places = parseScreenCases(file.text).cases.flatMap(({ name, errors }) =>
    ['data', 'with'].map((key) => ({ pointer: `/cases/${escapePointer(name)}/${key}`, errors })),
  );
  for (const { pointer, errors } of [{ pointer: '/data', errors: {} as ScreenCase['errors'] }, ...places])
    for (const wrong of listWrongTypes(asObject(findByPointer(file.value, pointer)), schema, pointer, '')) {
      const isExpected = errors[wrong.field] !== undefined && errors[wrong.field] === describeTypeError(wrong.field);
      if (!isExpected) problems.report(file)(wrong.pointer)(explainWrongType(wrong));
    }
}

function listWrongTypes(values: ValuesByName, schema: JsonObject, at: string, within: string): readonly WrongType[] {
  return Object.entries(readSchemaProperties(schema)).flatMap(([name, field]) =>
    Object.hasOwn(values, name)
      ? listWrongTypesOfField(values[name], field, `${at}/${escapePointer(name)}`, within + name)
      : [],
  );
}

function listWrongTypesOfField(
  value: unknown,
  schema: JsonObject,
  pointer: string,
  field: string,
): readonly WrongType[] {
  const types = [schema['type'] ?? []].flat().map(String);
  if (isEmptyValue(value) || types.length === 0) return [];
  const actual = Array.isArray(value) ? 'array' : typeof value;
  if (!types.includes(actual) && !(typeof value === 'number' && types.includes('integer') && Number.isInteger(value)))
    return [{ field, pointer, types, value }];
  if (isObject(value)) return listWrongTypes(value, schema, pointer, `${field}.`);
  const items = asObject(schema['items']);
  return Array.isArray(value)
    ? value.flatMap((item, index) => listWrongTypesOfField(item, items, `${pointer}/${index}`, `${field}.${index}`))
    : [];
}

const typeNames: Readonly<Record<string, LocalizedText>> = {
  string: localize`a text`,
  integer: localize`a whole number`,
  number: localize`a number`,
  boolean: localize`true or false`,
  array: localize`a list`,
  object: localize`an object`,
};

function explainWrongType({ field, types: [type = ''], value }: WrongType) {
  const actual = Array.isArray(value) ? 'array' : typeof value;
  return explain`"${field}" is ${typeNames[type] ?? type}, but ${JSON.stringify(value)} is ${typeNames[actual] ?? actual}.
    ${suggestValueOfType(value, [type]) ?? localize``}`;
}
