import { commitOf, runGit } from '../git.ts';

/** Returns the text of a file in the last commit, empty if that has no such file, or `null` without a commit. */
export function committedText(root: string, file: string): string | null {
  const commit = commitOf(root, 'HEAD');
  if (commit === null) return null;
  return runGit(root, { command: 'cat-file', options: ['blob'], values: [`${commit}:./${file}`] }) ?? '';
}
