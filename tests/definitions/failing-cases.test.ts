import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getScreenCasesPath, parseScreenCases } from '../../src/cli/definitions/cases/screen-cases.ts';
import { findFailingCases, formatFailingCases } from '../../src/cli/definitions/cases/failing-cases.ts';
import { listDifferingSnapshotLines } from '../../src/cli/definitions/cases/screen-snapshots.ts';
import { printBrokenScenarios } from '../../src/cli/definitions/check-scenarios.ts';
import { root } from './support/fixtures.ts';
import { productDefinitions } from './support/product-definitions.ts';

test('[QA-03] findFailingCases reports a failing case with its file, its field, and both messages', async () => {
  const definitions = await productDefinitions;
  const file = getScreenCasesPath('contacto');
  const { cases } = parseScreenCases(await readFile(join(root, file), 'utf8'));
  expect(findFailingCases(definitions, 'contacto', { cases })).toEqual([]);
  const refused = cases.find(({ errors }) => Object.keys(errors).length > 0);
  if (!refused) throw new Error('no case has errors');
  const [field = '', message = ''] = Object.entries(refused.errors)[0] ?? [];
  const other = { ...refused, errors: { ...refused.errors, [field]: 'Otro.' } };
  const failing = findFailingCases(definitions, 'contacto', { cases: [other] });
  const differences = [{ field, expected: 'Otro.', actual: message }];
  expect(failing).toEqual([{ file, name: refused.name, differences, errors: refused.errors }]);
  expect(formatFailingCases(failing, 'es')).toEqual([
    `${file}: caso "${refused.name}": las reglas dicen "${message}" de "${field}" y el caso espera "Otro.".`,
  ]);
});

test.each([
  ['no message', '', 'A.', 'las reglas no dicen nada de "mail" y el caso espera "A.".'],
  ['an unexpected message', 'A.', '', 'las reglas dicen "A." de "mail" y el caso no espera nada.'],
])('[QA-03] formatFailingCases reports %s in a correct sentence', (_, actual, expected, sentence) => {
  const failing = { file: 'a.json', name: 'uno', differences: [{ field: 'mail', expected, actual }], errors: {} };
  expect(formatFailingCases([failing], 'es')).toEqual([`a.json: caso "uno": ${sentence}`]);
});

test('[QA-03] printBrokenScenarios reports walks through a screen that rejects its case "valid" in one line', () => {
  const failing = [{ file: '', name: 'valid', differences: [{ field: 'a', expected: '', actual: 'A.' }], errors: {} }];
  const result = { screen: 'uno', file: 'uno.txt', failing, changedSnapshot: null, unread: undefined };
  const broken = ['x', 'y'].map((name) => ({ name, mismatch: 'M.' }));
  const print = (screens: readonly string[]) => {
    const lines: string[] = [];
    const own = { flow: 'f', file: 'f.json', screens, broken };
    printBrokenScenarios(
      own,
      [result],
      (message, at = '') => void lines.push(`${at}${typeof message === 'string' ? message : (message.es ?? '')}`),
    );
    return lines;
  };
  expect(print(['uno'])).toEqual([
    'f.json: se detienen 2 recorridos. Escribí lo mismo en el "fill" de la pantalla uno.',
  ]);
  expect(print(['dos'])).toEqual([
    'f.json: recorridos "x", "y": M.',
    expect.stringContaining('Esperar lo que pasa ahora'),
  ]);
});

test.each([
  [24, 0],
  [25, 0],
  [26, 2],
])('[ANA-02] listDifferingSnapshotLines with %i differing lines omits %i, and never a single one', (count, more) => {
  const { lines, more: omitted } = listDifferingSnapshotLines('', 'x\n'.repeat(count));
  expect([lines.length, omitted]).toEqual([count - more, more]);
});
