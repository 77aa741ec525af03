import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LoadDefinitionsOptions } from '../../engine/compiler/definitions.ts';
import { DefinitionLoadCache } from '../../engine/compiler/sources/load-cache.ts';
import type {
  StudioHistory,
  VersionedFile,
  DefinitionWriteResult,
  DefinitionWriteRequest,
} from '../studio-api-types.ts';
import {
  applyFileChanges,
  areWritableFiles,
  isWritablePath,
  maxDefinitionFileLength,
  readVersionedFile,
  removeFileAndEmptyFolders,
  toTextOverrides,
} from './definition-files.ts';
import { checkEdits } from './check-edits.ts';
import { addProposedCases } from './add-proposed-cases.ts';

const maxHistory = 100;

interface WriteEntry {
  readonly id: string;
  readonly before: readonly VersionedFile[];
  readonly after: readonly VersionedFile[];
}

interface WriteLog {
  readonly done: readonly WriteEntry[];
  readonly undone: readonly WriteEntry[];
}

const emptyLog: WriteLog = { done: [], undone: [] };

function parseWriteLog(text: string): WriteLog {
  const writings = JSON.parse(text) as WriteLog; // the cast is safe, because this class has stored the JSON
  const files = [...writings.done, ...writings.undone].flatMap(({ before, after }) => [...before, ...after]);
  return files.every(({ file }) => isWritablePath(file)) ? writings : emptyLog;
}

const directions = {
  undo: { list: 'done', other: 'undone', from: 'after', to: 'before' },
  redo: { list: 'undone', other: 'done', from: 'before', to: 'after' },
} as const;

