import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { baseLanguage } from '../../../contract/portal-config.ts';
import type { ServedDefinitions } from '../../../engine/compiler/definitions.ts';
import { getFieldValue, setFieldValue, splitFieldName } from '../../../engine/core/field-path.ts';
import { asObject, type Json, type JsonObject, type ValuesByName } from '../../../engine/core/json.ts';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { listUntestedFields } from './case-file-problems.ts';
import { getScreenCasesPath, readScreenCases } from './screen-cases.ts';
import { applyJsonEdits } from '../apply-json-edits.ts';

/** Values of each format that a rule may require, as people would type them. */
const valuesByFormat: Readonly<Record<string, string>> = {
  email: 'ana@ejemplo.com.uy',
  date: '2001-02-03',
  'date-time': '2001-02-03T10:30:00Z',
  time: '10:30:00',
  uri: 'https://www.gub.uy',
};

interface AddedValue {
  readonly field: string;
  readonly value: Json;
  /** Location of the field in the screen's schema. */
  readonly pointer: string;
}

/** Adds an accepted value to the shared values of a screen's cases for each field that no case tests. Skips fields of list items. */
export async function addAcceptedValues(
  root: string,
  definitions: Pick<ServedDefinitions, 'check' | 'schema'>,
  screen: string,
): Promise<readonly AddedValue[]> {
  const path = join(root, getScreenCasesPath(screen));
  const { data, context, cases } = await readScreenCases(root, screen);
  const values = structuredClone(data) as Record<string, unknown>; // a copy, which may be changed
  const accepts = (field: string, value: Json): boolean => {
    const changed = structuredClone(values);
    setFieldValue(changed, field, value);
    const { errors } = definitions.check(screen, changed as ValuesByName, { language: baseLanguage, context });
    return !Object.keys(errors).some((name) => name === field || name.startsWith(`${field}.`));
  };
  const added = listUntestedFields(definitions.schema(screen) ?? {}, cases).flatMap(({ field, schema, pointer }) => {
    if (field.includes('.items')) return [];
    const value = listCandidates(schema).find((one) => accepts(field, one));
    if (value === undefined) return [];
    setFieldValue(values, field, value);
    return [{ field, value, pointer }];
  });
  const tops = new Set(added.map(({ field }) => splitFieldName(field)[0] ?? ''));
  const edits = [...tops].map((name) => {
    return { pointer: `/data/${escapePointer(name)}`, value: getFieldValue(values, name) as Json }; // the cast is safe, because the values come from JSON
  });
  if (edits.length > 0) await writeFile(path, applyJsonEdits(await readFile(path, 'utf8'), edits));
  return added;
}

/** Returns values that the rules of a field may accept, the likeliest first. */
function listCandidates(schema: JsonObject): readonly Json[] {
  const { const: only, enum: choices, default: usual, examples, type, format, items } = schema;
  const listed = [only, usual, ...listOf(examples), ...listOf(choices)].filter((value) => value !== undefined);
  if (listed.length > 0) return listed;
  if (type === 'boolean') return [true, false];
  if (type === 'array') return listCandidates(asObject(items)).map((item) => [item]);
  if (type === 'integer' || type === 'number')
    return [schema['minimum'], schema['maximum'], 1].filter((value) => typeof value === 'number');
  const known = valuesByFormat[String(format)];
  const shortest = Math.max(Number(schema['minLength'] ?? 1), 1);
  const usualLength = Math.max(shortest, Math.min(Number(schema['maxLength'] ?? 15), 15));
  const lengths = [...new Set([usualLength, shortest])];
  const repeated = lengths.flatMap((length) =>
    ['Texto de prueba', 'A', '1', 'A1', 'a1'].map((part) => fill(part, length)),
  );
  return [...(known === undefined ? [] : [known]), ...repeated, '099123456', 'ana@ejemplo.com.uy', '45123784'];
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function fill(part: string, length: number): string {
  return part
    .repeat(Math.ceil(length / part.length))
    .slice(0, length)
    .trimEnd()
    .padEnd(length, 'a');
}
