import { baseLanguage } from '../../contract/portal-config.ts';
import {
  type DefinitionChange,
  compareScreens,
  compareDefinitions,
} from '../../engine/compiler/compare/compare-definitions.ts';
import { loadUncheckedDefinitions } from '../../engine/compiler/load-definitions.ts';
import type { LoweredDefinitions } from '../../engine/compiler/pipeline.ts';
import { DefinitionLoadCache } from '../../engine/compiler/sources/load-cache.ts';
import { flowAccessLevels, operationInputDefaults } from '../../server/app/definition-options.ts';
import { findCommit, listChangedFiles, runGit } from '../git.ts';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFieldUiText } from '../../engine/core/screen-ui-queries.ts';
import type { Json } from '../../engine/core/json.ts';
import { describeTextPlace } from '../../studio/editor/titles.ts';
import { selectLocalizedText } from '../../engine/compiler/sources/localized-text.ts';
import { localize } from './localized-output.ts';

const loadDefinitions = (root: string, cache?: DefinitionLoadCache) =>
  loadUncheckedDefinitions({ root, baseLanguage, defaults: operationInputDefaults }, cache);

export interface DefinitionComparison {
  readonly changes: readonly DefinitionChange[];
  readonly screens: readonly string[];
}

/** Caches the definitions of the commit that was compared last. Returns `null` if a commit does not exist or has no definitions. */
export function createDefinitionComparer(root: string): (commit: string) => Promise<DefinitionComparison | null> {
  const cache = new DefinitionLoadCache();
  let known: { readonly hash: string; readonly before: LoweredDefinitions | null } | null = null;
  return async (commit) => {
    const hash = findCommit(root, commit);
    if (hash === null) return null;
    if (listChangedFiles(root, hash, ['schemas', 'flows'])?.length === 0) return { changes: [], screens: [] };
    if (known?.hash !== hash) {
      const version = extractCommittedDefinitions(root, hash);
      known = { hash, before: version && (await loadDefinitions(version.folder).finally(version.remove)) };
    }
    const { before } = known;
    if (!before) return null;
    const after = await loadDefinitions(root, cache);
    const screens = compareScreens(before.screens, after.screens).map(({ where }) => where);
    return { changes: compareDefinitions(before, after, flowAccessLevels), screens: [...new Set(screens)].sort() };
  };
}

/** Writes to a temporary folder with a link to the current plugins. Returns `null` if the commit does not exist or has no definitions. */
export function extractCommittedDefinitions(
  root: string,
  commit: string,
): { folder: string; remove: () => void } | null {
  const hash = findCommit(root, commit);
  if (hash === null) return null;
  const folder = mkdtempSync(join(tmpdir(), 'definitions-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const archive = join(folder, 'version.tar');
  const packed = runGit(root, {
    command: 'archive',
    options: [`--output=${archive}`],
    values: [hash, 'schemas', 'flows'],
  });
  if (packed === null || spawnSync('tar', ['-xf', archive, '-C', folder]).status !== 0) {
    remove();
    return null;
  }
  rmSync(archive);
  symlinkSync(join(root, 'plugins'), join(folder, 'plugins'));
  return { folder, remove };
}

/** Reads a file as it is in a commit. Returns an empty text if the commit lacks the file, and `null` if there is no commit. */
export function readCommittedFile(root: string, file: string, revision = 'HEAD'): string | null {
  const text = runGit(root, { command: 'cat-file', options: ['blob'], values: [`${revision}:./${file}`] });
  return text ?? (findCommit(root, revision) === null ? null : '');
}

export function formatDefinitionChanges(changes: readonly DefinitionChange[], language: 'es' | 'en'): string {
  const formatPart = (breaking: boolean) => {
    const own = changes.filter((change) => change.breaking === breaking);
    const lines = own.map((change) => `  ${change.where}: ${formatDefinitionChange(change, language)}\n`);
    return own.length === 0
      ? ''
      : `${(breaking ? localize`Breaks something that was:` : localize`Breaks nothing:`)[language]}\n${lines.join('')}`;
  };
  return changes.length === 0 ? `${localize`Nothing changed.`[language]}\n` : formatPart(true) + formatPart(false);
}

/** Formats a change with the location of its text: in Spanish in the studio's words, in English as a JSON pointer. */
export function formatDefinitionChange({ place, text }: DefinitionChange, language: 'es' | 'en'): string {
  const sentence = selectLocalizedText(text, language);
  if (!place) return sentence;
  const { pointer, ui } = place;
  const fields = Object.fromEntries(
    Object.keys(ui.fields ?? {}).map((name) => [name, { title: findFieldUiText(ui, name, 'ui:title') ?? name }]),
  );
  const location = language === 'es' ? describeTextPlace(pointer, ui as unknown as Json, fields) : pointer; // definitions are JSON, but `Ui` is not assignable to `Json`
  return `${location} ${sentence}`;
}
