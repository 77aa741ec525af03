import { everyFieldOf } from '../../screen/fields-of-schema.ts';
import { say } from '../../sources/say.ts';
import { slowSign } from '../../sources/slow-sign.ts';
import type { LintRule, Finding, Subject } from '../subject.ts';

/** Reports patterns with super-linear matching time. A few thousand characters would block the page and the server. */
export const ruleSlow: LintRule<Pick<Subject, 'screens'>> = {
  id: 'rule/slow',
  severity: 'E',
  find: ({ screens }) =>
    [...screens.values()].flatMap(({ schema, files }): readonly Finding[] => {
      const file = files.schema;
      if (!schema || !file) return [];
      return everyFieldOf(schema).flatMap(([, { pattern }, , pointer]) => {
        const sign = typeof pattern === 'string' ? slowSign(pattern) : null;
        return sign === null
          ? []
          : {
              file,
              pointer: `${pointer}/pattern`,
              message: say`Many "${sign}" in a row take this pattern too long.`,
              hint: say`Let each sign be taken in one way: no repetition inside or right behind another one of the same signs.`,
            };
      });
    }),
};
