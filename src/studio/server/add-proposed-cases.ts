import { getScreenCasesPath, parseScreenCases } from '../../cli/definitions/cases/screen-cases.ts';
import { applyJsonEdits } from '../../cli/definitions/apply-json-edits.ts';
import { addProposedCase, isProposedCaseName } from '../../cli/definitions/cases/proposed-cases.ts';
import { baseLanguage } from '../../contract/portal-config.ts';
import type { ServedDefinitions, LoadDefinitionsOptions } from '../../engine/compiler/definitions.ts';
import { loadUncheckedDefinitions } from '../../engine/compiler/load-definitions.ts';
import { findUncoveredRules } from '../../engine/compiler/mutate/rule-coverage.ts';
import type { DefinitionLoadCache } from '../../engine/compiler/sources/load-cache.ts';
import { replaceIndexesWithItems } from '../../engine/core/field-path.ts';
import { escapePointer } from '../../engine/core/json-pointer.ts';
import type { VersionedFile, DefinitionWriteRequest } from '../studio-api-types.ts';
import { tryLoadDefinitions } from './check-edits.ts';
import { computeFileVersion, readVersionedFile, toTextOverrides } from './definition-files.ts';

type Proposal = NonNullable<DefinitionWriteRequest['propose']>;

/** Returns `null` if there is no case to add to the screen's file, or if the changed files are invalid. */
export async function addProposedCases(
  options: LoadDefinitionsOptions,
  changed: readonly VersionedFile[],
  { screen, fields }: Proposal,
  cache: DefinitionLoadCache,
): Promise<VersionedFile | null> {
  const changedOptions = { ...options, texts: toTextOverrides(changed) };
  const { definitions } = await tryLoadDefinitions(changedOptions, cache);
  const { set, screens } = await loadUncheckedDefinitions(changedOptions, cache);
  const own = screens.find(({ id }) => id === screen);
  const file = getScreenCasesPath(screen);
  const before = changed.find((known) => known.file === file) ?? (await readVersionedFile(options.root, file));
  if (!definitions || !own || before.version === null) return null;
  const updated = updateProposedCases(definitions, before.text, { screen, fields });
  const { uncovered } = await findUncoveredRules(set, own, parseScreenCases(updated).cases, fields);
  const text = uncovered.reduce((now, rule) => addProposedCase(now, rule, baseLanguage)?.text ?? now, updated);
  return text === before.text ? null : { file, text, version: computeFileVersion(text) };
}

/** Adds the errors of new fields to the proposed cases, because a case without the group of a new required field has one more error. */
function updateProposedCases(definitions: ServedDefinitions, text: string, { screen, fields }: Proposal): string {
  const edits = parseScreenCases(text).cases.flatMap(({ name, data, context, errors }) => {
    if (!isProposedCaseName(name)) return [];
    const actual = definitions.check(screen, data, { language: baseLanguage, context }).errors;
    const added = Object.entries(actual).filter(
      ([field]) => fields.includes(replaceIndexesWithItems(field)) && !(field in errors),
    );
    const pointer = `/cases/${escapePointer(name)}/errors`;
    return added.length === 0 ? [] : [{ pointer, value: { ...errors, ...Object.fromEntries(added) } }];
  });
  return applyJsonEdits(text, edits);
}
