import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseLanguage } from '../../contract/portal-config.ts';
import { readDefinitions } from '../../engine/compiler/load-definitions.ts';
import { untoldRules, type Untold } from '../../engine/compiler/mutate/told.ts';
import { readCases } from './cases.ts';

/** A rule that no fixture can tell, and why that is right. */
interface Excuse {
  readonly screen: string;
  readonly field: string;
  readonly rule: string;
  readonly because: string;
}

/** What the fixtures of a set leave untold. */
export interface UntoldReport {
  readonly tried: number;
  readonly untold: readonly (Untold & { readonly screen: string })[];
  /** Entries of the list of reasons that excuse nothing. */
  readonly unused: readonly Excuse[];
}

/** Where rules stand that no fixture can tell. */
export const excusesFile = 'tests/definitions/untold.json';

/** The changes of rules that no fixture notices, but for those with a reason in `excusesFile`; of some screens, or of all. */
export async function untoldIn(root: string, only: readonly string[] = []): Promise<UntoldReport> {
  const { set, screens } = await readDefinitions({ root, baseLanguage });
  const excuses = JSON.parse(readFileSync(join(root, excusesFile), 'utf8')) as readonly Excuse[]; // written by QA in this form
  const used = new Set<Excuse>();
  const untold: (Untold & { readonly screen: string })[] = [];
  let tried = 0;
  const chosen = screens.filter(({ id, schema }) => schema && (only.length === 0 || only.includes(id)));
  for (const screen of chosen) {
    const found = await untoldRules(set, screen, (await readCases(root, screen.id)).cases);
    tried += found.tried;
    for (const one of found.untold) {
      const excuse = excuses.find(
        ({ screen: id, field, rule }) => id === screen.id && field === one.field && rule === one.rule,
      );
      if (excuse) used.add(excuse);
      else untold.push({ ...one, screen: screen.id });
    }
  }
  const looked = new Set(only.length === 0 ? excuses.map(({ screen }) => screen) : only);
  return { tried, untold, unused: excuses.filter((excuse) => looked.has(excuse.screen) && !used.has(excuse)) };
}
