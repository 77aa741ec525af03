import { escapePointer } from '../../../core/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { hasEmptyRange } from '../empty-range.ts';
import { isLogic, variablesOf } from '../../../core/logic.ts';
import { say } from '../../sources/say.ts';
import type { LintRule, Finding } from '../finding.ts';
import type { LintedScreen, Subject } from '../subject.ts';
import { evaluateGuard } from '../../explore/evaluate-rules.ts';
import { Assignment } from '../../explore/assignment.ts';

/** A rule of a screen that contradicts itself, or that always holds, whatever is filled in and whoever reads. */
export const ruleConstant: LintRule<Subject> = {
  id: 'rule/constant',
  severity: 'W',
  find: (subject) => [...subject.screens.values()].flatMap((screen) => ofScreen(screen, subject)),
};

/** A rule that reads more is not tried in every state: the states double with each. */
const mostRead = 8;

function ofScreen({ files, schema }: LintedScreen, { contract }: Subject): readonly Finding[] {
  const file = files.ui;
  if (!file) return [];
  const facts = Object.entries(contract.factShapes ?? {}).map(([root, own]) => [root, { schema: own, optional: true }]);
  const form = { schema: { ...(schema ?? {}), required: [] } as JsonObject, optional: false };
  const assignment = new Assignment(new Map(), Object.fromEntries(facts)).enterRoots([['form', form]]);
  return conditionsIn(file.value).flatMap(([pointer, rule]): readonly Finding[] => {
    const read = variablesOf(rule).length;
    if (read === 0 || read > mostRead) return [];
    const verdicts = hasEmptyRange(rule) ? new Set([false]) : new Set(evaluateGuard(rule, assignment).map(({ holds }) => holds));
    if (verdicts.size !== 1) return [];
    const [always] = verdicts;
    return [
      {
        file,
        pointer,
        message: always
          ? say`This rule always holds, whatever is filled in.`
          : say`This rule contradicts itself: it never holds.`,
        hint: always
          ? say`Remove the rule, or write what was meant.`
          : say`Remove one of its conditions, or use "or" in the place of "and".`,
        ...(always && { fix: [{ file: file.path, pointer }] }),
      },
    ];
  });
}

/** What decides whether a part of a screen is shown, by pointer. */
function conditionsIn(ui: Json): readonly (readonly [pointer: string, rule: Json])[] {
  const found: (readonly [string, Json])[] = [];
  const visit = (node: Json | undefined, pointer: string): void => {
    if (Array.isArray(node)) return node.forEach((part: Json, index) => visit(part, `${pointer}/${index}`));
    if (!isObject(node)) return;
    for (const [key, part] of Object.entries(node as JsonObject)) {
      const at = `${pointer}/${escapePointer(key)}`;
      if ((key === 'visible' || pointer === '/visible') && isLogic(part)) found.push([at, part]);
      else visit(part, at);
    }
  };
  visit(ui, '');
  return found;
}
