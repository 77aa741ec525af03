import { execFileSync } from 'node:child_process';
import { CommandError } from '../command.ts';

/** Files of the project, by their paths from `root`, that differ from a commit or that git does not know yet. Throws a CommandError where git knows no such commit. */
export function changedFiles(root: string, since: string): readonly string[] {
  const git = (...words: string[]): string[] =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
      .split('\0')
      .filter((path) => path !== '');
  try {
    const commit = execFileSync('git', ['rev-parse', '--verify', '--end-of-options', `${since}^{commit}`], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
    return [
      ...git('diff', '--name-only', '--diff-filter=d', '-z', '--relative', commit),
      ...git('ls-files', '--others', '--exclude-standard', '-z'),
    ];
  } catch (cause) {
    throw new CommandError(`git cannot say what changed since ${since}.`, { cause });
  }
}
