import { setValue, valueAt } from '../../core/field-path.ts';
import type { Values } from '../../core/json.ts';
import { compile } from '../compile-definitions.ts';
import type { CheckResult } from '../definitions.ts';
import type { FileSet } from '../files/read-set.ts';
import type { CheckedScreen } from '../screen/checked-screen.ts';
import { mutantsOf, type Mutant } from './mutants.ts';

/** A case of QA, as far as it judges a screen. */
export interface Case {
  readonly data: Values;
  readonly context: Values;
}

/** A rule that no case tells, and the case that would: one value of a right one changed, with the messages that it hears now. */
export interface Untold {
  readonly field: string;
  readonly rule: string;
  readonly proposal: (Case & { readonly errors: CheckResult['errors'] }) | null;
}

/** The rules of a screen whose change no case notices, and how many were tried. */
export async function untoldRules(
  set: FileSet,
  screen: CheckedScreen,
  cases: readonly Case[],
): Promise<{ readonly tried: number; readonly untold: readonly Untold[] }> {
  const own = await judgeOf(set, screen);
  const mutants = mutantsOf(screen);
  const untold: Untold[] = [];
  for (const mutant of mutants) {
    const changed = await judgeOf(set, mutant.screen).catch(() => null); // a change that is no schema at all
    const tells = (one: Case) => changed !== null && !isSame(own(one), changed(one));
    if (changed === null || cases.some(tells)) continue;
    const proposed = proposalsOf(mutant, cases, own).find(tells);
    untold.push({
      field: mutant.field,
      rule: mutant.rule,
      proposal: proposed ? { ...proposed, errors: own(proposed) } : null,
    });
  }
  return { tried: mutants.length, untold };
}

type Judge = (one: Case) => CheckResult['errors'];

async function judgeOf(set: FileSet, screen: CheckedScreen): Promise<Judge> {
  const language = set.baseLanguage;
  const uis = new Map([...screen.uis].filter(([own]) => own === language));
  const definitions = await compile(set, [{ ...screen, uis }], [], []);
  return ({ data, context }) => definitions.check(screen.id, data, { language, context }).errors;
}

// The right cases first: what is refused already may hide the field that is looked at.
function proposalsOf({ field, rule, candidates }: Mutant, cases: readonly Case[], judge: Judge): readonly Case[] {
  const right = [...cases].sort((a, b) => Object.keys(judge(a)).length - Object.keys(judge(b)).length);
  return right.flatMap((one) => {
    const value = valueAt(one.data, field);
    const text = typeof value === 'string' ? value : '';
    const around =
      rule === 'pattern ^'
        ? [`-${text}`, ` ${text}`, `x${text}`]
        : rule === 'pattern $'
          ? [`${text}-`, `${text} `, `${text}x`]
          : [];
    return [...candidates, ...around].map((candidate) => {
      const data = { ...one.data };
      setValue(data, field, candidate);
      return { data, context: one.context };
    });
  });
}

function isSame(a: CheckResult['errors'], b: CheckResult['errors']): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}
