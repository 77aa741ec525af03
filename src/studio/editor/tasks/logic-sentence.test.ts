import { describe, expect, test } from 'vitest';
import type { Logic } from '../../../engine/core/definition.ts';
import { casesOf, conditionsOf, logicOf, valueOfKind } from './conditions.ts';
import { logicSentence } from './logic-sentence.ts';

const labels = { pais: 'País' };

describe('[EST-08] a rule is a sentence', () => {
  test.each<[Logic, string]>([
    [{ var: 'flags.ayuda' }, 'la opción ayuda está encendida'],
    [{ '!': { var: 'flags.ayuda' } }, 'la opción ayuda está apagada'],
    [{ '!': [{ var: 'context.next' }] }, 'la variable next no tiene valor'],
    [{ '!': { var: 'authenticated' } }, 'la persona no inició sesión'],
    [{ '===': [{ var: 'form.pais' }, 'uy'] }, '«País» es «uy»'],
    [{ '>=': [{ var: 'user.nid' }, 2] }, 'user.nid es mayor o igual que 2'],
    [{ in: [{ var: 'form.pais' }, ['uy', 'br']] }, '«País» es «uy» o «br»'],
    [
      { and: [{ var: 'context.a' }, { or: [{ var: 'flags.x' }, { '!=': [{ var: 'form.otro' }, true] }] }] },
      'la variable a tiene valor y (la opción x está encendida o «otro» no es sí)',
    ],
    [{ '+': [1, 2] }, '1 + 2'],
    [true, 'siempre'],
    [{ and: [] }, 'nunca'],
    [{ in: [{ var: 'form.pais' }, []] }, 'nunca'],
  ])('%j', (logic, sentence) => expect(logicSentence(logic, labels)).toBe(sentence));
});

describe('[EST-08] the builder', () => {
  const rule: Logic = { or: [{ var: 'flags.x' }, { '!': { var: 'form.a' } }, { '==': [{ var: 'form.b' }, 3] }] };

  test('writes the rule that it has read, and lists every case of it', () => {
    const conditions = conditionsOf(rule);
    expect(conditions && logicOf(conditions)).toEqual(rule);
    const cases = casesOf(conditions ?? { join: 'and', list: [] });
    expect(cases).toHaveLength(8);
    expect(cases.filter(({ shown }) => !shown)).toEqual([{ holds: [false, false, false], shown: false }]);
  });

  test('leaves what it cannot say to the file; no condition is no rule', () => {
    expect(conditionsOf({ and: [{ or: [{ var: 'a' }, { var: 'b' }] }, { var: 'c' }] })).toBeNull();
    const unsaid: readonly Logic[] = [
      { in: [{ var: 'form.a' }, ['x']] },
      { '===': [{ var: 'form.a' }, 'x'] },
      { '==': [{ var: 'form.a' }, 'x', 'y'] },
      { and: [] },
    ];
    expect(unsaid.map(conditionsOf)).toEqual(unsaid.map(() => null));
    expect(logicOf({ join: 'and', list: [] })).toBeUndefined();
  });

  test('a value is typed as those of its subject are', () => {
    expect([valueOfKind('', 'boolean'), valueOfKind('false', 'boolean'), valueOfKind(false, 'boolean')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(['18', '1.5', '1.', '', '-', 'x'].map((typed) => valueOfKind(typed, 'number'))).toEqual([
      18,
      1.5,
      '1.',
      '',
      '-',
      'x',
    ]);
    expect(valueOfKind(18, 'text')).toBe('18');
  });
});
