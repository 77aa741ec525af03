import { join } from 'node:path';
import { DefinitionError, type DefinitionsSource, type Problem } from '../../../engine/compiler/definitions.ts';
import { LoadCache } from '../../../engine/compiler/sources/load-cache.ts';
import { watchFolders } from '../../../engine/compiler/open-definitions.ts';
import { contentFolder } from './content-file.ts';
import type { Content } from './content.ts';
import { loadContent } from './load-content.ts';
import { unforeseen } from '../../../engine/compiler/sources/source-file.ts';

/** Live content: the last valid set, and the problems of the current files. */
export interface ContentSource {
  readonly current: Content;
  /** Empty if the files on disk are the set in service. */
  readonly problems: readonly Problem[];
  /** Calls `listener` after each reload, successful or not. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

/**
 * Opens the help and the static pages of the project at `root`. With `watch`, reloads them when they or the routes that they link to change. An
 * invalid set leaves the last valid one in service. Throws a `DefinitionError` if the first load fails.
 */
export async function openContent({
  root,
  definitions,
  watch = false,
  language,
}: {
  root: string;
  definitions: Pick<DefinitionsSource, 'current' | 'onChange'>;
  watch?: boolean;
  /** Language of the reported problems. By default, the default language of the definitions. */
  language?: string;
}): Promise<ContentSource> {
  const cache = new LoadCache();
  const load = () => {
    const { languages, manifest } = definitions.current;
    const routes = manifest(languages[0] ?? '').routes;
    return loadContent({ root, languages, routes, language: language ?? languages[0] }, cache);
  };
  const folders = definitions.current.languages.map((language) => join(root, contentFolder, language));
  const watching = watch ? await watchFolders(folders) : null;
  let current = await load().catch(async (error: unknown) => {
    await watching?.close();
    throw error;
  });
  let problems: readonly Problem[] = [];
  const listeners = new Set<() => void>();
  const reload = async () => {
    try {
      current = await load();
      problems = [];
    } catch (error) {
      problems =
        error instanceof DefinitionError
          ? error.problems
          : [unforeseen(error, contentFolder, language ?? definitions.current.languages[0])];
    }
    for (const listener of listeners) listener();
  };
  watching?.start(reload);
  const stop = watch ? definitions.onChange(() => void reload()) : null;
  return {
    get current() {
      return current;
    },
    get problems() {
      return problems;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      stop?.();
      await watching?.close();
    },
  };
}
