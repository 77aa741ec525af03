import { spawnSync } from 'node:child_process';

/** A revision such as `main`, `origin/main`, `v1.2`, `HEAD~2`, `@{u}` or a hash, but no option, path or range. */
const revisionPattern = /^(?!.*(?:\.\.|\{\/))[\p{L}\p{N}@_][\p{L}\p{N}@_./{}~^+-]{0,199}$/u;

/** Only `values` may be untrusted: they follow `--end-of-options`. Returns `null` if git fails or is missing. */
export function runGit(
  root: string,
  git: {
    readonly command: string;
    readonly options?: readonly string[];
    readonly values?: readonly string[];
    /** Paths relative to the project. They follow `--` on the command line. */
    readonly paths?: readonly string[] | undefined;
  },
): string | null {
  const { command, options = [], values = [], paths } = git;
  const words = [command, ...options, '--end-of-options', ...values, ...(paths ? ['--', ...paths] : [])];
  const { status, stdout } = spawnSync('git', words, {
    cwd: root,
    maxBuffer: 2 ** 26,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout : null;
}

export function findCommit(root: string, revision: string): string | null {
  if (!revisionPattern.test(revision)) return null;
  const hash = runGit(root, {
    command: 'rev-parse',
    options: ['--verify', '--quiet'],
    values: [`${revision}^{commit}`],
  });
  return hash?.trim() ?? null;
}

/**
 * Returns the commit with which changes are compared: the last one that HEAD shares with the default branch of the remote `origin`, so that the commits of
 * a branch count as changes. Returns HEAD without such a branch.
 */
export function findBaseCommit(root: string): string {
  return runGit(root, { command: 'merge-base', values: ['HEAD', 'origin/HEAD'] })?.trim() ?? 'HEAD';
}

/** Returns the paths of the files that differ from a commit, including new and deleted files. Returns `null` if Git cannot compare them. */
export function listChangedFiles(root: string, revision: string, paths?: readonly string[]): readonly string[] | null {
  const commit = findCommit(root, revision);
  const changed =
    commit !== null &&
    runGit(root, { command: 'diff', options: ['--name-only', '-z', '--relative'], values: [commit], paths });
  const added = runGit(root, { command: 'ls-files', options: ['--others', '--exclude-standard', '-z'], paths });
  if (typeof changed !== 'string' || added === null) return null;
  return `${changed}${added}`.split('\0').slice(0, -1);
}
