import type { ScreenModule } from '../../core/screen.ts';
import type { OtherTexts } from '../definitions.ts';
import type { CompilerHost, ProjectFiles } from './host.ts';
import { readPlugins } from './plugins.ts';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readFileWithin } from '../sources/read-source.ts';

export function nodeHost(root: string, texts?: OtherTexts): CompilerHost {
  return {
    files: projectFiles(root, texts),
    plugins: (read, problems) => readPlugins(root, read, problems),
    run: runModule,
  };
}

export async function runModule(source: string): Promise<ScreenModule> {
  const address = `data:text/javascript;base64,${Buffer.from(source).toString('base64')}`;
  return (await import(/* @vite-ignore */ address)) as ScreenModule; // written by compile-screen.ts
}

/** Files below `root`, with some texts replaced or removed (`null`). A folder without remaining files does not exist. */
function projectFiles(root: string, texts: OtherTexts = new Map()): ProjectFiles {
  const namesIn = async (folder: string): Promise<ReadonlySet<string>> => {
    const names = new Set(await readdir(join(root, folder)).catch(() => [])); // not a folder: no names
    for (const [path, text] of texts) {
      if (!path.startsWith(`${folder}/`)) continue;
      const [name = '', ...below] = path.slice(folder.length + 1).split('/');
      if (text !== null) names.add(name);
      else if (below.length === 0 || (await namesIn(`${folder}/${name}`)).size === 0) names.delete(name);
    }
    return names;
  };
  return {
    read: async (path) => {
      const text = texts.get(path);
      return typeof text === 'string' ? Buffer.from(text) : readFileWithin(root, path).catch(String);
    },
    list: async (folder) => [...(await namesIn(folder))].filter((name) => !name.startsWith('.')).sort(),
  };
}
