import type { Definitions, DefinitionsOptions } from './definitions.ts';
import { nodeHost } from './files/node-host.ts';
import { loadSet, readUnchecked, type ReadDefinitions } from './load-set.ts';
import { LoadCache } from './sources/load-cache.ts';

/** Reads a set without checking it, e.g. one of an earlier version; what cannot be read is left out. */
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

/**
 * Reads, checks and compiles the definitions of a project. Throws a DefinitionError that lists everything wrong. With the `cache` of earlier loads
 * what they made of the same files is not made again.
 */
export function loadDefinitions(
  { root, texts, watch: _watch, ...options }: DefinitionsOptions,
  cache = new LoadCache(),
): Promise<Definitions> {
  return loadSet(nodeHost(root, texts), options, cache);
}
