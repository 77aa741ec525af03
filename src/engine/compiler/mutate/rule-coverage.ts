import { setValue, valueAt } from '../../core/field-path.ts';
import { isObject, type Json, type Values } from '../../core/json.ts';
import { compile } from '../compile-definitions.ts';
import type { CheckResult } from '../definitions.ts';
import { runModule } from '../files/node-host.ts';
import type { FileSet } from '../files/read-set.ts';
import type { CheckedScreen } from '../screen/checked-screen.ts';
import { LoadCache } from '../sources/load-cache.ts';
import { mutantsOf, type Mutant } from './mutants.ts';

/** Values and facts of a case of QA. */
export interface Case {
  readonly data: Values;
  readonly context: Values;
}

/** A rule that no case tells, and the case that would: one value of a right one changed, with the messages that it hears now. */
export interface UncoveredRule {
  readonly field: string;
  readonly rule: string;
  readonly proposal: (Case & { readonly errors: CheckResult['errors'] }) | null;
}

/** The rules of a screen whose change no case notices, and how many were tried. */
export async function uncoveredRules(
  set: FileSet,
  screen: CheckedScreen,
  cases: readonly Case[],
): Promise<{ readonly tried: number; readonly uncovered: readonly UncoveredRule[] }> {
  const own = await checkOf(set, screen);
  const mutants = mutantsOf(screen);
  const uncovered: UncoveredRule[] = [];
  for (const mutant of mutants) {
    const changed = await checkOf(set, mutant.screen).catch(() => null); // a change that is no schema at all
    const tells = (one: Case) => changed !== null && !isSame(own(one), changed(one));
    if (changed === null || cases.some(tells)) continue;
    const proposed = proposalsOf(mutant, cases, own).find(tells);
    uncovered.push({
      field: mutant.field,
      rule: mutant.rule,
      proposal: proposed ? { ...proposed, errors: own(proposed) } : null,
    });
  }
  return { tried: mutants.length, uncovered };
}

type Check = (one: Case) => CheckResult['errors'];

/** The messages of a screen of a set, by field, for values and facts. */
export async function checkOf(set: FileSet, screen: CheckedScreen): Promise<Check> {
  const language = set.baseLanguage;
  const uis = new Map([...screen.uis].filter(([own]) => own === language));
  const definitions = await compile({
    set,
    screens: [{ ...screen, uis }],
    flows: [],
    findings: [],
    language,
    cache: new LoadCache(),
    run: runModule,
  });
  return ({ data, context }) => definitions.check(screen.id, data, { language, context }).errors;
}

// The right cases first: what is refused already may hide the field that is looked at.
function proposalsOf({ place, candidates }: Mutant, cases: readonly Case[], check: Check): readonly Case[] {
  const right = [...cases].sort((a, b) => Object.keys(check(a)).length - Object.keys(check(b)).length);
  return right.flatMap(({ data, context }) =>
    candidates(present(data, place)).map((candidate) => ({
      data: changed(data, place, candidate) as Values, // of a form
      context,
    })),
  );
}

/** The value at a place; of one in a list, that of the first item. */
function present(holder: unknown, [name = '', ...inner]: Mutant['place']): unknown {
  const value = name === '' ? holder : isObject(holder) ? valueAt(holder, name) : undefined;
  return inner.length === 0 ? value : present(itemsOf(value)[0], inner);
}

function changed(holder: unknown, [name = '', ...inner]: Mutant['place'], value: Json | undefined): unknown {
  const items = itemsOf(present(holder, [name]));
  const own = inner.length === 0 ? value : [changed(items[0], inner, value), ...items.slice(1)];
  if (name === '') return own;
  const made = isObject(holder) ? { ...holder } : {};
  setValue(made, name, own);
  return made;
}

function itemsOf(items: unknown): readonly unknown[] {
  return Array.isArray(items) ? items : [];
}

function isSame(a: CheckResult['errors'], b: CheckResult['errors']): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}
