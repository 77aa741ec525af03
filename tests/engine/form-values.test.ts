import { describe, expect, test } from 'vitest';
import type { Flow, ScreenUi } from '../../src/engine/core/flow-and-screen-types.ts';
import {
  listEnclosingObjectNames,
  isFieldWithin,
  parseFieldPointer,
  nestFieldValues,
  setFieldValue,
  splitFieldName,
  joinItemFieldName,
  getFieldValue,
} from '../../src/engine/core/field-path.ts';
import {
  toListItemForm,
  toListItem,
  hasSingleValueItems,
  isListTextKey,
  buildListItemUi,
  joinIndexedFieldName,
} from '../../src/engine/core/list-fields.ts';
import { buildProgressBar, listEarlierSteps, listIncludedSteps } from '../../src/engine/core/journey-progress.ts';
import type { FieldSpec } from '../../src/engine/core/compiled-screen.ts';
import { defaultMaxItems, findSizeFault, excludeUncheckableValues } from '../../src/engine/core/value-size.ts';
import { findChoiceLabel, summarizeAnswers } from '../../src/engine/core/answer-summary.ts';
import { createFieldSpec as field } from './support/field-spec.ts';

describe('field inside an object', () => {
  test('has a dotted name with the names of its groups', () => {
    expect(splitFieldName('home.door')).toEqual(['home', 'door']);
    expect(splitFieldName('door')).toEqual(['door']);
    expect(listEnclosingObjectNames('a.b.c')).toEqual(['a', 'a.b']);
    expect(listEnclosingObjectNames('a')).toEqual([]);
    expect(parseFieldPointer('/a/b/c')).toBe('a.b.c');
    expect(['a', 'a.b', 'ab', 'b'].map((name) => isFieldWithin(name, 'a'))).toEqual([true, true, false, false]);
  });

  test('is read at its path, and never from an inherited property', () => {
    const values = { a: { b: { c: 1 } }, 'x.y': 2, text: 'abc' };
    expect(
      ['a.b.c', 'a.b', 'x.y', 'a.c', 'z', 'z.y', 'text.length', 'toString', 'a.toString'].map((name) =>
        getFieldValue(values, name),
      ),
    ).toEqual([1, { c: 1 }, undefined, undefined, undefined, undefined, undefined, undefined, undefined]);
  });

  test('is set without a change of the original object, and leaves no empty object when removed', () => {
    const inner = { b: 1 };
    const values: Record<string, unknown> = { a: inner, c: 'text' };
    setFieldValue(values, 'a.d.e', 2);
    setFieldValue(values, 'c.f', 3);
    expect([values, inner]).toEqual([{ a: { b: 1, d: { e: 2 } }, c: { f: 3 } }, { b: 1 }]);
    setFieldValue(values, 'a.d.e', undefined);
    setFieldValue(values, 'c.f', undefined);
    setFieldValue(values, 'g', undefined);
    expect(values).toEqual({ a: { b: 1 } });
    expect(Object.keys(values)).toEqual(['a']);
  });

  test('is nested by its name, also beside a field named __proto__', () => {
    const value = nestFieldValues([
      ['a.b', 1],
      ['__proto__', 2],
      ['c', 3],
    ]);
    expect(JSON.stringify(value)).toBe('{"__proto__":2,"c":3,"a":{"b":1}}');
    expect(nestFieldValues([['c', 3]])).toEqual({ c: 3 });
  });
});

