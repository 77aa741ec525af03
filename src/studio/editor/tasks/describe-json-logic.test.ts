import { describe, expect, test } from 'vitest';
import type { JsonLogic } from '../../../engine/core/flow-and-screen-types.ts';
import {
  buildTruthTable,
  parseRuleConditions,
  buildConditionGroupLogic,
  convertConditionValue,
} from './rule-conditions.ts';
import { describeJsonLogic } from './describe-json-logic.ts';

const names = { fields: { pais: { title: 'País', choices: [['br', 'Brasil']] } }, guards: ['sinVerificar'] } as const;

describe('[EST-08] describeJsonLogic', () => {
  test.each<[JsonLogic, string]>([
    [{ var: 'flags.ayuda' }, 'la opción «Enlaces a la ayuda» está encendida'],
    [{ '!': { var: 'flags.ayuda' } }, 'la opción «Enlaces a la ayuda» está apagada'],
    [{ '!': [{ var: 'context.next' }] }, 'la variable next no tiene valor'],
    [{ '!': { var: 'authenticated' } }, 'la persona no inició sesión'],
    [{ '===': [{ var: 'form.pais' }, 'uy'] }, '«País» es «uy»'],
    [{ '>=': [{ var: 'user.nid' }, 2] }, '«nid» de la persona es mayor o igual que 2'],
    [{ in: [{ var: 'form.pais' }, ['uy', 'br']] }, '«País» es «uy» o «Brasil»'],
    [
      { and: [{ var: 'context.a' }, { or: [{ var: 'flags.x' }, { '!=': [{ var: 'form.otro' }, true] }] }] },
      'la variable a tiene valor y (la opción «x» está encendida o «otro» no es sí)',
    ],
    [{ in: ['u', { var: 'form.pais' }] }, '«País» contiene «u»'],
    [{ '+': [1, 2] }, '1 más 2'],
    [{ '==': [{ substr: [{ var: 'context.next' }, 0, 1] }, '/'] }, 'substr(context.next, 0, 1) es «/»'],
    [true, 'siempre'],
    [{ and: [] }, 'nunca'],
    [{ in: [{ var: 'form.pais' }, []] }, 'nunca'],
  ])('%j', (logic, sentence) => expect(describeJsonLogic(logic, names)).toBe(sentence));
});

test.each<[JsonLogic, string]>([
  [{ '==': [{ var: 'error.code' }, 'en_uso'] }, 'el código del error es «en_uso»'],
  [{ '>=': [{ var: 'error.status' }, 500] }, 'el estado HTTP del error es mayor o igual que 500'],
  [{ var: 'result.next' }, '«next» de la respuesta tiene valor'],
  [{ '!': { var: 'sinVerificar' } }, 'no se cumple «sinVerificar»'],
  [{ '==': [{ var: 'form.pais' }, 'br'] }, '«País» es «Brasil»'],
])('[EST-16] describes %j with the labels of choices', (logic, sentence) => {
  expect(describeJsonLogic(logic, names)).toBe(sentence);
});

describe('[EST-08] condition builder', () => {
  const rule: JsonLogic = { or: [{ var: 'flags.x' }, { '!': { var: 'form.a' } }, { '==': [{ var: 'form.b' }, 3] }] };

  test('writes the rule that it has read, and lists all of its cases', () => {
    const conditions = parseRuleConditions(rule);
    expect(conditions && buildConditionGroupLogic(conditions)).toEqual(rule);
    const cases = buildTruthTable(conditions ?? { join: 'and', list: [] });
    expect(cases).toHaveLength(8);
    expect(cases.filter(({ shown }) => !shown)).toEqual([{ holds: [false, false, false], shown: false }]);
  });

  test('does not edit a rule that it cannot represent, and writes no rule without a condition', () => {
    const unsaid: readonly JsonLogic[] = [
      { '==': [{ var: 'form.a' }, 'x', 'y'] },
      { '==': [{ substr: [{ var: 'form.a' }, 0, 1] }, 'x'] },
      { var: ['form.a', 'x'] },
      { and: [] },
      { and: [{ var: 'form.a' }, { '+': [1, 2] }] },
    ];
    expect(unsaid.map(parseRuleConditions)).toEqual(unsaid.map(() => null));
    expect(buildConditionGroupLogic({ join: 'and', list: [] })).toBeUndefined();
    expect(buildConditionGroupLogic({ join: 'nor', list: [{ join: 'or', list: [] }] })).toBeUndefined();
  });

  test.each(['and', 'or'])('[EST-16] writes a negated group joined by %s as it was read', (join) => {
    const negated: JsonLogic = { '!': { [join]: [{ var: 'a.b' }, { '!': { '==': [{ var: 'c.d' }, 1] } }] } };
    expect(buildConditionGroupLogic(parseRuleConditions(negated) ?? { join: 'and', list: [] })).toEqual(negated);
  });

  test('[EST-16] lists the cases of groups', () => {
    const group = parseRuleConditions({ and: [{ var: 'a.b' }, { '!': { or: [{ var: 'c.d' }, { var: 'e.f' }] } }] });
    const shown = buildTruthTable(group ?? { join: 'and', list: [] }).filter((one) => one.shown);
    expect(shown).toEqual([{ holds: [true, false, false], shown: true }]);
  });

  test('converts an entered value to the type of its subject', () => {
    expect([
      convertConditionValue('', 'boolean'),
      convertConditionValue('false', 'boolean'),
      convertConditionValue(false, 'boolean'),
    ]).toEqual([true, false, false]);
    expect(['18', '1.5', '1.', '', '-', 'x'].map((typed) => convertConditionValue(typed, 'number'))).toEqual([
      18,
      1.5,
      '1.',
      '',
      '-',
      'x',
    ]);
    expect(convertConditionValue(18, 'text')).toBe('18');
  });
});
