import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/engine/core/json.ts';
import { defineRule, type RuleInput } from '../../src/engine/core/plugin.ts';
import type { FieldSpec, ScreenData, ValueValidator } from '../../src/engine/core/screen.ts';
import { listValidator } from '../../src/engine/core/lists.ts';
import {
  checkForm,
  computeValue,
  findFieldFault,
  isEmpty,
  isVisible,
  pruneFormValues,
  type ListValidator,
  type Validator,
} from '../../src/engine/core/validate.ts';
import { createFieldSpec as field } from './support/field-spec.ts';

const screenOf = (fields: readonly FieldSpec[], more: Partial<ScreenData> = {}): ScreenData => ({
  id: 'x',
  language: 'es',
  version: '',
  ui: { title: 'X' },
  fields,
  formRules: [],
  texts: {},
  rulePlugins: [],
  standardFormats: false,
  messages: {
    required: 'Falta',
    type: 'Tipo',
    minLength: 'Mínimo {limit}',
    additionalProperties: 'Sobra',
    odd: 'Impar',
    'odd.big': 'Más de {most}',
    both: 'Los dos',
  },
  ...more,
});

/** Creates a validator like the code that ajv generates. It reports the given errors. */
const validateForm = (
  errors: (value: unknown) => readonly { keyword: string; params: JsonObject }[],
): ValueValidator => {
  const validate: ValueValidator = (value) => {
    validate.errors = errors(value).map((error) => ({ ...error, instancePath: '', schemaPath: '' }));
    return validate.errors.length === 0;
  };
  return validate;
};

/** Recorded inputs of the rule below, which rejects them. */
const seen: RuleInput[] = [];
const rule = (keyword: string, refuses: (input: RuleInput<{ most?: number }>) => boolean, reason?: string) =>
  defineRule<{ most?: number }>({
    keyword,
    level: 'field',
    types: ['string'],
    parameters: {},
    check: (input) => {
      seen.push(input);
      return refuses(input) ? { ...(reason && { reason }), values: { most: input.parameters.most ?? 0 } } : null;
    },
  });
const validatorOf = (
  screen: ScreenData,
  values: Validator['values'] = {},
  rules: Validator['rules'] = new Map(),
): Validator => ({ screen, values, rules });

test.each([
  [undefined, true],
  [null, true],
  ['', true],
  [[], true],
  [0, false],
  [false, false],
  [' ', false],
  [[''], false],
  [{}, false],
  [{ length: 0 }, false],
])('[ENG-02] %j counts as no value: %s', (value, empty) => {
  expect(isEmpty(value)).toBe(empty);
});

test('[ENG-02] a field is shown by the facts and by the form, which no fact replaces', () => {
  const shown = field('a', { visible: { and: [{ var: 'flags.on' }, { var: 'form.b' }] } });
  expect(isVisible(shown, { b: 1 }, { flags: { on: true } })).toBe(true);
  expect(isVisible(shown, {}, { flags: { on: true } })).toBe(false);
  expect(isVisible(shown, { b: 1 }, {})).toBe(false);
  expect(isVisible(shown, {}, { flags: { on: true }, form: { b: 1 } })).toBe(false);
  expect(isVisible(field('a'), {}, {})).toBe(true);
});

