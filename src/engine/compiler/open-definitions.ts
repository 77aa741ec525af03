import { join } from 'node:path';
import {
  DefinitionError,
  type Definitions,
  type DefinitionsOptions,
  type DefinitionsSource,
  type Problem,
} from './definitions.ts';
import { isDocument } from './files/read-set.ts';
import { loadDefinitions } from './load-definitions.ts';
import { LoadCache } from './sources/load-cache.ts';
import { watchFolders } from './watch-folders.ts';
import { unforeseen } from './sources/report.ts';

const folders = ['schemas', 'flows', 'plugins'];

/**
 * Opens the definitions of a project. With `watch`, reloads them on every change. A set with problems does not replace the last valid one. Throws a
 * `DefinitionError` if the first load fails.
 */
export async function openDefinitions(options: DefinitionsOptions): Promise<DefinitionsSource> {
  const watching = options.watch
    ? await watchFolders(
        folders.map((folder) => join(options.root, folder)),
        (path) => !isDocument(path),
      )
    : null;
  const cache = new LoadCache();
  let current = await loadDefinitions(options, cache).catch(async (error: unknown) => {
    await watching?.close();
    throw error;
  });
  let problems: readonly Problem[] = [];
  const served = new Map<string, string>();
  const listeners = new Set<() => void>();
  const serve = (definitions: Definitions) => definitions.modules.forEach(({ url, source }) => served.set(url, source));
  serve(current);

  let prepare = async (_next: Definitions): Promise<void> => {};
  const readOnce = async () => {
    try {
      const loaded = await loadDefinitions(options, cache);
      await prepare(loaded);
      current = loaded;
      problems = [];
      serve(current);
    } catch (error) {
      problems = error instanceof DefinitionError ? error.problems : [unforeseen(error, 'schemas', options.language)];
    }
    for (const listener of listeners) listener();
  };
  watching?.start(readOnce);

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
    beforeChange(given) {
      prepare = given;
    },
    async close() {
      await watching?.close();
    },
  };
}
