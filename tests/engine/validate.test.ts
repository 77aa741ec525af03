import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/engine/core/json.ts';
import { defineRule, type RuleInput } from '../../src/engine/core/plugin-rule.ts';
import type { FieldSpec, CompiledScreen, ValueValidator } from '../../src/engine/core/compiled-screen.ts';
import { listValidator } from '../../src/engine/core/list-fields.ts';
import {
  validateScreenForm,
  computeFieldValue,
  findFieldFault,
  isEmptyValue,
  isFieldVisible,
  pruneFormValues,
  type ListValidator,
  type ScreenValidator,
} from '../../src/engine/core/validate-screen-form.ts';
import { createFieldSpec as field } from './support/field-spec.ts';

const screenOf = (fields: readonly FieldSpec[], more: Partial<CompiledScreen> = {}): CompiledScreen => ({
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

/** Inputs with which the rule below was called. */
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
  screen: CompiledScreen,
  values: ScreenValidator['values'] = {},
  rules: ScreenValidator['rules'] = new Map(),
): ScreenValidator => ({ screen, values, rules });

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
])('[ENG-02] isEmpty(%j) returns %s', (value, empty) => {
  expect(isEmptyValue(value)).toBe(empty);
});

test('[ENG-02] isFieldVisible evaluates a rule with the facts and the form, which no fact can replace', () => {
  const shown = field('a', { visible: { and: [{ var: 'flags.on' }, { var: 'form.b' }] } });
  expect(isFieldVisible(shown, { b: 1 }, { flags: { on: true } })).toBe(true);
  expect(isFieldVisible(shown, {}, { flags: { on: true } })).toBe(false);
  expect(isFieldVisible(shown, { b: 1 }, {})).toBe(false);
  expect(isFieldVisible(shown, {}, { flags: { on: true }, form: { b: 1 } })).toBe(false);
  expect(isFieldVisible(field('a'), {}, {})).toBe(true);
});

describe('[ENG-02] pruneFormValues', () => {
  const whenSome = (name: string) => ({ '!!': { var: `form.${name}` } });
  const whenNone = (name: string) => ({ '!': { var: `form.${name}` } });

  test('removes empty and hidden values, and leaves unknown names', () => {
    const screen = screenOf([field('a'), field('b', { visible: { var: 'on' } }), field('c')]);
    expect(pruneFormValues(validatorOf(screen), { a: 'x', b: 'y', c: '', d: 'z' }, {})).toEqual({ a: 'x', d: 'z' });
    expect(pruneFormValues(validatorOf(screen), { a: 'x', b: 'y', c: '', d: 'z' }, { on: true })).toEqual({
      a: 'x',
      b: 'y',
      d: 'z',
    });
  });

  test('hides a chain of fields from the first to the last', () => {
    const names = ['a', 'b', 'c', 'd'];
    const chain = names.map((name, index) =>
      field(name, { visible: index === 0 ? { var: 'on' } : whenSome(names[index - 1] ?? '') }),
    );
    const all = { a: 1, b: 1, c: 1, d: 1 };
    expect(pruneFormValues(validatorOf(screenOf(chain)), all, {})).toEqual({});
    expect(pruneFormValues(validatorOf(screenOf(chain.toReversed())), all, {})).toEqual({});
    expect(pruneFormValues(validatorOf(screenOf(chain)), all, { on: true })).toEqual(all);
  });

  test('shows the alternative of a hidden field, and hides a field that depends on it', () => {
    const screen = screenOf([
      field('first', { visible: { var: 'on' } }),
      field('without', { visible: whenNone('first') }),
      field('with', { visible: whenSome('first') }),
    ]);
    const all = { first: 1, without: 1, with: 1 };
    expect(pruneFormValues(validatorOf(screen), all, {})).toEqual({ without: 1 });
    expect(pruneFormValues(validatorOf(screen), all, { on: true })).toEqual({ first: 1, with: 1 });
  });

  test('shows a field that only a hidden field would hide', () => {
    const screen = screenOf([
      field('first', { visible: { var: 'on' } }),
      field('without', { visible: whenNone('first') }),
    ]);
    expect(pruneFormValues(validatorOf(screen), { first: 1, without: 1 }, {})).toEqual({ without: 1 });
  });

  test("terminates if a field's rule reads the field itself", () => {
    expect(
      Object.keys(pruneFormValues(validatorOf(screenOf([field('a', { visible: whenNone('a') })])), { a: 1, b: 1 }, {})),
    ).toContain('b');
  });
});