describe('[ENG-02] the values that count', () => {
  const whenSome = (name: string) => ({ '!!': { var: `form.${name}` } });
  const whenNone = (name: string) => ({ '!': { var: `form.${name}` } });

  test('are not empty, and of no hidden field; unknown names stay', () => {
    const screen = screenOf([field('a'), field('b', { visible: { var: 'on' } }), field('c')]);
    expect(pruneFormValues(validatorOf(screen), { a: 'x', b: 'y', c: '', d: 'z' }, {})).toEqual({ a: 'x', d: 'z' });
    expect(pruneFormValues(validatorOf(screen), { a: 'x', b: 'y', c: '', d: 'z' }, { on: true })).toEqual({
      a: 'x',
      b: 'y',
      d: 'z',
    });
  });

  test('a chain of fields is hidden from its first to its last', () => {
    const names = ['a', 'b', 'c', 'd'];
    const chain = names.map((name, index) =>
      field(name, { visible: index === 0 ? { var: 'on' } : whenSome(names[index - 1] ?? '') }),
    );
    const all = { a: 1, b: 1, c: 1, d: 1 };
    expect(pruneFormValues(validatorOf(screenOf(chain)), all, {})).toEqual({});
    expect(pruneFormValues(validatorOf(screenOf(chain.toReversed())), all, {})).toEqual({});
    expect(pruneFormValues(validatorOf(screenOf(chain)), all, { on: true })).toEqual(all);
  });

  test('a field that was hidden by a hidden one is shown, another in its place is not', () => {
    const screen = screenOf([
      field('first', { visible: { var: 'on' } }),
      field('without', { visible: whenNone('first') }),
      field('with', { visible: whenSome('first') }),
    ]);
    const all = { first: 1, without: 1, with: 1 };
    expect(pruneFormValues(validatorOf(screen), all, {})).toEqual({ without: 1 });
    expect(pruneFormValues(validatorOf(screen), all, { on: true })).toEqual({ first: 1, with: 1 });
  });

  test('a field that only a hidden one hid is shown', () => {
    const screen = screenOf([
      field('first', { visible: { var: 'on' } }),
      field('without', { visible: whenNone('first') }),
    ]);
    expect(pruneFormValues(validatorOf(screen), { first: 1, without: 1 }, {})).toEqual({ without: 1 });
  });

  test('a rule that goes in a circle ends', () => {
    expect(
      Object.keys(pruneFormValues(validatorOf(screenOf([field('a', { visible: whenNone('a') })])), { a: 1, b: 1 }, {})),
    ).toContain('b');
  });
});

describe('[ENG-02] the fault of a field', () => {
  const short = { keyword: 'minLength', params: { limit: 8 } };
  const fault = (
    plan: Partial<FieldSpec>,
    value: unknown,
    {
      errors = [],
      rules = [],
      context = {},
    }: {
      errors?: readonly { keyword: string; params: JsonObject }[];
      rules?: readonly ReturnType<typeof rule>[];
      context?: Record<string, unknown>;
    } = {},
  ) => {
    const asked = field('a', plan);
    const validator = validatorOf(
      screenOf([asked], { formRules: [{ keyword: 'both', parameters: { most: 1 }, target: 'a' }] }),
      { a: validateForm(() => errors) },
      new Map(rules.map((one) => [one.keyword, one])),
    );
    return findFieldFault(validator, asked, { a: value, z: 9 }, context);
  };
  const odd = rule('odd', () => true, 'big');

  test('that is empty is that it is required, and nothing else is asked of it', () => {
    expect(fault({ required: true, schema: { minLength: 8 } }, '', { errors: [short] })).toEqual({
      keyword: 'required',
    });
    expect(
      fault({ schema: { minLength: 8 }, formRules: [0] }, [], { errors: [short], rules: [rule('both', () => true)] }),
    ).toBeNull();
  });

  test('is the first in the order of its schema, whether the standard names it or a plugin', () => {
    expect(fault({ schema: { minLength: 8, odd: { most: 3 } } }, 'x', { errors: [short], rules: [odd] })).toEqual({
      keyword: 'minLength',
      values: { limit: 8 },
    });
    expect(fault({ schema: { odd: { most: 3 }, minLength: 8 } }, 'x', { errors: [short], rules: [odd] })).toEqual({
      keyword: 'odd',
      reason: 'big',
      values: { most: 3 },
    });
  });

  test('of another type is its type, before all else', () => {
    const type = { keyword: 'type', params: { type: 'string' } };
    expect(
      fault({ schema: { odd: {}, minLength: 8, type: 'string' } }, 7, { errors: [short, type], rules: [odd] }),
    ).toEqual({ keyword: 'type' });
  });

  test('of an item of another type is the type, before all else', () => {
    const [twice, type] = [
      { keyword: 'uniqueItems', params: {} },
      { keyword: 'type', params: { type: 'string' } },
    ];
    expect(
      fault({ schema: { uniqueItems: true, type: 'array', items: { type: 'string' } } }, [1, 1], {
        errors: [twice, type],
      }),
    ).toEqual({ keyword: 'type' });
  });

  test('inside of a list is that of the first item that is wrong', () => {
    expect(
      fault({ schema: { items: { enum: [1] } } }, [2], {
        errors: [{ keyword: 'enum', params: { allowed: [1] } }, short],
      }),
    ).toEqual({ keyword: 'enum', values: { allowed: [1] } });
  });

  test('is none where every rule is content; a rule is asked with the value, its parameters, the form and the facts', () => {
    seen.length = 0;
    expect(
      fault({ schema: { title: 'A', odd: { most: 3 } } }, 'x', {
        rules: [rule('odd', () => false)],
        context: { flags: { on: true } },
      }),
    ).toBeNull();
    expect(seen).toEqual([
      { value: 'x', parameters: { most: 3 }, form: { a: 'x', z: 9 }, context: { flags: { on: true } } },
    ]);
  });

  test('is that of a rule of the form only where its own are content; that rule is asked with the whole form', () => {
    seen.length = 0;
    const both = rule('both', () => true);
    expect(fault({ formRules: [0] }, 'x', { rules: [both], context: { on: 1 } })).toEqual({
      keyword: 'both',
      values: { most: 1 },
    });
    expect(seen).toEqual([
      { value: { a: 'x', z: 9 }, parameters: { most: 1 }, form: { a: 'x', z: 9 }, context: { on: 1 } },
    ]);
    expect(fault({ schema: { odd: {} }, formRules: [0] }, 'x', { rules: [odd, both] })).toMatchObject({
      keyword: 'odd',
    });
    expect(fault({ formRules: [0] }, 'x', { rules: [rule('both', () => false)] })).toBeNull();
    expect(fault({ formRules: [] }, 'x', { rules: [both] })).toBeNull();
  });

  test('that no validator was written for is none', () => {
    expect(findFieldFault(validatorOf(screenOf([field('a')])), field('a'), { a: 'x' }, {})).toBeNull();
  });
});

