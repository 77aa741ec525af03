import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { responseSchemas } from '../../contract/payload-schemas.ts';
import { isObject, type Json, type JsonObject } from '../../engine/core/json.ts';
import { createSampleResponse } from './studio-reference-data.ts';

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);

test.each(Object.entries(responseSchemas))(
  '[EST-07] createSample of the response %s is valid for its schema',
  (name, schema) => {
    const isAllowed = ajv.compile(schema);
    const sample = createSampleResponse(schema as unknown as JsonObject, name); // cast, because the contract's schema type is not assignable to JSON
    expect([isAllowed(sample), isAllowed.errors, sample]).toEqual([true, null, sample]);
  },
);

test('[EST-18] createSample has realistic texts of the sample citizen', () => {
  const bare = Object.entries(responseSchemas).flatMap(([name, schema]) =>
    texts(createSampleResponse(schema as unknown as JsonObject, name)).flatMap(([key, text]) =>
      key === text ? `${name}: ${key}` : [],
    ),
  );
  expect(bare).toEqual([]);
  const citizen = createSampleResponse(responseSchemas.citizen as unknown as JsonObject, 'citizen');
  expect(citizen).toMatchObject({
    nombre_completo: 'Ana Lucía Pereira Sosa',
    numero_documento: '45123784',
    documento: { tipo_documento: { codigo: 'ci', nombre: 'Cédula de identidad' } },
    user: { email: 'ana.pereira@example.com' },
  });
});

function texts(value: Json, key = ''): readonly (readonly [key: string, text: string])[] {
  if (typeof value === 'string') return [[key, value]];
  if (Array.isArray(value)) return value.flatMap((part: Json) => texts(part, key));
  return isObject(value) ? Object.entries(value).flatMap(([own, part]) => texts(part as Json, own)) : [];
}
