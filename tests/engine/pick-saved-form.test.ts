import { describe, expect, test } from 'vitest';
import type { Flow, ScreenUi } from '../../src/engine/core/flow-and-screen-types.ts';
import {
  pickSavedForm,
  parseSavedJourney,
  reduceToSavedJourney,
  pickSavedVariables,
} from '../../src/engine/core/saved-journey.ts';
import { createFieldSpec as field } from './support/field-spec.ts';

const save = { days: 30, resumed: 'Seguís', refused: 'Faltan' };
const ui = (fields: ScreenUi['fields'] = {}): ScreenUi => ({ title: 'X', fields });

describe('[ENG-08] pickSavedForm', () => {
  test('saves texts, numbers, booleans and arrays', () => {
    const values = { text: 'Ana', number: 0, box: false, several: ['a', 2, true] };
    expect(pickSavedForm({ fields: Object.keys(values).map((name) => field(name)), ui: ui() }, save, values)).toEqual(
      values,
    );
  });

  test('omits secrets, computed fields, read-only fields and unknown fields', () => {
    const fields = [
      field('open'),
      field('secret', { secret: true }),
      field('sum', { computed: { var: 'open' } }),
      field('read'),
    ];
    const drawn = ui({ read: { 'ui:readonly': true } });
    const values = { open: 1, secret: 2, sum: 3, read: 4, foreign: 5 };
    expect(pickSavedForm({ fields, ui: drawn }, save, values)).toEqual({ open: 1 });
  });

  test('omits the fields and objects that the flow excludes', () => {
    const fields = ['email', 'emails', 'home.street', 'home.door'].map((name) => field(name));
    const values = { email: 'a', emails: 'b', home: { street: 'c', door: 'd' } };
    const without = (...pointers: string[]) =>
      pickSavedForm({ fields, ui: ui() }, { ...save, without: pointers }, values);
    expect(without()).toEqual(values);
    expect(without('/email')).toEqual({ emails: 'b', home: values.home });
    expect(without('/home')).toEqual({ email: 'a', emails: 'b' });
    expect(without('/home/street')).toEqual({ email: 'a', emails: 'b', home: { door: 'd' } });
  });

  test.each(['', 'data:text/plain,x', '  DATA:application/pdf;base64,JVBERi0=', null, {}, undefined])(
    'omits the value %j',
    (value) => {
      expect(pickSavedForm({ fields: [field('one')], ui: ui() }, save, { one: value })).toEqual({});
      expect(pickSavedForm({ fields: [field('one')], ui: ui() }, save, { one: ['kept', value] })).toEqual({
        one: ['kept'],
      });
    },
  );

  test('saves a text that only mentions "data:"', () => {
    const values = { one: 'mis data: x' };
    expect(pickSavedForm({ fields: [field('one')], ui: ui() }, save, values)).toEqual(values);
  });

  describe('list', () => {
    const phones = field('phones', { item: [field('number'), field('pin', { secret: true }), field('kind')] });
    const drawn = ui({
      'phones.items.kind': {},
      phones: { items: { kind: { 'ui:readonly': true } } },
    } as ScreenUi['fields']);

    test('is saved by the fields of its items, even if the flow excludes a top-level field of the same name', () => {
      const values = { phones: [{ number: '1', pin: '2', kind: 'k', more: 'm' }, 'none', { number: '' }] };
      const all = { ...save, without: ['/number'] };
      expect(pickSavedForm({ fields: [phones], ui: drawn }, all, values)).toEqual({ phones: [{ number: '1' }, {}] });
    });

    test('is saved by its single values', () => {
      const tags = field('tags', { item: [field('')] });
      expect(pickSavedForm({ fields: [tags], ui: ui() }, save, { tags: ['a', '', 'data:,x', { a: 1 }] })).toEqual({
        tags: ['a'],
      });
    });

    test.each(['text', 1, { 0: 'a' }, null])('is not saved if its value is %j', (value) => {
      expect(pickSavedForm({ fields: [phones], ui: drawn }, save, { phones: value })).toEqual({});
    });
  });
});

describe('[ENG-08] reduceToSavedJourney', () => {
  const titles = { es: '', pt: '' };
  const flow = {
    initial: 'a',
    save,
    progress: [
      [
        { state: 'a', titles },
        { state: 'b', titles },
      ],
      [{ state: 'c', titles }],
    ],
    states: { a: { screen: 'a' }, b: { screen: 'b' }, c: { screen: 'none' }, end: {} },
    context: { who: { saved: true }, secret: {} },
  } as unknown as Flow;
  const screenOf = ({ screen }: { screen?: string }) =>
    screen === 'a' || screen === 'b' ? { fields: [field('x')], ui: ui() } : null;
  const journey = {
    state: 'b',
    done: ['end', 'c', 'a'],
    forms: { a: { x: 1, y: 2 }, c: { x: 3 }, end: { x: 4 } },
    variables: { who: 'Ana', secret: 'S', foreign: 'F' },
  };

  test('saves only the steps, screens and variables of the flow, in their order', () => {
    expect(reduceToSavedJourney(flow, journey, screenOf)).toEqual({
      state: 'b',
      done: ['a', 'c'],
      forms: { a: { x: 1 } },
      variables: { who: 'Ana' },
    });
  });

  test('returns null at a state that is not a step, and for a flow without saving or without steps', () => {
    expect(reduceToSavedJourney(flow, { ...journey, state: 'end' }, screenOf)).toBeNull();
    const { save: saved, progress, ...none } = flow;
    expect(reduceToSavedJourney({ ...none, progress: progress! }, journey, screenOf)).toBeNull();
    expect(reduceToSavedJourney({ ...none, save: saved! }, journey, screenOf)).toBeNull();
  });

  test('saves no form of a state named like an inherited property, and no undeclared variable', () => {
    const named = { ...flow, progress: [[{ state: 'toString', titles }]], states: {} } as unknown as Flow;
    const all = () => ({ fields: [field('name')], ui: ui() });
    expect(reduceToSavedJourney(named, { ...journey, state: 'toString' }, all)?.forms).toEqual({});
    const { context: _, ...without } = flow;
    expect(reduceToSavedJourney(without, journey, screenOf)?.variables).toEqual({});
    expect(
      pickSavedVariables({ who: { saved: false } } as unknown as Flow['context'], { who: 1, toString: 2 }),
    ).toEqual({});
    expect(pickSavedVariables(undefined, { who: 1 })).toEqual({});
  });
});

describe('[ENG-08] parseSavedJourney', () => {
  const held = { state: 'a', done: ['a', 1, null], forms: { a: { x: 1 }, b: 'text' }, variables: { who: 'Ana' } };

  test('returns a stored journey without unknown parts', () => {
    expect(parseSavedJourney({ ...held, more: 1 })).toEqual({
      state: 'a',
      done: ['a'],
      forms: { a: { x: 1 } },
      variables: { who: 'Ana' },
    });
  });

  test.each([
    ['text'],
    [null],
    [{ ...held, state: 1 }],
    [{ ...held, done: 'a' }],
    [{ ...held, forms: null }],
    [{ ...held, variables: [] }],
    [{ ...held, variables: undefined }],
  ])('returns null for %j', (value) => {
    expect(parseSavedJourney(value)).toBeNull();
  });
});
