import { CommandError } from '../command.ts';
import { findCommit, runGit } from '../git.ts';

/** Files of the project, relative to `root`, that differ from a commit or are untracked. Throws a CommandError if the commit does not exist. */
export function changedFiles(root: string, since: string): readonly string[] {
  const commit = findCommit(root, since);
  const lists = commit !== null && [
    runGit(root, {
      command: 'diff',
      options: ['--name-only', '--diff-filter=d', '-z', '--relative'],
      values: [commit],
    }),
    runGit(root, { command: 'ls-files', options: ['--others', '--exclude-standard', '-z'] }),
  ];
  if (!lists || lists.includes(null)) throw new CommandError(`git cannot say what changed since ${since}.`);
  return lists.flatMap((list) => (list ?? '').split('\0')).filter((path) => path !== '');
}
