import { createHash } from 'node:crypto';
import { lstat, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileTextOverrides } from '../../engine/compiler/definitions.ts';
import { readFileWithin } from '../../engine/compiler/sources/read-source.ts';
import { applyJsonEdits, JsonEditError } from '../../cli/definitions/apply-json-edits.ts';
import type { FileChange, VersionedFile } from '../studio-api-types.ts';
import { helpPagePathPattern, mailTablePathPattern, mailTextPathPattern } from './list-mails-and-help-pages.ts';

/** Maximum length of a file that the studio writes, in characters. */
export const maxDefinitionFileLength = 256 * 1024;

/** Files that the studio may write. The patterns exclude `..` and empty path segments. */
const writablePaths = [
  mailTextPathPattern,
  mailTablePathPattern,
  helpPagePathPattern,
  /^schemas\/[a-z0-9][a-z0-9-]*\/(?:schema|ui|ui\.[a-z]{2})\.json$/,
  /^schemas\/_shared\/(?:texts\/)?[a-z0-9][a-z0-9-]*(?:\.[a-z]{2})?\.json$/,
  /^flows\/[a-z0-9][a-z0-9-]*\.json$/,
  /^tests\/fixtures\/[a-z0-9][a-z0-9-]*\.(?:json|txt)$/,
  /^tests\/definitions\/walks\/[a-z0-9][a-z0-9-]*\.json$/,
  /^(?:schemas\/_lint|tests\/definitions\/(?:uncovered-rules|uncovered-texts))\.json$/,
];

export function isWritablePath(path: unknown): path is string {
  return typeof path === 'string' && writablePaths.some((pattern) => pattern.test(path));
}

/** Whether the studio may write all of these files. It must not write through symbolic links. */
export async function areWritableFiles(root: string, files: readonly { readonly file: unknown }[]): Promise<boolean> {
  for (const { file } of files) if (!isWritablePath(file) || !(await hasNoSymbolicLink(root, file))) return false;
  return true;
}

/** Whether neither the file nor one of its parent folders is a symbolic link. */
async function hasNoSymbolicLink(root: string, path: string): Promise<boolean> {
  const found = await lstat(join(root, path)).catch(() => null);
  if (found && !found.isFile()) return false;
  let folder = dirname(path);
  for (; folder !== '.'; folder = dirname(folder)) {
    const real = await realpath(join(root, folder)).catch(() => null);
    if (real !== null) return real === join(await realpath(root), folder);
  }
  return true;
}

/** Reads a file with its version. Treats a symbolic link to a target outside the folder as a missing file. */
export async function readVersionedFile(root: string, file: string): Promise<VersionedFile> {
  const text = (await readFileWithin(root, file).catch(() => null))?.toString('utf8');
  return text === undefined ? { file, version: null, text: '' } : { file, version: computeFileVersion(text), text };
}

export function computeFileVersion(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Ignores the versions on which the changes are based. Returns the reason if the changes are refused. */
export async function applyChangesToCurrentFiles(
  root: string,
  changes: readonly FileChange[],
): Promise<readonly VersionedFile[] | string> {
  if (!(await areWritableFiles(root, changes))) return 'file';
  return applyFileChanges(changes, await Promise.all(changes.map(({ file }) => readVersionedFile(root, file))));
}

export function applyFileChanges(
  changes: readonly FileChange[],
  before: readonly VersionedFile[],
): readonly VersionedFile[] | string {
  try {
    return changes.map(({ file, edits = [], text: whole, deleted }, index) => {
      if (deleted) return { file, text: '', version: null };
      const text = whole ?? applyJsonEdits(before[index]?.text ?? '', edits);
      if (file.endsWith('.json')) JSON.parse(text.replace(/^\uFEFF/, '')); // checks the syntax of all files, because the compiler does not read test cases
      return { file, text, version: computeFileVersion(text) };
    });
  } catch (error) {
    if (error instanceof JsonEditError || error instanceof SyntaxError) return error.message;
    throw error;
  }
}

export function toTextOverrides(files: readonly VersionedFile[]): FileTextOverrides {
  return new Map(files.map(({ file, version, text }) => [file, version === null ? null : text] as const));
}

/** Removes a file, and its parent folders if they become empty, because an empty folder would be an invalid screen. */
export async function removeFileAndEmptyFolders(root: string, file: string): Promise<void> {
  await rm(join(root, file), { force: true });
  try {
    for (let folder = dirname(file); folder.includes('/'); folder = dirname(folder)) await rmdir(join(root, folder));
  } catch {
    // ignores the error: a folder is not empty, or does not exist
  }
}
