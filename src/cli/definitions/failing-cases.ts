import { baseLanguage } from '../../contract/portal-config.ts';
import { readDefinitions } from '../../engine/compiler/load-definitions.ts';
import { inLanguage } from '../../engine/compiler/sources/say.ts';
import { createCheck } from '../../engine/compiler/mutate/rule-coverage.ts';
import { say } from './language.ts';
import { CommandError } from '../command.ts';
import { casesFile, readCases, type Case } from './cases.ts';

/** A field whose message differs from the expected one. An empty text means no message. */
interface CaseDifference {
  readonly field: string;
  readonly expected: string;
  readonly actual: string;
}

export interface FailingCase {
  readonly file: string;
  readonly name: string;
  readonly differences: readonly CaseDifference[];
  readonly errors: Case['errors'];
}

/** Finds the cases of some or all screens that fail. Throws a CommandError for an unknown screen or a malformed case. */
export async function failingCases(root: string, only: readonly string[] = []): Promise<readonly FailingCase[]> {
  const { set, screens } = await readDefinitions({ root, baseLanguage });
  const unknown = only.filter((name) => !screens.some(({ id }) => id === name));
  if (unknown.length > 0) throw new CommandError(`There is no screen ${unknown.join(', ')}.`);
  const failing: FailingCase[] = [];
  for (const screen of screens.filter(({ id }) => only.length === 0 || only.includes(id))) {
    const { cases, misshapen } = await readCases(root, screen.id);
    if (misshapen.length > 0) throw new CommandError(`${casesFile(screen.id)}: ${misshapen.join(', ')} are no cases.`);
    if (cases.length === 0) continue;
    const check = await createCheck(set, screen);
    for (const one of cases) {
      const errors = check(one);
      const found = differences(one.errors, errors);
      if (found.length > 0) failing.push({ file: casesFile(screen.id), name: one.name, differences: found, errors });
    }
  }
  return failing;
}

export function differences(expected: Case['errors'], actual: Case['errors']): readonly CaseDifference[] {
  return Object.keys({ ...expected, ...actual })
    .filter((field) => expected[field] !== actual[field])
    .map((field) => ({ field, expected: expected[field] ?? '', actual: actual[field] ?? '' }));
}

export function formatFailure({ file, name, differences: found }: FailingCase, language: string): readonly string[] {
  const quote = (message: string) => (message === '' ? say`nothing` : say`"${message}"`);
  return found.map(({ field, expected, actual }) => {
    const text = say`case "${name}": the rules say ${quote(actual)} of "${field}", and the case expects ${quote(expected)}.`;
    return `${file}: ${inLanguage(text, language)}`;
  });
}