describe('size of a value', () => {
  test.each([
    [{ type: 'string' }, 1, 'type'],
    [{ type: 'boolean' }, 'true', 'type'],
    [{ type: 'number' }, '1', 'type'],
    [{ type: 'integer' }, 1.5, 'type'],
    [{ type: 'array' }, { 0: 1 }, 'type'],
    [{ type: 'object' }, [], 'type'],
    [{ type: 'object' }, null, 'type'],
    [{ type: 'string' }, 'x', null],
    [{ type: 'boolean' }, false, null],
    [{ type: 'number' }, 1.5, null],
    [{ type: 'integer' }, 2, null],
    [{ type: 'array' }, [], null],
    [{ type: 'object' }, {}, null],
    [{}, 1, null],
    [{ maxLength: 2 }, 'abc', { limit: 2 }],
    [{ maxLength: 2 }, 'abcdefgh', { limit: 2 }],
    [{ maxLength: 2 }, 'ab', null],
    [{ maxLength: 2 }, '😀😀', null],
    [{ maxLength: 2 }, '😀😀😀', { limit: 2 }],
    [{ maxLength: '2' }, 'abc', null],
    [{ maxItems: 1 }, [1, 2], { limit: 1 }],
    [{ maxItems: 2 }, [1, 2], null],
    [{}, Array.from({ length: defaultMaxItems }), null],
    [{}, Array.from({ length: defaultMaxItems + 1 }), { limit: defaultMaxItems }],
  ])('is checked with the schema %j for %j, with the fault %j', (schema, value, expected) => {
    const keyword = typeof value === 'string' ? 'maxLength' : 'maxItems';
    const fault = expected === 'type' ? { keyword: 'type' } : expected && { keyword, values: expected };
    expect(findSizeFault(schema as never, value)).toEqual(fault);
  });

  test('decides which values excludeUncheckableValues removes from a form', () => {
    const fields = [
      field('a', { schema: { maxLength: 1 } }),
      field('g.b', { schema: { type: 'string' } }),
      field('g.c'),
    ];
    const whole = { a: '1', g: { b: 'x', c: 2 } };
    expect(excludeUncheckableValues({ fields }, whole)).toEqual({ values: whole, excludedFields: [] });
    expect(excludeUncheckableValues({ fields }, whole).values, 'the same object').toBe(whole);
    expect(excludeUncheckableValues({ fields }, { a: '12', g: { b: 1, c: 2 }, d: 3 })).toEqual({
      values: { g: { c: 2 }, d: 3 },
      excludedFields: ['a', 'g.b'],
    });
    expect(
      excludeUncheckableValues({ fields: [field('a', { schema: { type: 'string' } })] }, {}).excludedFields,
    ).toEqual([]);
  });
});

