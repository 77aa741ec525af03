import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { evaluateJsonLogic, isRuleTrue } from '../../src/engine/core/json-logic.ts';
import { absentCases, logicCases, logicData } from './support/logic-cases.ts';

interface ClassicLogic {
  apply(rule: unknown, data: unknown): unknown;
  truthy(value: unknown): boolean;
}

/** Returns the published JsonLogic library, without its `var` operator, which the engine replaces. */
function loadPublishedLibrary(): ClassicLogic {
  const path = createRequire(import.meta.url).resolve('json-logic-js');
  const module = { exports: {} };
  compileFunction(readFileSync(path, 'utf8'), ['module', 'exports'])(module, module.exports);
  return module.exports as ClassicLogic;
}

const classic = loadPublishedLibrary();

describe('[ENG-12] JsonLogic compared with the library json-logic-js', () => {
  test('has at least as many cases as the suite of the library', () => {
    expect(logicCases.length).toBeGreaterThanOrEqual(278);
  });

  test.each(logicCases.map(([rule, answer]) => [JSON.stringify(rule), rule, answer] as const))(
    'evaluates %s as the library does',
    (_, rule, answer) => {
      expect(evaluateJsonLogic(rule, logicData)).toEqual(answer);
      expect(classic.apply(rule, logicData)).toEqual(answer);
      expect(isRuleTrue(rule, logicData)).toBe(classic.truthy(answer));
    },
  );

  test.each(absentCases.map(([rule, answer]) => [JSON.stringify(rule), rule, answer] as const))(
    'returns null for an absent operand, unlike the library: %s',
    (_, rule, answer) => {
      expect(classic.apply(rule, logicData)).toEqual(answer);
      expect(evaluateJsonLogic(rule, logicData)).toBeNull();
      expect(isRuleTrue(rule, logicData)).toBe(false);
    },
  );

  test('finds no absent value in a text, unlike the library', () => {
    const rule = { in: [{ var: 'missing' }, 'nullable'] };
    expect([classic.apply(rule, logicData), evaluateJsonLogic(rule, logicData)]).toEqual([true, false]);
  });

  test.each(['1', 1.9, -2, '-1', 'x', true])('cuts texts as the library does, from %j', (start) => {
    for (const rest of [[], [2], ['1'], [1.9], [-1], [-20], ['x'], [0]]) {
      const rule = { substr: ['jsonlogic', start, ...rest] };
      expect(evaluateJsonLogic(rule, logicData), JSON.stringify(rule)).toBe(classic.apply(rule, logicData));
    }
  });

  test('reads no inherited property, unlike the library', () => {
    const rules = [{ var: 'b.length' }, { var: 'constructor.name' }, { var: 'list.length' }];
    expect(rules.map((rule) => classic.apply(rule, logicData))).toEqual([3, 'Object', 3]);
    expect(rules.map((rule) => evaluateJsonLogic(rule, logicData))).toEqual([null, null, 3]);
  });
});