describe('[ENG-02] a whole form', () => {
  const screen = screenOf(
    [field('b', { required: true }), field('a', { required: true, visible: { var: 'form.b' }, formRules: [1] })],
    {
      formRules: [
        { keyword: 'whole', parameters: {}, target: '' },
        { keyword: 'both', parameters: {}, target: 'a' },
        { keyword: 'second', parameters: {}, target: '' },
      ],
      messages: { ...screenOf([]).messages, whole: 'Entero', second: 'Segundo' },
      ui: { title: 'X', messages: { '': { second: 'El suyo' } } },
    },
  );
  const check = (values: Record<string, unknown>, ...refusing: string[]) =>
    checkForm(
      validatorOf(
        screen,
        {},
        new Map(
          ['whole', 'both', 'second'].map((keyword) => [keyword, rule(keyword, () => refusing.includes(keyword))]),
        ),
      ),
      values,
      {},
    );

  test('that is fine has the values that count', () => {
    expect(check({ a: 1, b: 2, c: '' })).toEqual({ data: { a: 1, b: 2 }, errors: {} });
  });

  test('tells its own fault first, then those of the fields in the order of the screen, then what does not belong', () => {
    const { errors, data } = check({ z: 1, a: 'x', b: 'y' }, 'whole', 'both');
    expect(Object.entries(errors)).toEqual([
      ['', 'Entero'],
      ['a', 'Los dos'],
      ['z', 'Sobra'],
    ]);
    expect(data).toEqual({ a: 'x', b: 'y' });
    expect(Object.entries(check({}).errors)).toEqual([['b', 'Falta']]);
    expect(Object.entries(check({ b: 'y' }).errors)).toEqual([['a', 'Falta']]);
  });

  test('tells the first of its own faults, and no rule of a field as one', () => {
    expect(check({ a: 1, b: 2 }, 'second').errors).toEqual({ '': 'El suyo' });
    expect(check({ a: 1, b: 2 }, 'second', 'whole').errors).toEqual({ '': 'Entero' });
    expect(check({ a: 1, b: 2 }, 'both').errors).toEqual({ a: 'Los dos' });
  });

  test('asks nothing of a hidden field', () => {
    expect(check({ a: 1 }, 'both')).toEqual({ data: {}, errors: { b: 'Falta' } });
  });
});

