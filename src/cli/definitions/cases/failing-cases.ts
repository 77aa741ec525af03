import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { baseLanguage } from '../../../contract/portal-config.ts';
import type { ServedDefinitions } from '../../../engine/compiler/definitions.ts';
import { selectLocalizedText, type LocalizedText } from '../../../engine/compiler/sources/localized-text.ts';
import { groupBy } from '../../../engine/core/json.ts';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { getScreenCasesPath, type ScreenCase, type ScreenCases } from './screen-cases.ts';
import { applyJsonEdits } from '../apply-json-edits.ts';
import { localize } from '../localized-output.ts';

/** Messages of a field in a failing case. `expected` or `actual` is empty if there is no message. */
interface CaseDifference {
  readonly field: string;
  readonly expected: string;
  readonly actual: string;
}

export interface FailingCase {
  readonly file: string;
  readonly name: string;
  readonly differences: readonly CaseDifference[];
  readonly errors: ScreenCase['errors'];
}

export function findFailingCases(
  definitions: Pick<ServedDefinitions, 'check'>,
  screen: string,
  { cases }: Pick<ScreenCases, 'cases'>,
): readonly FailingCase[] {
  return cases.flatMap(({ name, data, context, errors: expected }) => {
    const { errors } = definitions.check(screen, data, { language: baseLanguage, context });
    const found = findErrorMessageDifferences(expected, errors);
    return found.length > 0 ? [{ file: getScreenCasesPath(screen), name, differences: found, errors }] : [];
  });
}

export async function updateExpectedCaseErrors(root: string, { file, name, errors }: FailingCase): Promise<void> {
  const path = join(root, file);
  const value = Object.keys(errors).length > 0 ? errors : undefined;
  const edits = [{ pointer: `/cases/${escapePointer(name)}/errors`, ...(value && { value }) }];
  await writeFile(path, applyJsonEdits(await readFile(path, 'utf8'), edits));
}

export function findErrorMessageDifferences(
  expected: ScreenCase['errors'],
  actual: ScreenCase['errors'],
): readonly CaseDifference[] {
  return Object.keys({ ...expected, ...actual })
    .filter((field) => expected[field] !== actual[field])
    .map((field) => ({ field, expected: expected[field] ?? '', actual: actual[field] ?? '' }));
}

/** Returns the messages that the rules have for the values of the case "valid", which is never rejected: its values are wrong, or a rule. */
export function findRejectionsOfValidCase(failing: readonly FailingCase[]): readonly CaseDifference[] {
  const { differences = [] } = failing.find(({ name }) => name === 'valid') ?? {};
  return differences.filter(({ expected }) => expected === '');
}

const maxNamedCases = 3;

/** Describes the failing cases of a screen, with one line for all cases that differ in the same way. */
export function formatFailingCases(failing: readonly FailingCase[], language: string): readonly string[] {
  const all = failing.flatMap(({ file, name, differences }) => differences.map((one) => ({ ...one, file, name })));
  const rejections = findRejectionsOfValidCase(failing);
  const isRejection = ({ field, actual }: CaseDifference) =>
    rejections.some((own) => own.field === field && own.actual === actual);
  const groups = groupBy(all, ({ file, ...one }) =>
    JSON.stringify([file, one.field, one.actual, isRejection(one) ? null : one.expected]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { file, field, expected, actual } = first;
    if (isRejection(first)) {
      const cases = group.length > 1 ? localize`${'"valid"'} and ${group.length - 1} more` : '"valid"';
      const message = localize`the rules say "${actual}" of "${field}" in the case ${cases}. Give it a valid value in "data", or correct the rule.`;
      return `${file}: ${selectLocalizedText(message, language)}`;
    }
    const names = group
      .slice(0, maxNamedCases)
      .map(({ name }) => `"${name}"`)
      .join(', ');
    const more = group.length - maxNamedCases;
    const cases = more > 0 ? localize`${names} and ${more} more` : localize`${names}`;
    return `${file}: ${selectLocalizedText(describeDifference(cases, { field, expected, actual }), language)}`;
  });
}

function describeDifference(cases: LocalizedText, { field, expected, actual }: CaseDifference): LocalizedText {
  if (actual === '')
    return localize`case ${cases}: the rules say nothing of "${field}", and the case expects "${expected}".`;
  return expected === ''
    ? localize`case ${cases}: the rules say "${actual}" of "${field}", and the case expects nothing.`
    : localize`case ${cases}: the rules say "${actual}" of "${field}", and the case expects "${expected}".`;
}