describe('summarizeAnswers', () => {
  const words = { ticked: 'sí', empty: 'no' };
  const drawn = (fields: object): ScreenUi => ({ title: 'X', fields: fields as NonNullable<ScreenUi['fields']> });
  const told = (fields: readonly FieldSpec[], values: object, ui: object = {}) =>
    summarizeAnswers({ ui: drawn(ui), fields, language: 'es' }, values as never, words).map(
      ({ field: name, title, text }) => `${name}|${title}|${text}`,
    );

  test('lists titles, or else names, with their texts in the order of the screen', () => {
    const fields = [field('b'), field('g.a'), field('yes'), field('no'), field('n')];
    const ui = { b: { 'ui:title': 'Bé' }, g: { a: { 'ui:title': 'A' } } };
    expect(told(fields, { n: 1, g: { a: 'x' }, b: 'y', yes: true, no: false }, ui)).toEqual([
      'b|Bé|y',
      'g.a|A|x',
      'yes|yes|sí',
      'no|no|no',
      'n|n|1',
    ]);
  });

  test('omits secrets, hidden, read-only and empty fields', () => {
    const fields = [field('s', { secret: true }), field('h'), field('r'), field('e'), field('k')];
    const ui = {
      h: { 'ui:widget': 'hidden' },
      r: { 'ui:readonly': true },
      k: { 'ui:readonly': 'x', 'ui:widget': 'text' },
    };
    expect(told(fields, { s: 1, h: 1, r: 1, e: '', k: 1 }, ui)).toEqual(['k|k|1']);
  });

  test('writes a choice as its label, and several choices as all their labels', () => {
    const schema = { enum: ['a', 'b'] };
    const ui = { c: { 'ui:enumNames': ['Aa', 'Bb'] }, d: { 'ui:enumNames': ['Aa', 'Bb'] } };
    expect(told([field('c', { schema })], { c: 'b' }, ui)).toEqual(['c|c|Bb']);
    expect(told([field('d', { schema: { items: schema } })], { d: ['b', 'x', 'a'] }, ui)).toEqual(['d|d|Bb, x, Aa']);
  });

  test('writes a list with one line per item, and single values without a title', () => {
    const kin = field('kin', { item: [field('name'), field('age')] });
    const tags = field('tags', { item: [field('')] });
    const ui = { kin: { items: { name: { 'ui:title': 'Nombre' } } } };
    expect(told([kin, tags], { kin: [{ name: 'Ana', age: 3 }, { name: 'Eva' }], tags: ['x', 'y'] }, ui)).toEqual([
      'kin|kin|Nombre: Ana, age: 3\nNombre: Eva',
      'tags|tags|x\ny',
    ]);
  });

  test('writes a nested list in the line of its item', () => {
    const tags = field('tags', { item: [field('')] });
    const rows = field('rows', { item: [field('', { item: [field('')] })] });
    const kin = field('kin', { item: [field('name'), tags] });
    expect(told([rows, kin], { rows: [['x', 'y'], ['z']], kin: [{ name: 'Ana', tags: ['a', 'b'] }] })).toEqual([
      'rows|rows|x; y\nz',
      'kin|kin|name: Ana, tags: a; b',
    ]);
  });

  test('takes the label of a choice from `ui:enumNames` or from the title of its constant', () => {
    const constants = [{ const: 'a' }, { const: 'b', title: 'Bé' }, 'none'];
    expect(findChoiceLabel({ enum: ['a', 'b'] }, { 'ui:enumNames': ['Aa', 2] }, 'a')).toBe('Aa');
    expect(findChoiceLabel({ enum: ['a', 'b'] }, { 'ui:enumNames': ['Aa', 2] }, 'b')).toBeUndefined();
    expect(findChoiceLabel({ enum: ['a'] }, { 'ui:enumNames': 'Aa' }, 'a')).toBeUndefined();
    expect(findChoiceLabel({}, { 'ui:enumNames': ['Aa'] }, 'a')).toBeUndefined();
    expect(findChoiceLabel({ oneOf: constants } as never, {}, 'b')).toBe('Bé');
    expect(findChoiceLabel({ anyOf: constants } as never, {}, 'b')).toBe('Bé');
    expect(findChoiceLabel({ items: { anyOf: constants } } as never, {}, 'b')).toBe('Bé');
    expect(findChoiceLabel({ oneOf: constants } as never, {}, 'a')).toBeUndefined();
    expect(findChoiceLabel({ oneOf: constants } as never, {}, 'c')).toBeUndefined();
  });
});

