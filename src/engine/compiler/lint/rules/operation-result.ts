import type { Branch, Template } from '../../../core/definition.ts';
import { variablesOf } from '../../../core/logic.ts';
import { guess } from '../../sources/near.ts';
import type { LintRule, Finding } from '../finding.ts';
import { namesOf, shapeAt, type Shape } from '../shapes.ts';
import type { LintOptions } from '../options.ts';
import { effectsOf, type LintedFlow, type Subject } from '../subject.ts';
import { say } from '../../sources/say.ts';

/** What is read of an operation's answer and is no part of it. */
export const operationResult: LintRule<Subject> = {
  id: 'operation/result',
  severity: 'E',
  find: ({ flows, contract }) => flows.flatMap((linted) => ofFlow(linted, contract)),
};

function ofFlow(linted: LintedFlow, { operations }: LintOptions): readonly Finding[] {
  const readers = new Map<string, { readonly branch: Branch; readonly operations: Set<string> }>();
  for (const { effect } of effectsOf(linted))
    for (const branch of effect.onDone) {
      const at = linted.pointers.get(branch);
      if (at === undefined) continue;
      const reader = readers.get(at) ?? { branch, operations: new Set() };
      reader.operations.add(effect.src);
      readers.set(at, reader);
    }
  return [...readers].flatMap(([at, { branch, operations: sources }]) =>
    readsOf(branch).flatMap(([pointer, path]): Finding[] => {
      const steps = path.split('.').slice(1);
      const shapes = [...sources].flatMap((src): Shape[] => {
        const answer = operations[src]?.answer;
        return answer ? [{ schema: answer, optional: false }] : [];
      });
      // Branches that several operations share read what one of them answers.
      if (shapes.length === 0 || shapes.some((shape) => shapeAt(shape, steps) !== null)) return [];
      const depth = steps.findIndex((_, index) =>
        shapes.every((shape) => shapeAt(shape, steps.slice(0, index + 1)) === null),
      );
      const around = shapes.flatMap((shape) => shapeAt(shape, steps.slice(0, depth)) ?? []);
      const known = around.flatMap((shape) => namesOf(shape) ?? []);
      const near = guess(steps[depth] ?? '', known);
      const list = known.join(', ') || '–';
      return [
        {
          file: linted.file,
          pointer: `${at}${pointer}`,
          message: say`"${path}" is no part of what ${[...sources].join(', ')} answers.`,
          hint: say`${near}It has: ${list}.`,
        },
      ];
    }),
  );
}

function readsOf({ guard, assign, challenge, leave }: Branch): readonly (readonly [pointer: string, path: string])[] {
  const parts: readonly (readonly [string, Template | undefined])[] = [
    ['/guard', guard],
    ['/challenge', challenge],
    ['/leave', leave],
    ...Object.entries(assign ?? {}).map(([name, template]) => [`/assign/${name}`, template] as const),
  ];
  return parts.flatMap(([pointer, template]) =>
    template === undefined
      ? []
      : variablesOf(template)
          .filter((path) => path.startsWith('result.'))
          .map((path) => [pointer, path] as const),
  );
}
