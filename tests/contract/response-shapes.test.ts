import { describe, expect, test } from 'vitest';
import { responseSchemas } from '../../src/contract/payload-schemas.ts';
import { isObject } from '../../src/engine/core/json.ts';
import { requiredFields } from './required-fields.ts';

/** Returns the paths of the required fields in a response schema. */
function fieldsOf(schema: unknown, path: string): readonly string[] {
  if (!isObject(schema)) return [];
  const below = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = below
    .filter(([name]) => required.includes(name))
    .flatMap(([name, field]) => {
      const own = path === '' ? name : `${path}.${name}`;
      return [own, ...fieldsOf(field, own)];
    });
  const choices = ['anyOf', 'oneOf'].flatMap((keyword) => (Array.isArray(schema[keyword]) ? schema[keyword] : []));
  return [...fields, ...choices.flatMap((choice) => fieldsOf(choice, path)), ...fieldsOf(schema['items'], `${path}[]`)];
}

describe('response schemas', () => {
  test.each(Object.entries(requiredFields))('[ENT-03] %s has the required fields %s', (name, fields) => {
    expect(fieldsOf(responseSchemas[name as keyof typeof requiredFields], '')).toEqual(
      expect.arrayContaining([...fields]),
    );
  });
});