describe('item of a list', () => {
  test('has the UI schema of its fields, and that of a single value under an empty name', () => {
    const ui: ScreenUi = {
      title: 'X',
      fields: { kin: { items: { 'ui:title': 'Quién', name: { 'ui:title': 'Nombre' } } } } as unknown as NonNullable<
        ScreenUi['fields']
      >,
      visible: { 'kin.items.name': true, 'kin.items': false, kinship: true },
      messages: {
        'kin.items.name': { required: 'Falta' },
        'kin.items': { pattern: 'Forma' },
        kin: { minItems: 'Pocos' },
      },
    };
    expect(buildListItemUi(ui, 'kin')).toEqual({
      title: '',
      fields: {
        'ui:title': 'Quién',
        name: { 'ui:title': 'Nombre' },
        '': { 'ui:title': 'Quién', name: { 'ui:title': 'Nombre' } },
      },
      visible: { name: true, '': false },
      messages: { name: { required: 'Falta' }, '': { pattern: 'Forma' } },
    });
    expect(buildListItemUi({ title: 'X' }, 'kin')).toEqual({
      title: '',
      fields: { '': {} },
      visible: {},
      messages: {},
    });
  });

  test('is converted to a form and back, also as a single value', () => {
    const tags = field('tags', { item: [field('')] });
    const kin = field('kin', { item: [field('name'), field('')] });
    expect([tags, kin, field('kin', { item: [field('name')] }), field('x')].map(hasSingleValueItems)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect([toListItemForm(tags, 'a'), toListItemForm(kin, { name: 'Ana' }), toListItemForm(kin, 'Ana')]).toEqual([
      { '': 'a' },
      { name: 'Ana' },
      null,
    ]);
    expect([toListItem(tags, { '': 'a' }), toListItem(tags, {}), toListItem(kin, { name: 'Ana' })]).toEqual([
      'a',
      null,
      { name: 'Ana' },
    ]);
  });

  test('is named with its index, and its validator with the list', () => {
    expect([joinIndexedFieldName('kin', 2, 'name'), joinIndexedFieldName('tags', 0, '')]).toEqual([
      'kin.2.name',
      'tags.0',
    ]);
    expect([joinItemFieldName('kin', 'name'), joinItemFieldName('tags', '')]).toEqual(['kin.items.name', 'tags.items']);
    expect([joinIndexedFieldName('', 2, ''), joinItemFieldName('', '')]).toEqual(['2', 'items']);
    expect(['list.add', 'minItems.list', 'lists', 'minItems', 'playlist'].map(isListTextKey)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('steps of a journey', () => {
  const step = (state: string, more: object = {}) => ({ state, titles: { es: state.toUpperCase() }, ...more });
  const guard = { var: 'on' };
  const flow = {
    progress: [
      [step('a'), step('b', { guard }), step('c')],
      [step('x', { bar: false }), step('y', { guard })],
    ],
  } as unknown as Flow;
  const scope = (facts = {}) => ({ facts, answers: () => ({}) });
  const names = (steps: readonly { state: string }[] | null) => steps?.map(({ state }) => state) ?? null;

  test('are those of the journey of a state, selected by their guards', () => {
    expect(names(listIncludedSteps(flow, 'a', scope({ on: true })))).toEqual(['a', 'b', 'c']);
    expect(names(listIncludedSteps(flow, 'a', scope({ on: false })))).toEqual(['a', 'c']);
    expect(names(listIncludedSteps(flow, 'b', scope({ on: false }))), 'the current step is listed').toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(names(listIncludedSteps(flow, 'y', scope()))).toEqual(['x', 'y']);
    expect(listIncludedSteps(flow, 'z', scope())).toEqual([]);
    expect(listIncludedSteps({} as Flow, 'a', scope())).toEqual([]);
  });

  test('are listed up to a state', () => {
    expect(names(listEarlierSteps(flow, 'c', scope({ on: true })))).toEqual(['a', 'b']);
    expect(listEarlierSteps(flow, 'a', scope())).toEqual([]);
    expect(listEarlierSteps(flow, 'z', scope())).toEqual([]);
  });

  test('are listed in the step bar with position and title, unless the step has no bar', () => {
    expect(buildProgressBar(flow, 'b', scope({ on: true }), 'es')).toEqual([
      { state: 'a', title: 'A', place: 'before' },
      { state: 'b', title: 'B', place: 'here' },
      { state: 'c', title: 'C', place: 'after' },
    ]);
    expect(buildProgressBar(flow, 'c', scope({ on: false }), 'pt')?.map(({ title, place }) => title + place)).toEqual([
      'before',
      'here',
    ]);
    expect(buildProgressBar(flow, 'a', scope(), 'es')?.map(({ place }) => place)).toEqual(['here', 'after']);
    expect(buildProgressBar(flow, 'x', scope(), 'es')).toBeNull();
    expect(buildProgressBar(flow, 'z', scope(), 'es')).toBeNull();
    expect(names(buildProgressBar(flow, 'y', scope(), 'es'))).toEqual(['x', 'y']);
  });
});
