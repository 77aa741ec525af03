import { describe, expect, test } from 'vitest';
import { typesByKeyword } from '../../src/engine/compiler/screen/fields.ts';
import type { Json, Values } from '../../src/engine/core/json.ts';
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

describe('[ENG-12] each keyword of JSON Schema 2020-12 is claimed or refused', () => {
  test('no keyword is both, and what is refused is told with its place', async () => {
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

describe('[ENG-12] an object of fields means what JSON Schema says', () => {
  test.each<readonly [note: string, values: Values, errors: Readonly<Record<string, string>>]>([
    ['what is required is there', { email: 'a@b', terms: true }, {}],
    ['a required field is missing', { terms: true }, { email: 'Falta' }],
    ['two are', {}, { email: 'Falta', terms: 'Falta' }],
    ['what "properties" do not name is refused', { email: 'a@b', terms: true, more: 'x' }, { more: 'Sobra' }],
    ['the definition behind a "$ref" holds', { email: 'ab', terms: true }, { email: 'Forma' }],
    ['each keyword of it', { email: 'a@'.padEnd(21, 'b'), terms: true }, { email: 'Máximo 20' }],
  ])('%s', async (_, values, errors) => {
    const { definitions } = await loadProject(sampleProject);
    expect(definitions?.check('form', values, { language: 'es', context: {} }).errors).toEqual(errors);
  });
});
