import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Person } from '../../proposal-data.ts';
import type { WriteAnswer } from '../../studio-data.ts';
import type { Repository } from '../proposals/repository.ts';

interface Kept {
  /** The commit over which the files were written. */
  readonly head: string;
  readonly files: Readonly<Record<string, readonly Person[]>>;
}

/** Who wrote the files that are not in the last commit yet: all of them are authors of what is proposed. */
export class Authors {
  readonly #path: string;
  readonly #git: Repository;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(root: string, git: Repository) {
    this.#path = join(root, '.cache/studio/authors.json');
    this.#git = git;
  }

  /** Keeps that somebody wrote what is written. Who wrote what is committed by now is forgotten before: afterwards the same files differ again. */
  async noting(person: Person, write: () => Promise<WriteAnswer>): Promise<WriteAnswer> {
    await this.#keep((kept) => kept);
    const answer = await write();
    if (answer.outcome === 'written')
      await this.#keep((kept) => ({
        ...kept,
        ...Object.fromEntries(answer.files.map(({ file }) => [file, unique([...(kept[file] ?? []), person])])),
      }));
    return answer;
  }

  #keep(change: (files: Kept['files']) => Kept['files']): Promise<void> {
    const done = this.#turn.then(async () => {
      const { head, files } = await this.#now();
      await mkdir(dirname(this.#path), { recursive: true });
      await writeFile(this.#path, JSON.stringify({ head, files: change(files) }));
    });
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** Everybody who wrote what differs from the last commit. */
  async all(): Promise<readonly Person[]> {
    const [{ files }, differing] = [await this.#now(), await this.#git.differing('HEAD')];
    return unique(differing.flatMap((name) => files[name] ?? []));
  }

  /** Of another commit what is kept counts for the files that differ from it still. */
  async #now(): Promise<Kept> {
    const head = (await this.#git.say(['rev-parse', 'HEAD'])) ?? '';
    const kept = await readFile(this.#path, 'utf8').then(
      (text) => JSON.parse(text) as Kept, // this class wrote it
      () => null,
    );
    if (!kept) return { head, files: {} };
    if (kept.head === head) return kept;
    const differing = await this.#git.differing('HEAD');
    const files = Object.entries(kept.files).filter(([name]) => differing.includes(name));
    return { head, files: Object.fromEntries(files) };
  }
}

/** Each person once. */
export function unique(people: readonly Person[]): readonly Person[] {
  return people.filter((person, index) => people.findIndex((other) => isSame(other, person)) === index);
}

/** Whether two are one person: by their address, in which letter case does not count. */
export function isSame(one: Person, other: Person): boolean {
  return one.email.toLowerCase() === other.email.toLowerCase();
}
