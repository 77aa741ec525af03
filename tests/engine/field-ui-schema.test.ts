import { describe, expect, test } from 'vitest';
import type { ScreenUi } from '../../src/engine/core/flow-and-screen-types.ts';
import { isObject, type Json, type JsonObject } from '../../src/engine/core/json.ts';
import { formatFieldFault, fillPlaceholders, listPlaceholders } from '../../src/engine/core/messages.ts';
import {
  resolveIntroParagraphs,
  listFieldLinks,
  mayDisableCopying,
  resolveHeadingText,
  readFieldUi,
  evaluateUiOptions,
  findFieldUiText,
} from '../../src/engine/core/screen-ui-queries.ts';

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
])('isObject(%j) returns %s', (value, expected) => {
  expect(isObject(value)).toBe(expected);
});

describe('[ENG-01] UI schema of a field', () => {
  const ui: ScreenUi = {
    title: 'T',
    fields: {
      'ui:order': ['a', 'b'],
      a: { 'ui:title': 'Nombre', 'ui:help': 7, 'ui:options': { meter: on }, 'ui:links': [{ text: 'L', to: '/x' }] },
      b: { 'ui:options': ['x'] },
    },
  };

  test('is read by the name of the field, and is empty for an unknown field', () => {
    expect(readFieldUi(ui, 'a')).toMatchObject({ 'ui:title': 'Nombre' });
    for (const [of, name] of [
      [ui, 'c'],
      [ui, 'ui:order'],
      [{ title: 'T' }, 'a'],
    ] as const)
      expect(readFieldUi(of, name)).toEqual({});
    expect([
      findFieldUiText(ui, 'a', 'ui:title'),
      findFieldUiText(ui, 'a', 'ui:help'),
      findFieldUiText(ui, 'a', 'ui:placeholder'),
      findFieldUiText(ui, 'c', 'ui:title'),
    ]).toEqual(['Nombre', undefined, undefined, undefined]);
  });

  test('has options evaluated with the facts, and links', () => {
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
  ])('may prevent copies with the options %j: %s', (options, expected) => {
    const field: JsonObject = options === undefined ? {} : { 'ui:options': options as Json };
    expect(mayDisableCopying({ title: 'T', fields: { a: field } }, 'a')).toBe(expected);
    expect(mayDisableCopying({ title: 'T' }, 'a')).toBe(false);
  });
});

describe('[ENG-01] head of a screen', () => {
  test('has the only title, the first visible one, or the last one', () => {
    const title = [
      { text: 'A', visible: on },
      { text: 'B', visible: { var: 'flags.other' } },
      { text: 'C', visible: { var: 'flags.none' } },
    ];
    expect(resolveHeadingText({ title: 'T' }, {})).toBe('T');
    expect(resolveHeadingText({ title }, facts)).toBe('A');
    expect(resolveHeadingText({ title }, { flags: { other: true, none: true } })).toBe('B');
    expect(resolveHeadingText({ title }, {})).toBe('C');
    expect(resolveHeadingText({ title: [] }, {})).toBe('');
  });

  test('has the visible paragraphs', () => {
    expect(resolveIntroParagraphs({ title: 'T' }, {})).toEqual([]);
    expect(resolveIntroParagraphs({ title: 'T', intro: 'Uno' }, {})).toEqual([{ text: 'Uno' }]);
    const intro = [{ text: 'A', visible: on }, { text: 'B' }];
    expect([
      resolveIntroParagraphs({ title: 'T', intro }, facts),
      resolveIntroParagraphs({ title: 'T', intro }, {}),
    ]).toEqual([intro, [{ text: 'B' }]]);
  });
});

describe('[ENG-02] formatFieldFault', () => {
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
  ])('formats for the field %s the fault %j as "%s"', (field, fault, sentence) => {
    expect(formatFieldFault({ ...screen, language: 'es' }, field, fault)).toBe(sentence);
  });

  test('uses the catalogue for a screen without messages of its own', () => {
    expect(
      formatFieldFault({ ui: { title: 'T' }, messages: screen.messages, language: 'es' }, 'a', { keyword: 'odd' }),
    ).toBe('Impar');
  });

  test('fills placeholders by name, and leaves those without a value empty', () => {
    expect(fillPlaceholders('{a}, {b_2}, {c}, {none}, {toString}, {{a}}, { a }', { a: 1, b_2: 'x', c: null })).toBe(
      '1, x, , , , {1}, { a }',
    );
    expect([listPlaceholders('{a}, {b_2} y {a}'), listPlaceholders('{ a } {} {a-b}')]).toEqual([['a', 'b_2', 'a'], []]);
  });
});
