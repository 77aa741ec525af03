import { escapePointer } from '../../../../core/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../../../core/json.ts';
import { isLogic, variablesOf } from '../../../../core/logic.ts';
import type { Localized } from '../../../localized.ts';
import { say } from '../../../sources/say.ts';
import type { SourceFile } from '../../../sources/source-file.ts';
import type { LintRule, Finding } from '../../finding.ts';
import type { Subject } from '../../subject.ts';

/** A comparison that may surprise while a field is empty: under `!`, where its absent answer becomes true, or with an empty text or null. */
export const ruleAbsent: LintRule<Subject> = {
  id: 'rule/absent',
  severity: 'W',
  find: ({ flows, screens }) => {
    const files = [
      ...flows.map(({ file }) => file),
      ...[...screens.values()].flatMap(({ files: { ui, schema } }) => [ui ?? [], schema ?? []].flat()),
    ];
    return files.filter(({ text }) => text.includes('"var"')).flatMap(ofFile);
  },
};

const orders = ['<', '<=', '>', '>='];

function ofFile(file: SourceFile): readonly Finding[] {
  const found: Finding[] = [];
  const note = (pointer: string, message: Localized, hint: Localized) => found.push({ file, pointer, message, hint });
  const visit = (node: Json | undefined, pointer: string, around: Around): void => {
    if (Array.isArray(node)) return node.forEach((part: Json, index) => visit(part, `${pointer}/${index}`, around));
    if (!isObject(node)) return;
    const own = node as JsonObject;
    const [operator = ''] = Object.keys(own);
    if (isLogic(own) && orders.includes(operator)) ofComparison(own, operator, pointer, around);
    for (const [key, part] of Object.entries(own)) {
      const at = `${pointer}/${escapePointer(key)}`;
      if (isLogic(own)) visit(part, at, below(key, part, around));
      else visit(part, at, nowhere);
    }
  };
  const ofComparison = (own: JsonObject, operator: string, pointer: string, { negated, asked }: Around): void => {
    const operands = [own[operator]].flat() as readonly Json[];
    const empty = operands.findIndex((operand) => operand === '' || operand === null);
    const [field] = variablesOf(own).filter((path) => path.startsWith('form.'));
    if (empty >= 0 && variablesOf(own).length > 0)
      note(
        `${pointer}/${escapePointer(operator)}/${empty}`,
        say`Nothing is greater or less than no value: this comparison says nothing.`,
        say`Ask with "!" or "!!" whether there is a value.`,
      );
    else if (negated && field !== undefined && !asked.includes(field))
      note(
        pointer,
        say`This comparison is not true while ${field.slice(5)} is empty, and "!" makes that true.`,
        say`Write the opposite comparison in the place of "!", or ask for the value beside it: { "!!": [{ "var": "${field}" }] }.`,
      );
  };
  visit(file.value, '', nowhere);
  return found;
}

/** What operations around a part of a rule make of its answer. */
interface Around {
  readonly negated: boolean;
  /** Variables whose presence is asked beside it. */
  readonly asked: readonly string[];
}

const nowhere: Around = { negated: false, asked: [] };

function below(operator: string, operands: Json | undefined, around: Around): Around {
  if (operator === '!') return { ...around, negated: !around.negated };
  if (operator !== 'and' && operator !== 'or') return operator === '!!' ? around : { ...around, negated: false };
  const beside = Array.isArray(operands) ? (operands as readonly Json[]) : [];
  return { ...around, asked: [...around.asked, ...beside.flatMap(askedBy)] };
}

/** The variables whose presence a condition asks for, or whose absence. */
function askedBy(condition: Json): readonly string[] {
  if (!isObject(condition)) return [];
  const [operator = '', operand] = Object.entries(condition as Record<string, Json>)[0] ?? [];
  if (operator === 'var' || operator === 'missing') return variablesOf(condition);
  return operator === '!' || operator === '!!' ? [operand].flat().flatMap((one) => askedBy(one ?? null)) : [];
}
