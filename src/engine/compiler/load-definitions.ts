import type { ServedDefinitions, LoadDefinitionsOptions, FileTextOverrides } from './definitions.ts';
import { compileProject, lowerUncheckedDefinitions, type LoweredDefinitions } from './pipeline.ts';
import { DefinitionLoadCache } from './sources/load-cache.ts';
import type { ScreenModule } from '../core/compiled-screen.ts';
import type { CompilerHost, ProjectFileReader } from './files/read-definition-files.ts';
import { readPlugins } from './files/read-plugins.ts';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readFileWithin } from './sources/read-source.ts';

/** Reads the definitions of a project without checking them, e.g. those of an earlier version. Omits unreadable files. */
export function loadUncheckedDefinitions(
  {
    root,
    texts,
    ...options
  }: Pick<LoadDefinitionsOptions, 'root' | 'texts' | 'baseLanguage' | 'separatePortal' | 'defaults'>,
  cache = new DefinitionLoadCache(),
): Promise<LoweredDefinitions> {
  return lowerUncheckedDefinitions(createNodeHost(root, texts, cache), options, cache);
}

export function loadDefinitions(
  { root, texts, watch: _watch, ...options }: LoadDefinitionsOptions,
  cache = new DefinitionLoadCache(),
): Promise<ServedDefinitions> {
  return compileProject(createNodeHost(root, texts, cache), options, cache);
}

function createNodeHost(root: string, texts: FileTextOverrides | undefined, cache: DefinitionLoadCache): CompilerHost {
  return {
    files: openProjectFiles(root, texts),
    plugins: (read, problems) => readPlugins(root, read, problems, cache),
    importScreenModule: importScreenModuleSource,
  };
}

export async function importScreenModuleSource(source: string): Promise<ScreenModule> {
  const address = `data:text/javascript;base64,${Buffer.from(source).toString('base64')}`;
  return (await import(/* @vite-ignore */ address)) as ScreenModule; // cast: the module was emitted by compile-screen.ts
}

/** Returns the files below `root`. `texts` replaces files, or removes them (`null`). A folder without remaining files does not exist. */
function openProjectFiles(root: string, texts: FileTextOverrides = new Map()): ProjectFileReader {
  const listNames = async (folder: string): Promise<ReadonlySet<string>> => {
    const names = new Set(await readdir(join(root, folder)).catch(() => [])); // no names if `folder` is not a folder
    for (const [path, text] of texts) {
      if (!path.startsWith(`${folder}/`)) continue;
      const [name = '', ...below] = path.slice(folder.length + 1).split('/');
      if (text !== null) names.add(name);
      else if (below.length === 0 || (await listNames(`${folder}/${name}`)).size === 0) names.delete(name);
    }
    return names;
  };
  return {
    read: async (path) => {
      const text = texts.get(path);
      return typeof text === 'string' ? Buffer.from(text) : readFileWithin(root, path).catch(String);
    },
    list: async (folder) => [...(await listNames(folder))].filter((name) => !name.startsWith('.')).sort(),
  };
}
