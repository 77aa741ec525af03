import type { Notice, Ui } from '../core/definition.ts';
import { isObject } from '../core/json.ts';
import { checkFormat } from './check/format.ts';
import { translated } from './check-texts.ts';
import { baseLanguage, type FileSet } from './read-set.ts';
import { escapePointer, type Problems, type SourceFile } from './source-file.ts';

/** The notices of schemas/_shared/notices.json by language and name. */
export type SharedNotices = ReadonlyMap<string, Readonly<Record<string, Notice>>>;

/** Reads the notices that screens share, in every language. */
export function readNotices(set: FileSet, problems: Problems): SharedNotices {
  const notices = new Map<string, Readonly<Record<string, Notice>>>();
  const base = set.shared.get('notices.json');
  if (!base || !checkFormat(base, 'notices', problems)) return notices;
  for (const language of set.languages) {
    const patch = set.shared.get(`notices.${language}.json`);
    const value = language === baseLanguage ? base.value : patch && translated(base, patch, 'notices', problems);
    if (isObject(value))
      notices.set(language, value.$defs as unknown as Readonly<Record<string, Notice>>); // its format was just checked
    else if (!patch)
      problems.add(
        base,
        '',
        `There is no notices.${language}.json beside it.`,
        'Add it: a JSON Merge Patch with every text.',
      );
  }
  return notices;
}

/** Checks that the notices that a ui takes from the shared ones are there. */
export function checkReferences(file: SourceFile, ui: Ui, notices: SharedNotices, problems: Problems): void {
  const known = notices.get(baseLanguage) ?? {};
  for (const [name, notice] of Object.entries(ui.notices ?? {})) {
    const shared = nameOf(notice);
    if (shared === null || Object.hasOwn(known, shared)) continue;
    problems.add(
      file,
      `/notices/${escapePointer(name)}/$ref`,
      `There is no shared notice "${shared}".`,
      `Known in schemas/_shared/notices.json: ${Object.keys(known).join(', ') || 'none'}.`,
    );
  }
}

/** A ui with the shared notices in the place of their references. */
export function takeNotices(ui: Ui, notices: SharedNotices, language: string): Ui {
  if (!ui.notices) return ui;
  const taken = Object.entries(ui.notices).map(([name, notice]) => [
    name,
    notices.get(language)?.[nameOf(notice) ?? ''] ?? notice,
  ]);
  return { ...ui, notices: Object.fromEntries(taken) as Ui['notices'] }; // Object.fromEntries loses the value type
}

function nameOf(notice: Notice | { readonly $ref: string }): string | null {
  return '$ref' in notice ? notice.$ref.slice(notice.$ref.lastIndexOf('/') + 1) : null;
}
