import type { Definitions, DefinitionsOptions } from './definitions.ts';
import { nodeHost } from './files/node-host.ts';
import { compileSet, readUnchecked, type ReadDefinitions } from './pipeline.ts';
import { LoadCache } from './sources/load-cache.ts';

/** Reads a set without checking it, e.g. an earlier version. Unreadable parts are left out. */
export function readDefinitions(
  {
    root,
    texts,
    ...options
  }: Pick<DefinitionsOptions, 'root' | 'texts' | 'baseLanguage' | 'separatePortal' | 'defaults'>,
  cache = new LoadCache(),
): Promise<ReadDefinitions> {
  return readUnchecked(nodeHost(root, texts), options, cache);
}

/** Reads, checks and compiles a project. Throws a `DefinitionError` with all problems. Reuses results in `cache` for unchanged files. */
export function loadDefinitions(
  { root, texts, watch: _watch, ...options }: DefinitionsOptions,
  cache = new LoadCache(),
): Promise<Definitions> {
  return compileSet(nodeHost(root, texts), options, cache);
}
