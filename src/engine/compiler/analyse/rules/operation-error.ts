import type { Branch, Template } from '../../../core/definition.ts';
import { isObject, type Json } from '../../../core/json.ts';
import { guess } from '../../sources/near.ts';
import type { AnalysisRule, Finding } from '../finding.ts';
import type { AnalysisOptions } from '../options.ts';
import { effectsOf, type AnalysedFlow, type Subject } from '../subject.ts';
import { say } from '../../sources/say.ts';

/** A guard on the code of an error that the operation never raises. */
export const operationError: AnalysisRule<Subject> = {
  id: 'operation/error',
  severity: 'W',
  find: ({ flows, contract }) => flows.flatMap((analysed) => ofFlow(analysed, contract)),
};

function ofFlow(analysed: AnalysedFlow, { operations, commonErrors }: AnalysisOptions): readonly Finding[] {
  const readers = new Map<string, { readonly branch: Branch; readonly operations: Set<string> }>();
  for (const { effect } of effectsOf(analysed))
    for (const branch of effect.onError) {
      const at = analysed.pointers.get(branch);
      if (at === undefined) continue;
      const reader = readers.get(at) ?? { branch, operations: new Set() };
      reader.operations.add(effect.src);
      readers.set(at, reader);
    }
  return [...readers].flatMap(([at, { branch, operations: sources }]) => {
    const declared = [...sources].map((src) => operations[src]?.errors);
    if (declared.some((codes) => codes === undefined)) return [];
    const known = [...new Set([...declared.flatMap((codes) => codes ?? []), ...commonErrors])];
    return codesOf(branch.guard)
      .filter((code) => !known.includes(code))
      .map((code): Finding => {
        const near = guess(code, known);
        return {
          file: analysed.file,
          pointer: `${at}/guard`,
          message: say`Nothing answers "${code}" to ${[...sources].join(', ')}.`,
          hint: say`${near}It may be: ${known.join(', ')}.`,
        };
      });
  });
}

/** The codes that a rule compares an error's with. */
function codesOf(rule: Template | undefined): readonly string[] {
  if (Array.isArray(rule)) return rule.flatMap((part: Json) => codesOf(part));
  if (!isObject(rule)) return [];
  return Object.entries(rule as Record<string, Json>).flatMap(([operator, operands]) => {
    const [a, b]: readonly (Json | undefined)[] = Array.isArray(operands) ? operands : [];
    const isOfCode = ['==', '===', '!=', '!==', 'in'].includes(operator) && [a, b].some(readsCode);
    return isOfCode
      ? [a, b].flatMap((side) => [side].flat()).filter((side): side is string => typeof side === 'string')
      : codesOf(operands);
  });
}

function readsCode(rule: Json | undefined): boolean {
  return isObject(rule) && rule['var'] === 'error.code';
}
