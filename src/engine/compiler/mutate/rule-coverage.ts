import { setValue, valueAt } from '../../core/field-path.ts';
import { isObject, type Json, type Values } from '../../core/json.ts';
import { compile } from '../compile-definitions.ts';
import type { CheckResult } from '../definitions.ts';
import { runModule } from '../load-definitions.ts';
import type { FileSet } from '../files/read-set.ts';
import type { CheckedScreen } from '../ir.ts';
import { LoadCache } from '../sources/load-cache.ts';
import { createMutants, type Mutant } from './mutants.ts';

/** Input of a QA test case. */
export interface Case {
  readonly data: Values;
  readonly context: Values;
}

/** A rule whose change no case detects. `proposal` is a case that would detect it: a valid one with one changed value, and its current messages. */
export interface UncoveredRule {
  readonly field: string;
  readonly rule: string;
  readonly proposal: (Case & { readonly errors: CheckResult['errors'] }) | null;
}

/** Mutates every rule of a screen. Returns those whose change no case detects, and the number of mutants. */
export async function uncoveredRules(
  set: FileSet,
  screen: CheckedScreen,
  cases: readonly Case[],
): Promise<{ readonly tried: number; readonly uncovered: readonly UncoveredRule[] }> {
  const own = await createCheck(set, screen);
  const mutants = createMutants(screen);
  const uncovered: UncoveredRule[] = [];
  for (const mutant of mutants) {
    const changed = await createCheck(set, mutant.screen).catch(() => null); // not a valid schema
    const tells = (one: Case) => changed !== null && !isSame(own(one), changed(one));
    if (changed === null || cases.some(tells)) continue;
    const proposed = proposeCases(mutant, cases, own).find(tells);
    uncovered.push({
      field: mutant.field,
      rule: mutant.rule,
      proposal: proposed ? { ...proposed, errors: own(proposed) } : null,
    });
  }
  return { tried: mutants.length, uncovered };
}

type Check = (one: Case) => CheckResult['errors'];

/** Returns a function that validates a case and returns the messages by field. */
export async function createCheck(set: FileSet, screen: CheckedScreen): Promise<Check> {
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

// Valid cases first, because other errors may hide the error of the field.
function proposeCases({ place, candidates }: Mutant, cases: readonly Case[], check: Check): readonly Case[] {
  const right = [...cases].sort((a, b) => Object.keys(check(a)).length - Object.keys(check(b)).length);
  return right.flatMap(({ data, context }) =>
    candidates(present(data, place)).map((candidate) => ({
      data: changed(data, place, candidate) as Values, // the holder is a form
      context,
    })),
  );
}

/** Returns the value at a path, using the first item of lists. */
function present(holder: unknown, [name = '', ...inner]: Mutant['place']): unknown {
  const value = name === '' ? holder : isObject(holder) ? valueAt(holder, name) : undefined;
  return inner.length === 0 ? value : present(toList(value)[0], inner);
}

function changed(holder: unknown, [name = '', ...inner]: Mutant['place'], value: Json | undefined): unknown {
  const items = toList(present(holder, [name]));
  const own = inner.length === 0 ? value : [changed(items[0], inner, value), ...items.slice(1)];
  if (name === '') return own;
  const made = isObject(holder) ? { ...holder } : {};
  setValue(made, name, own);
  return made;
}

function toList(items: unknown): readonly unknown[] {
  return Array.isArray(items) ? items : [];
}

function isSame(a: CheckResult['errors'], b: CheckResult['errors']): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}
