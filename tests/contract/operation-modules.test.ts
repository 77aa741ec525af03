import { expect, test } from 'vitest';
import { responseSchemas, requestBodySchemas } from '../../src/contract/payload-schemas.ts';
import { apiContract } from '../../src/contract/contract.ts';
import { operationErrorCodes } from '../../src/contract/error-codes.ts';
import { mergeDistinctKeys } from '../../src/contract/operations/merge-module-exports.ts';
import { operationModules } from '../../src/contract/operations/operation-modules.ts';
import { listFiles } from '../architecture/source-texts.ts';

test('list of modules contains every module file', () => {
  const parts = ['merge-module-exports', 'desk-payload-schemas', 'operation-modules', 'video-call-schemas'];
  const named = listFiles('src/contract/operations', /[.]ts$/)
    .map((file) => file.slice(file.lastIndexOf('/') + 1, -'.ts'.length))
    .filter((name) => !parts.includes(name))
    .map((name) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()));
  expect(named.sort()).toEqual(Object.keys(operationModules));
});

test.each([
  ['operations', apiContract, 0],
  ['responseSchemas', responseSchemas, 1],
  ['requestBodySchemas', requestBodySchemas, 1],
  ['errorCodes', operationErrorCodes, 0],
] as const)('collected %s are exactly those of the modules and the shared ones', (part, collected, shared) => {
  const own = Object.values<Readonly<Partial<Record<string, object>>>>(operationModules).flatMap((module) =>
    Object.keys(module[part] ?? {}),
  );
  expect(own.length).toBeGreaterThan(5);
  expect(Object.keys(collected)).toHaveLength(own.length + shared);
  expect(Object.keys(collected)).toEqual(expect.arrayContaining(own));
});

test('mergeDistinctKeys reports both modules that define the same name', () => {
  const twice = () =>
    mergeDistinctKeys('responses', [
      ['first', { token: 1 }],
      ['second', { other: 2, token: 3 }],
    ]);
  expect(twice).toThrow(`responses: 'token' is of the modules first and second.`);
});

test('response schemas have no field named body, which would be confused with a reply', () => {
  const taken = Object.entries<object>(responseSchemas).filter(
    ([, schema]) => 'properties' in schema && 'body' in Object(schema.properties),
  );
  expect(Object.keys(responseSchemas).length).toBeGreaterThan(20);
  expect(taken).toEqual([]);
});
