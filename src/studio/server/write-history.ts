import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { VersionedFile } from '../studio-data.ts';
import { isWritable } from './definition-files.ts';

/** How many of the last writings can be undone. */
const length = 100;

/** Files as they were before a writing and after it. */
export interface Writing {
  readonly id: string;
  readonly before: readonly VersionedFile[];
  readonly after: readonly VersionedFile[];
}

/** Writings in the order in which they were made and undone: the last one comes first to be undone or redone. */
interface Writings {
  readonly done: readonly Writing[];
  readonly undone: readonly Writing[];
}

const none: Writings = { done: [], undone: [] };

/** The writings of the studio in a file of the project, so that they outlive the server. */
export class WriteHistory {
  readonly #path: string;
  #known: Writings | null = null;

  constructor(root: string) {
    this.#path = join(root, '.cache/studio/history.json');
  }

  /** All that is kept; nothing where the file is missing, broken, or names a file that the studio may not write. */
  async read(): Promise<Writings> {
    this.#known ??= await readFile(this.#path, 'utf8')
      .then(writingsOf)
      .catch(() => none);
    return this.#known;
  }

  async keep({ done, undone }: Writings): Promise<void> {
    this.#known = { done: done.slice(-length), undone };
    await mkdir(dirname(this.#path), { recursive: true });
    await writeFile(`${this.#path}.tmp`, JSON.stringify(this.#known));
    await rename(`${this.#path}.tmp`, this.#path);
  }
}

function writingsOf(text: string): Writings {
  const writings = JSON.parse(text) as Writings; // this class wrote it
  const files = [...writings.done, ...writings.undone].flatMap(({ before, after }) => [...before, ...after]);
  return files.every(({ file }) => isWritable(file)) ? writings : none;
}
