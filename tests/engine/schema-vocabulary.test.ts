import { describe, expect, test } from 'vitest';
import { typesByKeyword } from '../../src/engine/compiler/screen/schema-fields.ts';
import type { Json, ValuesByName } from '../../src/engine/core/json.ts';
import { changeSample, sampleProject, loadProject } from './support/project.ts';

/** Annotations of JSON Schema 2020-12, and keywords that the compiler merges into a field. */
const notes = ['$comment', 'allOf', 'default', 'deprecated', 'description', 'title', 'writeOnly'];

/** All other keywords, each with a value. The compiler rejects them. */
const refused: Readonly<Record<string, Json>> = {
  $anchor: 'a',
  $dynamicAnchor: 'a',
  $dynamicRef: '#a',
  $id: 'https://x.uy/a',
  $vocabulary: {},
  anyOf: [{ minLength: 1 }],
  contains: { const: 'a' },
  contentEncoding: 'base64',
  contentMediaType: 'text/plain',
  contentSchema: {},
  dependentRequired: { a: ['b'] },
  dependentSchemas: { a: {} },
  else: { minLength: 1 },
  examples: ['a'],
  if: { minLength: 1 },
  maxContains: 1,
  maxProperties: 1,
  minContains: 1,
  minProperties: 1,
  not: { const: 'a' },
  oneOf: [{ minLength: 1 }],
  patternProperties: { a: {} },
  prefixItems: [{ const: 'a' }],
  propertyNames: { minLength: 1 },
  then: { minLength: 1 },
  unevaluatedItems: false,
  unevaluatedProperties: false,
};

const field = (keyword: string) => `f_${keyword.replace('$', '')}`;

describe('[ENG-12] keywords of JSON Schema 2020-12', () => {
  test('are either supported, or rejected at their pointer', async () => {
    const { problems } = await loadProject(
      changeSample('schemas/form/schema.json', (schema) => {
        for (const [keyword, value] of Object.entries(refused))
          Object.assign(schema['properties']!, {
            [field(keyword)]: { type: 'string', maxLength: 9, [keyword]: value },
          });
      }),
    );
    const told = problems.map(({ pointer }) => pointer);
    const silent = Object.keys(refused).filter((name) => !told.includes(`/properties/${field(name)}/${name}`));
    expect(silent).toEqual([]);
    expect([...Object.keys(typesByKeyword), ...notes].filter((name) => name in refused)).toEqual([]);
  });
});

describe('[ENG-12] object of fields', () => {
  test.each<readonly [note: string, values: ValuesByName, errors: Readonly<Record<string, string>>]>([
    ['all required fields', { email: 'a@b', terms: true }, {}],
    ['a missing required field', { terms: true }, { email: 'Falta' }],
    ['two missing required fields', {}, { email: 'Falta', terms: 'Falta' }],
    ['an unknown field', { email: 'a@b', terms: true, more: 'x' }, { more: 'Sobra' }],
    ['a value that the definition of a "$ref" rejects', { email: 'ab', terms: true }, { email: 'Forma' }],
    [
      'a value that another keyword of this definition rejects',
      { email: 'a@'.padEnd(21, 'b'), terms: true },
      { email: 'Máximo 20' },
    ],
  ])('is validated with %s', async (_, values, errors) => {
    const { definitions } = await loadProject(sampleProject);
    expect(definitions?.check('form', values, { language: 'es', context: {} }).errors).toEqual(errors);
  });
});
