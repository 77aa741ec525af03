import { expect, test } from 'vitest';
import type { LintOptions } from '../../src/engine/compiler/lint/lint-options.ts';
import { createTermComparison } from '../../src/engine/compiler/lint/wording/term-differences.ts';
import { contract, findFindings, samplePaths } from './support/find-findings.ts';
import { sampleProject } from './support/project.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
const { schema, ui, pt } = samplePaths;
const { es, ...others } = contract.wording ?? {};
const options: LintOptions = {
  ...contract,
  wording: {
    es: { ...es!, example: ['por ejemplo'], secrets: ['contraseña', 'pin'], identifiers: ['teléfono', 'código'] },
    ...others,
  },
};

/** Returns the findings of a rule about a field with a label, a schema and a message for its pattern. */
async function find(rule: string, label: string, rules: object, own: object = {}, message?: string) {
  const all = structuredClone(sampleProject) as Record<string, any>;
  all[schema].properties.extra = rules;
  Object.assign(all[ui].fields.extra, { 'ui:title': label, ...own });
  if (message !== undefined) {
    all[ui].messages = { extra: { pattern: message } };
    all[pt].messages = { extra: { pattern: 'Escreva só o código.' } };
  }
  const found = (await findFindings(all, options)).filter((one) => one.rule === rule);
  return found.map(({ file, pointer, message }) => `${file} ${pointer} ${message}`);
}

const text = { type: 'string', maxLength: 60 };

test.each([
  ['Contraseña actual', text, {}],
  ['PIN de la cédula', { type: 'string', pattern: '^\\d{4}$' }, {}],
  ['Repetir contraseña', text, { 'ui:widget': 'text' }],
])('[EST-01] rule/secret reports a stored field with the label of a secret: %s', async (label, rules, own) => {
  expect(await find('rule/secret', label, rules, own)).toEqual([
    `${schema} /properties/extra "${label}" pide un secreto, y el portal lo mostraría y lo guardaría.`,
  ]);
});

test.each([
  ['Contraseña actual', { ...text, writeOnly: true }, {}],
  ['Olvidé mi contraseña', { type: 'boolean' }, {}],
  ['Por qué cambiás la contraseña', text, {}],
  ['Contraseña que olvidaste', { type: 'string', enum: ['a'] }, { 'ui:enumNames': ['La del correo'] }],
  ['Pintura', text, {}],
])(
  '[EST-01] rule/secret accepts a field that asks for no secret or does not store it: %s',
  async (label, rules, own) => {
    expect(await find('rule/secret', label, rules, own)).toEqual([]);
  },
);

test('[EST-01] rule/number reports a number whose label asks for a code of digits, and accepts a count', async () => {
  for (const label of ['Teléfono fijo', 'Código postal'])
    expect(await find('rule/number', label, { type: 'integer' })).toEqual([
      `${schema} /properties/extra/type "${label}" no se cuenta: como número pierde los ceros del principio.`,
    ]);
  for (const label of ['Cantidad de teléfonos', 'Teléfonos', 'Edad'])
    expect(await find('rule/number', label, { type: 'integer' })).toEqual([]);
  expect(await find('rule/number', 'Teléfono fijo', text)).toEqual([]);
});

test.each([
  ['^\\d{5}$', 'Escribí las 4 cifras.', '4, pero el pattern pide 5'],
  ['^[A-Z]{3}\\d{4}$', 'Escribí 3 letras y 5 números.', '5, pero el pattern pide 3, 4'],
  ['^\\d{7}-?\\d$', 'Escribí los 10 números.', '10, pero el pattern pide 7'],
])('[EST-01] text/number reports a message with a number that the pattern %s does not have: %s', async (...args) => {
  const [pattern, message, says] = args;
  const found = await find('text/number', 'Más', { type: 'string', pattern }, {}, message);
  expect(found).toEqual([`${ui} /messages/extra/pattern Este mensaje dice ${says}.`]);
});

test.each([
  ['^\\d{5}$', 'Escribí las 5 cifras, por ejemplo 2 o 3 ceros.'],
  ['^[A-Z]{3}\\d{4}$', 'Escribí 3 letras y 4 números: 7 caracteres.'],
  ['^\\d{7}-?\\d$', 'Escribí los 8 números, con guion antes del último.'],
  ['^\\d{2}[A-Z]\\d{3}$', 'Escribí 5 números y una letra.'],
  ['^(\\d{3} ?){2}$', 'Escribí 6 números.'],
  ['^09\\d{7}$', 'Empieza con 09 y tiene 9 números.'],
  ['^[A-Z]{2,4}$', 'Escribí de 2 a 4 letras.'],
  ['^\\d+$', 'Escribí 4 números.'],
  ['^(\\d{4}|\\d{6})$', 'Escribí 5 números.'],
])(
  '[EST-01] text/number accepts a message with numbers of the pattern %s, or whose pattern has no fixed ones: %s',
  async (...args) => {
    const [pattern, message] = args;
    expect(await find('text/number', 'Más', { type: 'string', pattern }, {}, message)).toEqual([]);
  },
);

test('[EST-01] the comparison of terms accepts a term of several words that is translated word by word', () => {
  const compare = createTermComparison({ 'código postal': 'CEP', 'código*': 'código*', 'correo*': 'e-mail*' });
  for (const translated of ['CEP', 'Código de endereçamento postal', 'Código postal'])
    expect(compare('Código postal', translated)).toEqual([]);
  expect(compare('Código postal', 'E-mail')).toEqual([['Código postal', 'E-mail']]);
  expect(compare('Código', 'CEP')).toEqual([['Código', 'CEP']]);
});
