import { describe, expect, test } from 'vitest';
import type { Ui } from '../../src/engine/core/definition.ts';
import { isObject, type Json, type JsonObject } from '../../src/engine/core/json.ts';
import { formatFault, fillPlaceholders, listPlaceholders } from '../../src/engine/core/messages.ts';
import {
  resolveIntro,
  listFieldLinks,
  mayDisableCopying,
  resolveTitle,
  readFieldUi,
  evaluateUiOptions,
  findUiText,
} from '../../src/engine/core/ui.ts';

const on = { var: 'flags.on' };
const facts = { flags: { on: true } };

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  [undefined, false],
  ['x', false],
  [7, false],
])('%j is an object: %s', (value, expected) => {
  expect(isObject(value)).toBe(expected);
});

describe('[ENG-01] what is seen of a field', () => {
  const ui: Ui = {
    title: 'T',
    fields: {
      'ui:order': ['a', 'b'],
      a: { 'ui:title': 'Nombre', 'ui:help': 7, 'ui:options': { meter: on }, 'ui:links': [{ text: 'L', to: '/x' }] },
      b: { 'ui:options': ['x'] },
    },
  };

  test('is what its entry says, and nothing where it has none', () => {
    expect(readFieldUi(ui, 'a')).toMatchObject({ 'ui:title': 'Nombre' });
    for (const [of, name] of [
      [ui, 'c'],
      [ui, 'ui:order'],
      [{ title: 'T' }, 'a'],
    ] as const)
      expect(readFieldUi(of, name)).toEqual({});
    expect([
      findUiText(ui, 'a', 'ui:title'),
      findUiText(ui, 'a', 'ui:help'),
      findUiText(ui, 'a', 'ui:placeholder'),
      findUiText(ui, 'c', 'ui:title'),
    ]).toEqual(['Nombre', undefined, undefined, undefined]);
  });

  test('are its options, by the facts, and its links', () => {
    expect([
      evaluateUiOptions(ui, 'a', facts),
      evaluateUiOptions(ui, 'b', facts),
      evaluateUiOptions(ui, 'c', facts),
    ]).toEqual([{ meter: true }, {}, {}]);
    expect([listFieldLinks(readFieldUi(ui, 'a')), listFieldLinks(readFieldUi(ui, 'b'))]).toEqual([
      [{ text: 'L', to: '/x' }],
      [],
    ]);
  });

  test.each([
    [undefined, false],
    [[], false],
    [{}, false],
    [{ copy: true }, false],
    [{ copy: false }, true],
    [{ copy: on }, true],
    [{ copy: null }, true],
    [{ other: false }, false],
  ])('may say that it is not copied, by its options %j: %s', (options, expected) => {
    const field: JsonObject = options === undefined ? {} : { 'ui:options': options as Json };
    expect(mayDisableCopying({ title: 'T', fields: { a: field } }, 'a')).toBe(expected);
    expect(mayDisableCopying({ title: 'T' }, 'a')).toBe(false);
  });
});

describe('[ENG-01] the head of a screen', () => {
  test('is its title: the one, the first that is visible, or the last', () => {
    const title = [
      { text: 'A', visible: on },
      { text: 'B', visible: { var: 'flags.other' } },
      { text: 'C', visible: { var: 'flags.none' } },
    ];
    expect(resolveTitle({ title: 'T' }, {})).toBe('T');
    expect(resolveTitle({ title }, facts)).toBe('A');
    expect(resolveTitle({ title }, { flags: { other: true, none: true } })).toBe('B');
    expect(resolveTitle({ title }, {})).toBe('C');
    expect(resolveTitle({ title: [] }, {})).toBe('');
  });

  test('is followed by the paragraphs that are visible', () => {
    expect(resolveIntro({ title: 'T' }, {})).toEqual([]);
    expect(resolveIntro({ title: 'T', intro: 'Uno' }, {})).toEqual([{ text: 'Uno' }]);
    const intro = [{ text: 'A', visible: on }, { text: 'B' }];
    expect([resolveIntro({ title: 'T', intro }, facts), resolveIntro({ title: 'T', intro }, {})]).toEqual([
      intro,
      [{ text: 'B' }],
    ]);
  });
});

describe('[ENG-02] the sentence for a fault', () => {
  const screen = {
    ui: { title: 'T', messages: { a: { minLength: 'Suyo {limit}', 'odd.big': 'Suyo grande' } } },
    messages: { minLength: 'Mínimo {limit}', odd: 'Impar', 'odd.big': 'Grande', 'odd.small': 'Chico' },
  };

  test.each([
    ['a', { keyword: 'minLength', values: { limit: 8 } }, 'Suyo 8'],
    ['b', { keyword: 'minLength', values: { limit: 8 } }, 'Mínimo 8'],
    ['b', { keyword: 'minLength' }, 'Mínimo '],
    ['a', { keyword: 'odd', reason: 'big' }, 'Suyo grande'],
    ['b', { keyword: 'odd', reason: 'big' }, 'Grande'],
    ['a', { keyword: 'odd', reason: 'small' }, 'Chico'],
    ['a', { keyword: 'odd', reason: 'else' }, 'Impar'],
    ['a', { keyword: 'odd' }, 'Impar'],
    ['a', { keyword: 'unknown' }, 'unknown'],
    ['a', { keyword: 'constructor' }, 'constructor'],
  ])('of %s, %j: %s', (field, fault, sentence) => {
    expect(formatFault({ ...screen, language: 'es' }, field, fault)).toBe(sentence);
  });

  test('of a screen that has none of its own', () => {
    expect(
      formatFault({ ui: { title: 'T' }, messages: screen.messages, language: 'es' }, 'a', { keyword: 'odd' }),
    ).toBe('Impar');
  });

  test('has places that are filled by name; what there is not is empty', () => {
    expect(fillPlaceholders('{a}, {b_2}, {c}, {none}, {toString}, {{a}}, { a }', { a: 1, b_2: 'x', c: null })).toBe(
      '1, x, , , , {1}, { a }',
    );
    expect([listPlaceholders('{a}, {b_2} y {a}'), listPlaceholders('{ a } {} {a-b}')]).toEqual([['a', 'b_2', 'a'], []]);
  });
});