describe('[ENG-02] findFieldFault', () => {
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

  test('reports only `required` for an empty required field, and nothing for an empty optional one', () => {
    expect(fault({ required: true, schema: { minLength: 8 } }, '', { errors: [short] })).toEqual({
      keyword: 'required',
    });
    expect(
      fault({ schema: { minLength: 8 }, formRules: [0] }, [], { errors: [short], rules: [rule('both', () => true)] }),
    ).toBeNull();
  });

  test('reports the first fault in the order of the keywords, standard or plugin', () => {
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

  test('reports a wrong type before all other faults', () => {
    const type = { keyword: 'type', params: { type: 'string' } };
    expect(
      fault({ schema: { odd: {}, minLength: 8, type: 'string' } }, 7, { errors: [short, type], rules: [odd] }),
    ).toEqual({ keyword: 'type' });
  });

  test('reports a wrong type of an item before all other faults', () => {
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

  test('reports the first fault of the items of an array', () => {
    expect(
      fault({ schema: { items: { enum: [1] } } }, [2], {
        errors: [{ keyword: 'enum', params: { allowed: [1] } }, short],
      }),
    ).toEqual({ keyword: 'enum', values: { allowed: [1] } });
  });

  test('returns null if every rule accepts, and passes value, parameters, form and facts to a rule', () => {
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

  test('reports a form rule only if the rules of the field accept, and passes the form to it', () => {
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

  test('returns null for a field without a validator', () => {
    expect(findFieldFault(validatorOf(screenOf([field('a')])), field('a'), { a: 'x' }, {})).toBeNull();
  });
});

describe('[ENG-02] validateScreenForm', () => {
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
    validateScreenForm(
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

  test('returns the values of a valid form without empty ones', () => {
    expect(check({ a: 1, b: 2, c: '' })).toEqual({ data: { a: 1, b: 2 }, errors: {} });
  });

  test('reports the fault of the form, then those of fields in the order of the screen, then unknown names', () => {
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

  test('reports only the first fault of the form, and no rule of a field as one', () => {
    expect(check({ a: 1, b: 2 }, 'second').errors).toEqual({ '': 'El suyo' });
    expect(check({ a: 1, b: 2 }, 'second', 'whole').errors).toEqual({ '': 'Entero' });
    expect(check({ a: 1, b: 2 }, 'both').errors).toEqual({ a: 'Los dos' });
  });

  test('does not validate a hidden field', () => {
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
  const check = (values: Record<string, unknown>) => validateScreenForm(validatorOf(screen), values, {});

  test('are returned in their object without empty values', () => {
    const all = { a: { b: 1, c: '', d: { e: 2 } } };
    expect(check(all)).toEqual({ data: { a: { b: 1, d: { e: 2 } } }, errors: {} });
    expect(pruneFormValues(validatorOf(screen), all, {})).toEqual({ a: { b: 1, d: { e: 2 } } });
  });

  test.each<[note: string, values: Record<string, unknown>, missing: readonly string[]]>([
    ['no values', {}, []],
    ['an empty object', { a: { b: '', d: {} } }, []],
    ['a value of the outer object', { a: { c: 1 } }, ['a.b']],
    ['a value of the inner object', { a: { d: { f: 1 } } }, ['a.b', 'a.d.e']],
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
  ])('[SEG-04] are accepted only inside their object: %j reports %s', (values, name) => {
    const { data, errors } = check(values);
    expect(errors).toEqual({ [name]: 'Sobra' });
    expect(data).toEqual('b' in Object(values['a']) ? { a: { b: 1 } } : {});
  });

  test('[SEG-04] are never read from a name with a dot', () => {
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

  test('are computed from the form, each other and the facts, whatever was sent', () => {
    expect(pruneFormValues(validatorOf(screen), { price: 0.1, total: 7, cost: 7 }, { fee: 1 })).toEqual({
      price: 0.1,
      total: 1.3,
      cost: 0.3,
    });
    expect(pruneFormValues(validatorOf(screen), { price: 2 }, { fee: 1 })).toEqual({ price: 2, total: 7, cost: 6 });
  });

  test('have no value while hidden, and neither do fields computed from them', () => {
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
  ])('have for the result %s the value %s', (value, worth) => {
    expect(computeFieldValue({ var: 'fact' }, {}, { fact: value })).toBe(worth);
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
    validateScreenForm({ ...validatorOf(screen, { people: validateForm(errors) }), items: listValidator }, values, {});

  test('return the values of each item, and errors with the index of the item', () => {
    expect(check({ people: [{ name: 'Ana', age: '' }, { age: 7 }], choice: ['x'] })).toEqual({
      data: { people: [{ name: 'Ana' }, { age: 7 }], choice: ['x'], first: 'x' },
      errors: { 'people.1.name': 'Falta' },
    });
    expect(check({})).toEqual({ data: {}, errors: {} });
  });

  test('have their own messages for their length, and the field message for their type', () => {
    expect(check({ people: [{}, {}, {}] }).errors).toEqual({ people: 'Hasta 2 filas' });
    expect(check({ people: 'x' }).errors).toEqual({ people: 'Tipo' });
    const short = () => [{ keyword: 'minItems', params: { limit: 2 } }];
    expect(check({ people: [{ name: 'Ana' }] }, short).errors).toEqual({ people: 'Desde 2 filas' });
  });

  test('[SEG-04] are the only fields validated item by item, and only up to maxItems', () => {
    const asked: string[] = [];
    const items: ListValidator = {
      pruneListItems: (_, { name }, value) => (asked.push(`prune ${name}`), value),
      findListErrors: (_, { name }) => (asked.push(`errors ${name}`), []),
    };
    const look = (people: readonly unknown[]) =>
      validateScreenForm({ ...validatorOf(screen), items }, { choice: ['x'], people }, {});
    look([{ name: 'Ana' }]);
    expect(asked).toEqual(['prune people', 'errors people']);
    look([{}, {}, {}]);
    expect(asked).toHaveLength(2);
  });
});

describe('[SEG-04] value of another type or size', () => {
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
    return validateScreenForm(validator, form as Record<string, unknown>, {}).errors;
  };

  test.each([
    ['abcd', 'Hasta 3'],
    ['𠮷𠮷𠮷𠮷', 'Hasta 3'],
    [['abc'], 'Tipo'],
    [{ x: 1 }, 'Tipo'],
    [7, 'Tipo'],
  ])('is rejected with its own message and passed to no other rule: %j', (a, message) => {
    expect(told({ a, b: 'y' })).toEqual({ a: message });
    expect(asked).toEqual(['free [{"b":"y"},{"b":"y"}]']);
    expect(findFieldFault(validator, screen.fields[1] ?? field('b'), { a, b: 'y' }, {})).toBeNull();
    expect(asked).toHaveLength(1);
  });

  test('does not prevent rules of other fields that read no field', () => {
    expect(told({ a: 'abcd', c: 'y' })).toEqual({ a: 'Hasta 3' });
    expect(asked).toContain('alone ["y",{"c":"y"}]');
  });

  test('is measured in code points, and reaches all rules if it is within the limit', () => {
    expect(told({ a: '𠮷𠮷𠮷' })).toEqual({});
    expect(new Set(asked.map((line) => line.split(' ')[0]))).toEqual(new Set(['whole', 'free', 'costly', 'ajv']));
  });

  test('is an array of more than 100 items if the schema has no maxItems', () => {
    expect(told({ many: Array.from({ length: 100 }, () => 'x') })).toEqual({});
    expect(told({ many: Array.from({ length: 101 }, () => 'x') })).toEqual({ many: 'Hasta 100 opciones' });
  });

  test('is reported for only ten of many unknown names', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x${index}`, 1]));
    expect(Object.keys(told({ a: 'x', ...many }))).toEqual(Array.from({ length: 10 }, (_, index) => `x${index}`));
  });
});
