import type { Branch, Template } from '../../../core/definition.ts';
import { isObject, type Json } from '../../../core/json.ts';
import { guess } from '../../sources/near.ts';
import type { LintRule, Finding } from '../finding.ts';
import type { LintOptions } from '../options.ts';
import { effectsOf, type LintedFlow, type Subject } from '../subject.ts';
import { say } from '../../sources/say.ts';

/** A guard on the code of an error that the operation never raises, or on a status that HTTP does not have for errors. */
export const operationError: LintRule<Subject> = {
  id: 'operation/error',
  severity: 'W',
  find: ({ flows, contract }) => flows.flatMap((linted) => ofFlow(linted, contract)),
};

function ofFlow(linted: LintedFlow, { operations, commonErrors }: LintOptions): readonly Finding[] {
  const readers = new Map<string, { readonly branch: Branch; readonly operations: Set<string> }>();
  for (const { effect } of effectsOf(linted))
    for (const branch of effect.onError) {
      const at = linted.pointers.get(branch);
      if (at === undefined) continue;
      const reader = readers.get(at) ?? { branch, operations: new Set() };
      reader.operations.add(effect.src);
      readers.set(at, reader);
    }
  return [...readers].flatMap(([at, { branch, operations: sources }]) => {
    const status = valuesOf(branch.guard, 'error.status').find((one) => !isErrorStatus(Number(one)));
    if (status !== undefined)
      return [
        {
          file: linted.file,
          pointer: `${at}/guard`,
          message: say`No error has the status ${String(status)}.`,
          hint: say`Write one of HTTP from 400 to 599, or 0 where there is no connection.`,
        },
      ];
    const declared = [...sources].map((src) => operations[src]?.errors);
    if (declared.some((codes) => codes === undefined)) return [];
    const known = [...new Set([...declared.flatMap((codes) => codes ?? []), ...commonErrors])];
    return valuesOf(branch.guard, 'error.code')
      .filter((code): code is string => typeof code === 'string')
      .filter((code) => !known.includes(code))
      .map((code): Finding => {
        const near = guess(code, known);
        return {
          file: linted.file,
          pointer: `${at}/guard`,
          message: say`Nothing answers "${code}" to ${[...sources].join(', ')}.`,
          hint: say`${near}It may be: ${known.join(', ')}.`,
        };
      });
  });
}

/** The values that a rule compares a part of an error with. */
function valuesOf(rule: Template | undefined, path: string): readonly (string | number)[] {
  if (Array.isArray(rule)) return rule.flatMap((part: Json) => valuesOf(part, path));
  if (!isObject(rule)) return [];
  return Object.entries(rule as Record<string, Json>).flatMap(([operator, operands]) => {
    const [a, b]: readonly (Json | undefined)[] = Array.isArray(operands) ? operands : [];
    const isOfPath = ['==', '===', '!=', '!==', 'in'].includes(operator) && [a, b].some((side) => reads(side, path));
    return isOfPath
      ? [a, b].flatMap((side) => [side].flat()).filter((side) => typeof side === 'string' || typeof side === 'number')
      : valuesOf(operands, path);
  });
}

function reads(rule: Json | undefined, path: string): boolean {
  return isObject(rule) && rule['var'] === path;
}

function isErrorStatus(status: number): boolean {
  return status === 0 || (status >= 400 && status < 600);
}
