import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { evaluate, isRuleTrue } from '../../src/engine/core/logic.ts';
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

describe('[ENG-12] JSON-logic is the classic one', () => {
  test('there are more cases than its own suite has', () => {
    expect(logicCases.length).toBeGreaterThanOrEqual(278);
  });

  test.each(logicCases.map(([rule, answer]) => [JSON.stringify(rule), rule, answer] as const))(
    '%s',
    (_, rule, answer) => {
      expect(evaluate(rule, logicData)).toEqual(answer);
      expect(classic.apply(rule, logicData)).toEqual(answer);
      expect(isRuleTrue(rule, logicData)).toBe(classic.truthy(answer));
    },
  );

  test.each(absentCases.map(([rule, answer]) => [JSON.stringify(rule), rule, answer] as const))(
    'but for an absent operand: %s',
    (_, rule, answer) => {
      expect(classic.apply(rule, logicData)).toEqual(answer);
      expect(evaluate(rule, logicData)).toBeNull();
      expect(isRuleTrue(rule, logicData)).toBe(false);
    },
  );

  test('and nothing is in no text', () => {
    const rule = { in: [{ var: 'missing' }, 'nullable'] };
    expect([classic.apply(rule, logicData), evaluate(rule, logicData)]).toEqual([true, false]);
  });

  test.each(['1', 1.9, -2, '-1', 'x', true])('texts are cut as by the library, from %j', (start) => {
    for (const rest of [[], [2], ['1'], [1.9], [-1], [-20], ['x'], [0]]) {
      const rule = { substr: ['jsonlogic', start, ...rest] };
      expect(evaluate(rule, logicData), JSON.stringify(rule)).toBe(classic.apply(rule, logicData));
    }
  });

  test('but for what is inherited, which is no variable here', () => {
    const rules = [{ var: 'b.length' }, { var: 'constructor.name' }, { var: 'list.length' }];
    expect(rules.map((rule) => classic.apply(rule, logicData))).toEqual([3, 'Object', 3]);
    expect(rules.map((rule) => evaluate(rule, logicData))).toEqual([null, null, 3]);
  });
});
