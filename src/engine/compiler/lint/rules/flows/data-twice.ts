import type { Template } from '../../../../core/definition.ts';
import { isObject } from '../../../../core/json.ts';
import { escapePointer } from '../../../../core/json-pointer.ts';
import { isLogic } from '../../../../core/logic.ts';
import { say } from '../../../sources/say.ts';
import type { LintRule, Finding } from '../../finding.ts';
import { groupBy } from '../../group.ts';
import type { LintOptions } from '../../options.ts';
import { namesOf, shapeAt } from '../../shapes.ts';
import { branchesIn, effectsOf, type LintedFlow, type Subject } from '../../subject.ts';
import { wordsIn } from '../../wording/own-words.ts';

/** One value that is given to two names at once, one of which asks for another: a line was copied and half changed. */
export const dataTwice: LintRule<Subject> = {
  id: 'data/twice',
  severity: 'W',
  find: ({ flows, contract }) =>
    flows.flatMap((linted) => tablesOf(linted).flatMap((table) => twice(table, linted, contract))),
};

interface Table {
  readonly at: string;
  /** Operations rarely take a value twice; variables may. */
  readonly isSent?: true;
  readonly values: Readonly<Record<string, Template>>;
}

/** Everything that gives values to names. */
function tablesOf(linted: LintedFlow): readonly Table[] {
  const { flow, placeOf } = linted;
  const ofStates = Object.entries(flow.states).flatMap(([name, { prefill = {}, carry = {} }]) => {
    const at = `/states/${escapePointer(name)}`;
    return [
      { at: placeOf(`${at}/prefill`), values: prefill },
      { at: placeOf(`${at}/carry`), values: carry },
    ];
  });
  const ofEffects = effectsOf(linted).flatMap(({ effect: { params = {}, input }, at }) => [
    { at: `${at}/params`, isSent: true as const, values: params },
    ...(isObject(input) && !isLogic(input)
      ? [{ at: `${at}/input`, isSent: true as const, values: input as Table['values'] }]
      : []),
  ]);
  const ofBranches = branchesIn(linted).map(([{ assign = {} }, at]) => ({ at: `${at}/assign`, values: assign }));
  return [...ofStates, ...ofEffects, ...ofBranches];
}

function twice({ at, values, isSent }: Table, { file }: LintedFlow, contract: LintOptions): readonly Finding[] {
  const read = Object.entries(values).flatMap(([name, value]) => {
    const path = isLogic(value) && Object.keys(value).length === 1 ? value['var'] : undefined;
    return typeof path === 'string' ? [{ name, path }] : [];
  });
  return [...groupBy(read, ({ path }) => path).values()].flatMap((same): readonly Finding[] => {
    const own = same.find(({ name, path }) => saysAll(path, name)) ?? same[0];
    if (same.length < 2 || !own) return [];
    const isOwn = saysAll(own.path, own.name);
    return same
      .filter((one) => one !== own && !saysAll(own.name, one.name))
      .filter(({ name, path }) => hasOwn(path, name, contract) || (isOwn && (isSent ?? sharesWord(name, own.name))))
      .map(({ name, path }) => ({
        file,
        pointer: `${at}/${escapePointer(name)}`,
        message: say`"${name}" and "${own.name}" are both given "${path}".`,
        hint: say`Give "${name}" the value of its own.`,
      }));
  });
}

function parts(name: string): readonly string[] {
  return wordsIn((name.split('.').at(-1) ?? '').replaceAll(/[_-]/g, ' ').replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
}

/** Whether a path ends in all words of a name. */
function saysAll(path: string, name: string): boolean {
  const said = parts(path);
  return parts(name).every((word) => said.includes(word));
}

/** Whether a value of that name stands beside what a path leads to. */
function hasOwn(path: string, name: string, { factShapes = {} }: LintOptions): boolean {
  const [root = '', ...steps] = path.split('.');
  const schema = factShapes[root];
  const around = schema && shapeAt({ schema, optional: true }, steps.slice(0, -1));
  return around ? (namesOf(around)?.includes(name) ?? false) : false;
}

function sharesWord(one: string, other: string): boolean {
  return parts(one).some((word) => parts(other).includes(word));
}
