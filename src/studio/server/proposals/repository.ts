import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Person } from '../../proposal-data.ts';

/** What a proposal is made of. */
const folders = ['schemas', 'flows', 'tests/fixtures', 'tests/definitions'];

/** A commit with what it says. */
export interface Commit {
  readonly hash: string;
  readonly tree: string;
  readonly author: Person;
  /** ISO 8601. */
  readonly at: string;
  readonly message: string;
}

/** A commit that is to be made. */
export type NewCommit = Pick<Commit, 'tree' | 'author' | 'message'> & { readonly parent: string };

/** The repository that a project stands in: what is made in it are objects and branches, so that files, index and checked-out branch stay as they are. */
export class Repository {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** What git says to a command, without the last line end; null where it fails. */
  async say(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string | null> {
    return (await this.#run(words, env))?.replace(/\n$/, '') ?? null;
  }

  #run(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string | null> {
    return new Promise((resolve) => {
      const options = { cwd: this.#root, maxBuffer: 2 ** 28, env: { ...process.env, ...env } };
      execFile('git', words, options, (error, stdout) => resolve(error ? null : stdout));
    });
  }

  /** Who commits here, as git is set up; null: it does not know. */
  async person(): Promise<Person | null> {
    const [name, email] = [await this.say(['config', 'user.name']), await this.say(['config', 'user.email'])];
    return name && email ? { name, email } : null;
  }

  /** A file as the last commit has it, empty where it has none; null without a commit. */
  async committed(file: string): Promise<string | null> {
    if ((await this.say(['rev-parse', '--verify', 'HEAD'])) === null) return null;
    return (await this.say(['show', `HEAD:./${file}`])) ?? '';
  }

  /** The tree of the last commit with the definitions as they stand on the disk. */
  async treeOfFiles(): Promise<string | null> {
    const folder = await mkdtemp(join(tmpdir(), 'proposal-'));
    const env = { GIT_INDEX_FILE: join(folder, 'index') };
    try {
      if ((await this.say(['read-tree', 'HEAD'], env)) === null) return null;
      for (const own of folders) await this.say(['add', '-A', '--', own], env); // one that is missing is an error to git
      return await this.say(['write-tree'], env);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Puts a commit of somebody on a branch that stands at `before`; null: it is new. Answers whether the branch still stood there. */
  async commit(
    branch: string,
    before: string | null,
    { tree, parent, message, author: { name, email } }: NewCommit,
  ): Promise<boolean> {
    const env = {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
    };
    const made = await this.say(['commit-tree', tree, '-p', parent, '-m', message], env);
    if (made === null) return false;
    return (await this.say(['update-ref', `refs/heads/${branch}`, made, before ?? '0'.repeat(made.length)])) !== null;
  }

  /** The commits of a branch that the checked-out one does not have, the oldest first. */
  async commits(branch: string): Promise<readonly Commit[]> {
    const format = '%H%x00%T%x00%an%x00%ae%x00%aI%x00%B%x01';
    const text = await this.say(['log', '--reverse', `--format=${format}`, `HEAD..refs/heads/${branch}`]);
    return (text ?? '').split('\x01').flatMap((entry) => {
      const [hash = '', tree = '', name = '', email = '', at = '', message = ''] = entry.trimStart().split('\0');
      return hash === '' ? [] : [{ hash, tree, author: { name, email }, at, message: message.trim() }];
    });
  }

  /** The text of a file in a commit; null where it has none. */
  text(commit: string, file: string): Promise<string | null> {
    return this.#run(['cat-file', '-p', `${commit}:./${file}`]);
  }

  /** The files of the definitions that differ between the disk and a commit. */
  async differing(commit: string): Promise<readonly string[]> {
    const list = async (...words: string[]) => ((await this.say([...words, '--', ...folders])) ?? '').split('\0');
    const names = [
      ...(await list('diff', '--name-only', '--no-renames', '--relative', '-z', commit)),
      ...(await list('ls-files', '--others', '--exclude-standard', '-z')),
    ];
    return [...new Set(names)].filter((name) => name !== '').sort();
  }
}
