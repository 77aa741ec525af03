import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseLanguage } from '../../contract/portal-config.ts';
import { readDefinitions } from '../../engine/compiler/load-definitions.ts';
import { uncoveredRules, type UncoveredRule } from '../../engine/compiler/mutate/rule-coverage.ts';
import { readCases } from './cases.ts';

interface Excuse {
  readonly screen: string;
  readonly field: string;
  readonly rule: string;
  readonly because: string;
}

export interface RuleCoverage {
  readonly tried: number;
  readonly uncovered: readonly (UncoveredRule & { readonly screen: string })[];
  readonly unused: readonly Excuse[];
}

export const uncoveredRulesFile = 'tests/definitions/uncovered-rules.json';

/** Finds the mutants of rules that no case notices and `uncoveredRulesFile` does not excuse, for some or all screens. */
export async function ruleCoverage(root: string, only: readonly string[] = []): Promise<RuleCoverage> {
  const { set, screens } = await readDefinitions({ root, baseLanguage });
  const excuses = JSON.parse(readFileSync(join(root, uncoveredRulesFile), 'utf8')) as readonly Excuse[]; // QA writes it in this form
  const used = new Set<Excuse>();
  const uncovered: (UncoveredRule & { readonly screen: string })[] = [];
  let tried = 0;
  const chosen = screens.filter(({ id, schema }) => schema && (only.length === 0 || only.includes(id)));
  for (const screen of chosen) {
    const found = await uncoveredRules(set, screen, (await readCases(root, screen.id)).cases);
    tried += found.tried;
    for (const one of found.uncovered) {
      const excuse = excuses.find(
        ({ screen: id, field, rule }) => id === screen.id && field === one.field && rule === one.rule,
      );
      if (excuse) used.add(excuse);
      else uncovered.push({ ...one, screen: screen.id });
    }
  }
  const looked = new Set(only.length === 0 ? excuses.map(({ screen }) => screen) : only);
  return { tried, uncovered, unused: excuses.filter((excuse) => looked.has(excuse.screen) && !used.has(excuse)) };
}