describe('[ENG-05] fields of an object', () => {
  const screen = screenOf([
    field('a.b', { requiredWith: 'a' }),
    field('a.c'),
    field('a.d.e', { requiredWith: 'a.d' }),
    field('a.d.f'),
  ]);
  const check = (values: Record<string, unknown>) => checkForm(validatorOf(screen), values, {});

  test('count where they are filled in, each in its object', () => {
    const all = { a: { b: 1, c: '', d: { e: 2 } } };
    expect(check(all)).toEqual({ data: { a: { b: 1, d: { e: 2 } } }, errors: {} });
    expect(pruneFormValues(validatorOf(screen), all, {})).toEqual({ a: { b: 1, d: { e: 2 } } });
  });

  test.each<[note: string, values: Record<string, unknown>, missing: readonly string[]]>([
    ['of nothing nothing', {}, []],
    ['of an empty object nothing', { a: { b: '', d: {} } }, []],
    ['of the outer object its own', { a: { c: 1 } }, ['a.b']],
    ['of the inner one those of both', { a: { d: { f: 1 } } }, ['a.b', 'a.d.e']],
  ])('are required with their object: %s', (_, values, missing) => {
    expect(check(values).errors).toEqual(Object.fromEntries(missing.map((name) => [name, 'Falta'])));
  });

  test.each<[values: Record<string, unknown>, name: string]>([
    [{ 'a.c': 1 }, 'a.c'],
    [{ 'a.d': { e: 1 } }, 'a.d'],
    [{ a: { b: 1, 'd.e': 1 } }, 'a.d.e'],
    [{ a: { b: 1, z: 1 } }, 'a.z'],
    [{ a: 1 }, 'a'],
    [{ a: ['x'] }, 'a'],
  ])('[SEG-04] are taken from their object alone: of %j %s does not belong', (values, name) => {
    const { data, errors } = check(values);
    expect(errors).toEqual({ [name]: 'Sobra' });
    expect(data).toEqual('b' in Object(values['a']) ? { a: { b: 1 } } : {});
  });

  test('[SEG-04] a name with a point brings no value, not even one that is refused', () => {
    expect(pruneFormValues(validatorOf(screen), { 'a.c': 1, 'x.y': 1, z: 1 }, {})).toEqual({ z: 1 });
  });
});

describe('[ENG-07] computed fields', () => {
  const v = (name: string) => ({ var: `form.${name}` });
  const screen = screenOf(
    [
      field('price'),
      field('total', { computed: { '+': [v('cost'), { var: 'fee' }] } }),
      field('cost', { computed: { '*': [v('price'), 3] }, visible: { '!': { var: 'free' } } }),
    ],
    { computed: ['cost', 'total'] },
  );

  test('are computed of the form, of each other and of the facts, whatever was sent', () => {
    expect(pruneFormValues(validatorOf(screen), { price: 0.1, total: 7, cost: 7 }, { fee: 1 })).toEqual({
      price: 0.1,
      total: 1.3,
      cost: 0.3,
    });
    expect(pruneFormValues(validatorOf(screen), { price: 2 }, { fee: 1 })).toEqual({ price: 2, total: 7, cost: 6 });
  });

  test('that are hidden are worth nothing, nor is what is computed of them', () => {
    expect(pruneFormValues(validatorOf(screen), { price: 2, cost: 7 }, { fee: 1, free: true })).toEqual({ price: 2 });
  });

  test.each<[value: unknown, worth: unknown]>([
    ['x', 'x'],
    ['', undefined],
    [0, 0],
    [0.1 + 0.2, 0.3],
    [2 ** 53, 2 ** 53],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    [true, undefined],
    [null, undefined],
    [['x'], undefined],
  ])('%j is worth %j', (value, worth) => {
    expect(computeValue({ var: 'fact' }, {}, { fact: value })).toBe(worth);
  });
});

describe('[ENG-06] lists', () => {
  const screen = screenOf(
    [
      field('first', { computed: { var: 'form.choice.0' } }),
      field('choice', { schema: { type: 'array' } }),
      field('people', {
        schema: { type: 'array', maxItems: 2, minItems: 2 },
        item: [field('name', { required: true }), field('age')],
      }),
    ],
    {
      computed: ['first'],
      messages: {
        ...screenOf([]).messages,
        'maxItems.list': 'Hasta {limit} filas',
        'minItems.list': 'Desde {limit} filas',
        'type.list': 'De listas',
      },
    },
  );
  const check = (values: Record<string, unknown>, errors: Parameters<typeof validateForm>[0] = () => []) =>
    checkForm({ ...validatorOf(screen, { people: validateForm(errors) }), items: listValidator }, values, {});

  test('have the values of each item that count, and the faults of each by its place', () => {
    expect(check({ people: [{ name: 'Ana', age: '' }, { age: 7 }], choice: ['x'] })).toEqual({
      data: { people: [{ name: 'Ana' }, { age: 7 }], choice: ['x'], first: 'x' },
      errors: { 'people.1.name': 'Falta' },
    });
    expect(check({})).toEqual({ data: {}, errors: {} });
  });

  test('have words of their own for their length, and those of each field for their type', () => {
    expect(check({ people: [{}, {}, {}] }).errors).toEqual({ people: 'Hasta 2 filas' });
    expect(check({ people: 'x' }).errors).toEqual({ people: 'Tipo' });
    const short = () => [{ keyword: 'minItems', params: { limit: 2 } }];
    expect(check({ people: [{ name: 'Ana' }] }, short).errors).toEqual({ people: 'Desde 2 filas' });
  });

  test('[SEG-04] alone are looked into, and not where they are too long', () => {
    const asked: string[] = [];
    const items: ListValidator = {
      prune: (_, { name }, value) => (asked.push(`prune ${name}`), value),
      errors: (_, { name }) => (asked.push(`errors ${name}`), []),
    };
    const look = (people: readonly unknown[]) =>
      checkForm({ ...validatorOf(screen), items }, { choice: ['x'], people }, {});
    look([{ name: 'Ana' }]);
    expect(asked).toEqual(['prune people', 'errors people']);
    look([{}, {}, {}]);
    expect(asked).toHaveLength(2);
  });
});

