import { watch, type FSWatcher } from 'node:fs';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DefinitionError, type Definitions, type DefinitionsOptions, type DefinitionsSource, type Problem } from './definitions.ts';
import { loadDefinitions } from './load-definitions.ts';

/** Editors write a file in several steps: wait until they are done. */
const settleMs = 60;

/**
 * Opens a project's definitions and, with `watch`, reads them again at every change: a good set takes the place of the
 * last, a broken one leaves the last good one in service and says what is wrong. Throws a DefinitionError when the
 * first reading fails.
 */
export async function openDefinitions(options: DefinitionsOptions): Promise<DefinitionsSource> {
  let current = await loadDefinitions(options);
  let problems: readonly Problem[] = [];
  const served = new Map<string, string>();
  const listeners = new Set<() => void>();
  const serve = (definitions: Definitions) => definitions.modules.forEach(({ url, source }) => served.set(url, source));
  serve(current);

  const reload = async () => {
    try {
      current = await loadDefinitions(options);
      problems = [];
      serve(current);
    } catch (error) {
      problems = error instanceof DefinitionError ? error.problems : [unexpected(error)];
    }
    for (const listener of listeners) listener();
  };
  const watching = options.watch ? watchFolders(options.root, serialized(reload)) : { close: () => Promise.resolve() };

  return {
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
    close: watching.close,
  };
}

function watchFolders(root: string, onChange: () => Promise<void>): { close: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => (running = onChange()), settleMs);
    timer.unref();
  };
  const watchers: FSWatcher[] = ['schemas', 'flows', 'plugins']
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .map((folder) => watch(folder, { recursive: true, persistent: false }, changed));
  return {
    async close() {
      clearTimeout(timer);
      watchers.forEach((watcher) => watcher.close());
      await running;
    },
  };
}

// One reading at a time; a change during a reading starts one more after it.
function serialized(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(work, work));
}

function unexpected(error: unknown): Problem {
  return { file: 'schemas', line: 1, column: 1, pointer: '', message: String(error), hint: 'Undo the last change and make it again in smaller steps.' };
}
