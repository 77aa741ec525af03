import { join } from 'node:path';
import {
  DefinitionError,
  type ServedDefinitions,
  type LoadDefinitionsOptions,
  type LiveDefinitions,
  type DefinitionProblem,
} from './definitions.ts';
import { isMarkdownFile } from './files/read-definition-files.ts';
import { loadDefinitions } from './load-definitions.ts';
import { DefinitionLoadCache } from './sources/load-cache.ts';
import { createInternalErrorProblem } from './sources/problem-collector.ts';
import { readdir, stat } from 'node:fs/promises';
import { watch } from 'chokidar';

const definitionFolders = ['schemas', 'flows', 'plugins'];

/** Throws a `DefinitionError` if the first load fails. With `watch`, reloads after each change, and keeps the definitions if a load fails. */
export async function openLiveDefinitions(options: LoadDefinitionsOptions): Promise<LiveDefinitions> {
  const watching = options.watch
    ? await watchFolders(
        definitionFolders.map((folder) => join(options.root, folder)),
        (path) => !isMarkdownFile(path),
      )
    : null;
  const cache = new DefinitionLoadCache();
  let current = await loadDefinitions(options, cache).catch(async (error: unknown) => {
    await watching?.close();
    throw error;
  });
  let problems: readonly DefinitionProblem[] = [];
  const served = new Map<string, string>();
  const listeners = new Set<() => void>();
  const serve = (definitions: ServedDefinitions) =>
    definitions.modules.forEach(({ url, source }) => served.set(url, source));
  serve(current);

  let prepare = async (_next: ServedDefinitions): Promise<void> => {};
  const reload = async () => {
    try {
      const loaded = await loadDefinitions(options, cache);
      await prepare(loaded);
      current = loaded;
      problems = [];
      serve(current);
    } catch (error) {
      problems =
        error instanceof DefinitionError
          ? error.problems
          : [createInternalErrorProblem(error, 'schemas', options.language)];
    }
    for (const listener of listeners) listener();
  };
  watching?.start(reload);

  return {
    cache,
    get current() {
      return current;
    },
    get problems() {
      return problems;
    },
    module: (url) => served.get(url),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    setPreparation(given) {
      prepare = given;
    },
    async close() {
      await watching?.close();
    },
  };
}

/** Delay between a change and the reload, in milliseconds. Editors write a file in several steps, and a checkout writes many files. */
const debounceMs = 60;
/** Polling interval in milliseconds. Polling runs in addition to watcher events. Listing 500 files takes 25 ms of CPU time. */
const defaultPollMs = 10_000;

export interface FolderWatch {
  /** Calls `onChange` after changes, including changes before `start` was called. Calls never overlap. A change during a call causes another call. */
  start(onChange: () => Promise<void>): void;
  close(): Promise<void>;
}

/** Uses chokidar, because `fs.watch` loses renamed files on Node.js 20. Also polls, because watchers lose events and get none on network drives. */
export async function watchFolders(
  folders: readonly string[],
  isRead: (path: string) => boolean = () => true,
  pollMs = defaultPollMs,
): Promise<FolderWatch> {
  let listener = () => Promise.resolve();
  let begin: () => void = () => undefined;
  let running = new Promise<void>((resolve) => (begin = resolve));
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let queued = false;
  const watcher = watch([...folders], { ignoreInitial: true, persistent: false, ignored: (path) => !isRead(path) });
  watcher.on('error', (error) => process.emitWarning(`Changes of files may go unseen: ${String(error)}`));
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
  let lastDescription = await describeFiles(folders, isRead);
  const runListener = async (): Promise<void> => {
    queued = false;
    lastDescription = await describeFiles(folders, isRead); // listed before `listener` reads the files, so that later changes are noticed
    await listener();
  };
  const changed = (): void => {
    clearTimeout(timer);
    if (closed) return;
    timer = setTimeout(() => {
      queued = true;
      running = running.then(runListener, runListener);
    }, debounceMs);
    timer.unref();
  };
  const look = async (): Promise<void> => {
    if (!queued && (await describeFiles(folders, isRead)) !== lastDescription) changed();
  };
  watcher.on('all', changed);
  const looking = setInterval(() => void look(), pollMs).unref();
  return {
    start(onChange) {
      listener = onChange;
      begin();
    },
    async close() {
      closed = true;
      clearInterval(looking);
      clearTimeout(timer);
      await watcher.close();
      begin();
      await running;
    },
  };
}

async function describeFiles(folders: readonly string[], isRead: (path: string) => boolean): Promise<string> {
  const list = async (folder: string) => {
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    return names.map((name) => join(folder, name)).filter(isRead);
  };
  const describe = async (file: string) => {
    const found = await stat(file).catch(() => null);
    return found ? `${file} ${found.size} ${found.mtimeMs} ${found.ino}` : file;
  };
  const files = (await Promise.all(folders.map(list))).flat().sort();
  return (await Promise.all(files.map(describe))).join('\n');
}