/** Writes atomically, one request at a time. Rejects changes to files that were modified after they were read, and invalid definitions. */
export class DefinitionWriter {
  readonly #options: LoadDefinitionsOptions;
  readonly #log: string;
  #written: WriteLog | null = null;
  readonly #cache: DefinitionLoadCache;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: LoadDefinitionsOptions, cache = new DefinitionLoadCache()) {
    this.#options = options;
    this.#log = join(options.root, '.cache/studio/history.json');
    this.#cache = cache;
  }

  writeChanges(request: DefinitionWriteRequest): Promise<DefinitionWriteResult> {
    return this.#enqueue(() => this.#write(request));
  }

  async findHistory(): Promise<StudioHistory> {
    return { undo: await this.#next('undo'), redo: await this.#next('redo') };
  }

  /** Undoes or redoes a write. Returns a conflict if one of its files has changed in the meantime. */
  undoOrRedo(kind: keyof StudioHistory, id: string): Promise<DefinitionWriteResult> {
    return this.#enqueue(async () => {
      const { list, other, from, to } = directions[kind];
      const log = await this.#readLog();
      const writing = log[list].find((known) => known.id === id);
      if (!writing) return { outcome: 'refused', reason: 'unknown' };
      if (!(await areWritableFiles(this.#options.root, writing[to]))) return { outcome: 'refused', reason: 'file' };
      const answer = await this.#replaceChecked(writing[from], writing[to]);
      const rest = log[list].filter((known) => known !== writing);
      if (answer.outcome === 'written')
        await this.#writeLog({ ...log, [list]: rest, [other]: [...log[other], writing] });
      return answer;
    });
  }

  /** Returns the write to undo or redo next: the latest one whose files have not changed in the meantime. */
  async #next(kind: keyof StudioHistory): Promise<StudioHistory[keyof StudioHistory]> {
    const { list, from } = directions[kind];
    for (const writing of (await this.#readLog())[list].toReversed())
      if ((await this.#hasChangedSince(writing[from])).length === 0)
        return { id: writing.id, files: writing[from].map(({ file }) => file) };
    return null;
  }

  /** Returns an empty log if its file is missing or invalid, or has a path that the studio may not write. */
  async #readLog(): Promise<WriteLog> {
    this.#written ??= await readFile(this.#log, 'utf8')
      .then(parseWriteLog)
      .catch(() => emptyLog);
    return this.#written;
  }

  async #writeLog({ done, undone }: WriteLog): Promise<void> {
    this.#written = { done: done.slice(-maxHistory), undone };
    await mkdir(dirname(this.#log), { recursive: true });
    await writeFile(`${this.#log}.tmp`, JSON.stringify(this.#written));
    await rename(`${this.#log}.tmp`, this.#log);
  }

  #enqueue(work: () => Promise<DefinitionWriteResult>): Promise<DefinitionWriteResult> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #write({ changes, field, propose, dryRun = false }: DefinitionWriteRequest): Promise<DefinitionWriteResult> {
    const { root } = this.#options;
    if (!(await areWritableFiles(root, changes))) return { outcome: 'refused', reason: 'file' };
    if (new Set(changes.map(({ file }) => file)).size < changes.length) return { outcome: 'refused', reason: 'twice' };
    const read = await Promise.all(changes.map(({ file }) => readVersionedFile(root, file)));
    const changed = read.filter(({ version }, index) => version !== changes[index]?.base);
    if (changed.length > 0) return { outcome: 'conflict', files: changed };
    const applied = applyFileChanges(changes, read);
    if (typeof applied === 'string') return { outcome: 'refused', reason: applied };
    const cases = propose && (await addProposedCases(this.#options, applied, propose, this.#cache));
    const after = cases ? [...applied.filter(({ file }) => file !== cases.file), cases] : applied;
    const before = await Promise.all(
      after.map(({ file }) => read.find((own) => own.file === file) ?? readVersionedFile(root, file)),
    );
    if (after.some(({ text }) => text.length > maxDefinitionFileLength)) return { outcome: 'refused', reason: 'size' };
    const answer = await this.#replaceChecked(before, after, { field, isTrial: dryRun });
    const { done } = await this.#readLog();
    if (answer.outcome === 'written')
      await this.#writeLog({ done: [...done, { id: randomUUID(), before, after }], undone: [] });
    return answer;
  }

  /** Rejects files that have changed since `before` was read. A trial writes nothing. */
  async #replaceChecked(
    before: readonly VersionedFile[],
    after: readonly VersionedFile[],
    how: { readonly field?: string | undefined; readonly isTrial?: boolean } = {},
  ): Promise<DefinitionWriteResult> {
    const changed = await this.#hasChangedSince(before);
    if (changed.length > 0) return { outcome: 'conflict', files: changed };
    const verdict = await checkEdits(this.#options, toTextOverrides(after), how, this.#cache);
    const { problems, mismatched, partial, breaks } = verdict;
    if (problems.length > 0) return { outcome: 'problems', problems };
    if (mismatched.length > 0) return { outcome: 'mismatched', cases: mismatched };
    if (how.isTrial) return { outcome: 'fine', files: after, partial, breaks };
    const meanwhile = await this.#hasChangedSince(before);
    if (meanwhile.length > 0) return { outcome: 'conflict', files: meanwhile };
    await this.#replace(after);
    return { outcome: 'written', files: after, partial };
  }

  async #hasChangedSince(files: readonly VersionedFile[]): Promise<readonly VersionedFile[]> {
    const now = await Promise.all(files.map(({ file }) => readVersionedFile(this.#options.root, file)));
    return now.filter(({ version }, index) => version !== files[index]?.version);
  }

  /** Writes all texts to temporary files before it renames the first one, so that a failed write changes nothing. */
  async #replace(files: readonly VersionedFile[]): Promise<void> {
    const { root } = this.#options;
    const writes = files
      .filter(({ version }) => version !== null)
      .map(({ file, text }) => ({ path: join(root, file), beside: `${join(root, file)}.${randomUUID()}.tmp`, text }));
    try {
      for (const { beside, text } of writes) {
        await mkdir(dirname(beside), { recursive: true });
        await writeFile(beside, text, { flag: 'wx' });
      }
      for (const { beside, path } of writes) await rename(beside, path);
    } finally {
      for (const { beside } of writes) await rm(beside, { force: true });
    }
    for (const { file, version } of files) if (version === null) await removeFileAndEmptyFolders(root, file);
  }
}
