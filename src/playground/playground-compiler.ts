import { DefinitionError, type ServedDefinitions, type DefinitionProblem } from '../engine/compiler/definitions.ts';
import type { CompilerHost } from '../engine/compiler/files/read-definition-files.ts';
import { indexPlugins } from '../engine/compiler/files/index-plugins.ts';
import { compileProject } from '../engine/compiler/pipeline.ts';
import { DefinitionLoadCache } from '../engine/compiler/sources/load-cache.ts';
import { createInternalErrorProblem } from '../engine/compiler/sources/problem-collector.ts';
import { pluginNames } from './bundled-plugins.ts';
import { baseLanguage } from './playground-texts.ts';

export type PlaygroundFiles = Readonly<Record<string, string>>;

type CompileResult =
  | { readonly definitions: ServedDefinitions; readonly problems: readonly [] }
  | { readonly definitions: null; readonly problems: readonly DefinitionProblem[] };

export function createPlaygroundCompiler(run: CompilerHost['importScreenModule']) {
  const cache = new DefinitionLoadCache();
  return async (files: PlaygroundFiles): Promise<CompileResult> => {
    try {
      return { definitions: await compileProject(createHost(files, run), readOptions(files), cache), problems: [] };
    } catch (error) {
      const problems =
        error instanceof DefinitionError ? error.problems : [createInternalErrorProblem(error, 'schemas')];
      return { definitions: null, problems };
    }
  };
}

const textsOfPlugins = Object.fromEntries(pluginNames.map(({ name, texts }) => [textsPath(name), texts]));

function createHost(files: PlaygroundFiles, run: CompilerHost['importScreenModule']): CompilerHost {
  return {
    files: {
      read: async (path) => {
        const text = files[path] ?? textsOfPlugins[path];
        return text === undefined || text === null ? `There is no ${path}` : new TextEncoder().encode(text);
      },
      list: async (folder) => {
        const below = Object.keys(files).filter((path) => path.startsWith(`${folder}/`));
        return [...new Set(below.map((path) => path.slice(folder.length + 1).split('/', 1)[0] ?? ''))].sort();
      },
    },
    plugins: async (read, problems) =>
      indexPlugins(
        await Promise.all(
          pluginNames.map(async ({ name, texts, ...plugin }) => ({
            ...plugin,
            name,
            texts: texts === null ? null : await read(textsPath(name)),
          })),
        ),
        problems,
      ),
    importScreenModule: run,
  };
}

function textsPath(plugin: string): string {
  return `plugins/${plugin}/texts.json`;
}

// Returns compiler options that declare every operation named in the files, because the playground responds to all
// operations.
function readOptions(files: PlaygroundFiles) {
  const mentions = Object.values(files).flatMap((text) => [...text.matchAll(/"(?:src|source)"\s*:\s*"([^"]+)"/g)]);
  const operations = [...new Set(mentions.map(([, name = '']) => name))];
  return { baseLanguage, operations, blocks: [], facts: [], pages: [] };
}
