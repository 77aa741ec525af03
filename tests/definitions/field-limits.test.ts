import { beforeAll, expect, test } from 'vitest';
import { portalConstants } from '../../src/contract/constants.ts';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import { isObject, type ValuesByName } from '../../src/engine/core/json.ts';
import { productDefinitions } from './support/product-definitions.ts';

let definitions: ServedDefinitions;
beforeAll(async () => {
  definitions = await productDefinitions;
});

const createTooLong = (limit: number) => `Asegúrese de que este campo no tenga más de ${limit} caracteres.`;
const errorOf = (screen: string, field: string, value: string, rest: object = {}) =>
  definitions.check(screen, { ...rest, [field]: value }, { language: 'es', context: {} }).errors[field];

test('[VAL-11] maximum length is 100 for names, 100 for documents and 128 for passwords', () => {
  expect([portalConstants.nameMaxLength, portalConstants.documentMaxLength, portalConstants.passwordMaxLength]).toEqual(
    [100, 100, 128],
  );
});

test.each([
  ['registro-nombre', 'primer_nombre'],
  ['registro-nombre', 'segundo_nombre'],
  ['registro-nombre', 'primer_apellido'],
  ['registro-nombre', 'segundo_apellido'],
])('[VAL-11] name field accepts 100 characters and rejects 101: %s %s', (screen, field) => {
  expect(errorOf(screen, field, 'ñ'.repeat(100))).toBeUndefined();
  expect(errorOf(screen, field, 'ñ'.repeat(101))).toBe(createTooLong(100));
});

test.each(['registro', 'contacto'])(
  '[VAL-11] foreign document number accepts 100 characters and rejects 101: %s',
  (screen) => {
    const document = { pais_emisor: 'ar', tipo_documento: 'psp' };
    expect(errorOf(screen, 'numero_documento', 'A'.repeat(100), document)).toBeUndefined();
    expect(errorOf(screen, 'numero_documento', 'A'.repeat(101), document)).toBe(createTooLong(100));
  },
);

test('[LOG-04 MFA-04 VAL-04 VAL-07] fields that accept only digits show a numeric keyboard on phones', () => {
  const digitWidgets = new Set(['document-number', 'phone']); // these widgets set the keyboard themselves: `document-number` depending on other fields, `phone` as a dial pad
  const fields = [...definitions.screens].flatMap((screen) => {
    const ui = definitions.ui(screen, 'es').fields ?? {};
    const schema = definitions.schema(screen);
    const numbers = new Set(
      Object.values(schema ?? {}).flatMap((rule) =>
        isObject(rule) && typeof rule.number === 'string' ? [rule.number] : [],
      ),
    );
    return Object.entries((schema?.properties ?? {}) as Record<string, Record<string, unknown>>)
      .filter(
        ([name, { pattern, uruguayanId, phone }]) =>
          pattern === '^[0-9]*$' || uruguayanId === true || phone === true || numbers.has(name),
      )
      .map(([name]) => ({ field: `${screen}.${name}`, ui: ui[name] as Record<string, unknown> | undefined }));
  });
  expect(fields.length).toBeGreaterThan(10);
  const digits = ({ ui }: (typeof fields)[number]) =>
    digitWidgets.has(String(ui?.['ui:widget'])) ||
    (isObject(ui?.['ui:options']) && ui['ui:options'].inputMode === 'numeric');
  expect(fields.filter((field) => !digits(field)).map(({ field }) => field)).toEqual([]);
});

test('[VAL-11] every password field has a maximum of 128 characters, and the registration rejects 129', () => {
  const secrets = [...definitions.screens].flatMap((screen) =>
    Object.entries(
      (definitions.schema(screen)?.properties ?? {}) as Record<string, { maxLength?: number; writeOnly?: boolean }>,
    )
      .filter(([name]) => /pass(word)?$|contrasena/.test(name))
      .map(([name, { maxLength }]) => [screen, name, maxLength] as const),
  );
  expect(secrets.length).toBeGreaterThan(5);
  expect(secrets.filter(([, , most]) => most !== 128)).toEqual([]);
  const password = 'Mate con bizcochos '.padEnd(128, 'ñandubay ');
  expect(errorOf('registro-contrasena', 'password', password)).toBeUndefined();
  expect(errorOf('registro-contrasena', 'password', `${password}!`)).toBe(createTooLong(128));
});

test('[VAL-11 ANA-02] screen rules never throw for values of the wrong type', () => {
  const hostile: readonly unknown[] = [
    { toString: 1 },
    { valueOf: 1, toString: 2 },
    [{ toString: 1 }],
    { length: 5 },
    [[[]]],
    Number.NaN,
  ];
  const facts = { language: 'es', context: { flags: {} } } as const;
  const thrown: string[] = [];
  for (const screen of definitions.screens) {
    const { properties } = definitions.schema(screen) ?? {};
    const names = Object.keys(properties ?? {});
    for (const value of hostile)
      for (const fields of [...names.map((name) => [name]), names]) {
        try {
          const body = Object.fromEntries(fields.map((name) => [name, value]));
          definitions.check(screen, body as ValuesByName, facts);
        } catch (error) {
          thrown.push(`${screen} ${fields.join(',')} ${JSON.stringify(value)}: ${String(error)}`);
        }
      }
  }
  expect(definitions.screens.size).toBeGreaterThan(50);
  expect(thrown).toEqual([]);
});