describe('[SEG-04] a value of another type or size', () => {
  const asked: string[] = [];
  const inField = { level: 'field', types: ['string'] } as const;
  const inForm = { level: 'form' } as const;
  const noting = (keyword: string, place: typeof inField | typeof inForm, reads: readonly string[] = []) =>
    defineRule<unknown>({
      keyword,
      ...place,
      parameters: {},
      reads: () => reads,
      check: ({ value, form }) => {
        asked.push(`${keyword} ${JSON.stringify([value, form])}`);
        return null;
      },
    });
  const rules = new Map([
    ['costly', noting('costly', inField)],
    ['asA', noting('asA', inField, ['a'])],
    ['whole', noting('whole', inForm, ['a', 'b'])],
    ['free', noting('free', inForm)],
    ['alone', { ...noting('alone', inField), reads: undefined }],
  ]);
  const values = { a: validateForm((value) => (asked.push(`ajv ${JSON.stringify(value)}`), [])) };
  const screen = screenOf(
    [
      field('a', { schema: { costly: true, type: 'string', maxLength: 3 } }),
      field('b', { schema: { type: 'string', asA: true }, visible: { '!': { var: 'form.a.0' } } }),
      field('many', { schema: { type: 'array', items: { enum: ['x'] } } }),
      field('c', { schema: { alone: true } }),
    ],
    {
      messages: {
        type: 'Tipo',
        maxLength: 'Hasta {limit}',
        maxItems: 'Hasta {limit} opciones',
        additionalProperties: 'Sobra',
      },
      formRules: [
        { keyword: 'whole', parameters: {}, target: '' },
        { keyword: 'free', parameters: {}, target: '' },
      ],
    },
  );
  const validator = validatorOf(screen, values, rules);
  const told = (form: object) => {
    asked.length = 0;
    return checkForm(validator, form as Record<string, unknown>, {}).errors;
  };

  test.each([
    ['abcd', 'Hasta 3'],
    ['𠮷𠮷𠮷𠮷', 'Hasta 3'],
    [['abc'], 'Tipo'],
    [{ x: 1 }, 'Tipo'],
    [7, 'Tipo'],
  ])('%j is refused by its own message, and looked at by no other keyword, rule or field', (a, message) => {
    expect(told({ a, b: 'y' })).toEqual({ a: message });
    expect(asked).toEqual(['free [{"b":"y"},{"b":"y"}]']);
    expect(findFieldFault(validator, screen.fields[1] ?? field('b'), { a, b: 'y' }, {})).toBeNull();
    expect(asked).toHaveLength(1);
  });

  test('keeps no rule of another field from being asked that reads no field', () => {
    expect(told({ a: 'abcd', c: 'y' })).toEqual({ a: 'Hasta 3' });
    expect(asked).toContain('alone ["y",{"c":"y"}]');
  });

  test('characters are counted, not halves of them; within its size a value is looked at by all', () => {
    expect(told({ a: '𠮷𠮷𠮷' })).toEqual({});
    expect(new Set(asked.map((line) => line.split(' ')[0]))).toEqual(new Set(['whole', 'free', 'costly', 'ajv']));
  });

  test('an array that names no limit holds a hundred', () => {
    expect(told({ many: Array.from({ length: 100 }, () => 'x') })).toEqual({});
    expect(told({ many: Array.from({ length: 101 }, () => 'x') })).toEqual({ many: 'Hasta 100 opciones' });
  });

  test('of many names that the screen does not have ten are told', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x${index}`, 1]));
    expect(Object.keys(told({ a: 'x', ...many }))).toEqual(Array.from({ length: 10 }, (_, index) => `x${index}`));
  });
});
