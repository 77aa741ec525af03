import { existsSync, readFileSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { build, version, type BuildFailure, type Message, type Plugin as BuildPlugin } from 'esbuild';
import { asObject } from '../../core/json.ts';
import { hashForUrl } from '../sources/hash-for-url.ts';
import type { DefinitionLoadCache } from '../sources/load-cache.ts';
import { explain, type ProblemExplanation } from '../sources/localized-text.ts';

interface PluginBundle {
  readonly code: string;
  /** Data URL of `code`, so that a running server loads an edited file. */
  readonly address: string;
}

/** A file of a plugin cannot be bundled. */
interface BundleMistake {
  readonly problem: ProblemExplanation;
  /** Path relative to the project. Absent if the mistake has no location. */
  readonly file?: string;
  readonly line: number;
  readonly column: number;
}

/** A bundle, and the digests of its sources by path. The digest of a file whose import stays an import is `null`: only its existence matters. */
interface Build {
  readonly code: string;
  readonly sources: readonly Source[];
}

type Source = readonly [path: string, digest: string | null];

/** Latest bundle of each file, so that unchanged files are not bundled again. */
const builds = new Map<string, Build>();

/**
 * A widget's imports from outside of its folder stay imports. Returns the first mistake if bundling fails. `cache` stores the bundle for the next
 * process.
 */
export async function bundlePluginFile(
  root: string,
  name: string,
  file: 'rule.ts' | 'widget.tsx',
  cache: DefinitionLoadCache,
): Promise<PluginBundle | BundleMistake> {
  const folder = await realpath(join(root, 'plugins', name)); // the real path, because several project folders may link to the same plugins
  const key = `bundle of ${name}/${file}`;
  const settings = [version, ...['package.json', 'tsconfig.json'].map((path) => readIfExists(join(root, path)))];
  const buildKey = [join(folder, file), ...settings].join('\0');
  const known = [builds.get(buildKey), cache.findStored<Build>(key, settings)].find((one) =>
    one?.sources.every(isUnchanged),
  );
  if (known) {
    cache.store(key, settings, known);
    return toBundle(known);
  }
  const sources: Source[] = [];
  try {
    const { outputFiles } = await build({
      absWorkingDir: resolve(root), // error locations are relative to this folder
      entryPoints: [`./${join('plugins', name, file)}`],
      bundle: true,
      write: false,
      platform: 'browser', // rules also run in browsers
      format: 'esm',
      jsx: 'automatic',
      sourcemap: 'inline',
      sourcesContent: false,
      logLevel: 'silent',
      plugins: [checkImports(root, folder, file === 'widget.tsx', sources), recordSources(sources)],
    });
    const code = Buffer.from(outputFiles[0]?.contents ?? '').toString();
    builds.set(buildKey, { code, sources });
    cache.store(key, settings, { code, sources });
    return toBundle({ code, sources });
  } catch (error) {
    const [first] = (error as BuildFailure).errors; // cast: `build` of esbuild only throws `BuildFailure`
    const { location, text = String(error), detail }: Partial<Message> = first ?? {};
    const problem =
      detail instanceof ImportError
        ? detail.problem
        : file === 'rule.ts'
          ? explain`The rule cannot be loaded: ${text}.
              Fix the code of the plugin.`
          : explain`The widget cannot be loaded: ${text}.
              Fix the code of the plugin.`;
    const { file: path, line = 1, column = 0 } = location ?? {};
    return { problem, ...(path !== undefined && { file: path }), line, column: column + 1 };
  }
}

function toBundle({ code }: Build): PluginBundle {
  return { code, address: `data:text/javascript;base64,${Buffer.from(code).toString('base64')}` };
}

function readIfExists(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

class ImportError extends Error {
  readonly problem: ProblemExplanation;
  constructor(problem: ProblemExplanation) {
    super();
    this.problem = problem;
  }
}

/** Rejects imports of Node.js modules and of packages that the project does not list. Records the files whose imports stay imports. */
function checkImports(root: string, folder: string, isWidget: boolean, sources: Source[]): BuildPlugin {
  const packages = listPackages(root);
  return {
    name: 'imports',
    setup({ onResolve }) {
      onResolve({ filter: /./ }, ({ path, importer, kind, resolveDir }) => {
        if (kind === 'entry-point' || importer.includes('/node_modules/')) return undefined;
        if (path.startsWith('.')) {
          const target = join(resolveDir, path.replace(/\?.*/, ''));
          const isCodeInside = !relative(folder, target).startsWith('..') && /\.[jt]sx?$/.test(path);
          if (!isWidget || isCodeInside || !existsSync(target)) return undefined;
          sources.push([target, null]);
          return { path, external: true };
        }
        const name = /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;
        if (path.startsWith('node:') || builtinModules.includes(name))
          return reject(
            isWidget
              ? explain`The widget imports "${path}", which browsers do not have.
                  Query the server with "load" from toWidgetParts(props).`
              : explain`The rule imports "${path}", which browsers do not have.
                  Remove the import: the same rule runs in the browser and on the server.`,
          );
        if (packages && !packages.has(name))
          return reject(explain`"${name}" is not a package of the project.
            Add it to package.json, or remove the import.`);
        return isWidget ? { path, external: true } : undefined;
      });
    },
  };
}

function reject(problem: ProblemExplanation) {
  return { errors: [{ text: '', detail: new ImportError(problem) }] };
}

function listPackages(root: string): ReadonlySet<string> | null {
  const file = join(root, 'package.json');
  if (!existsSync(file)) return null;
  const content = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>; // cast: npm has validated package.json
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
  return new Set(kinds.flatMap((kind) => Object.keys(asObject(content[kind]))));
}

/** Records the content of each file during the build. If the files were read after the build, an edit during the build could be missed. */
function recordSources(sources: Source[]): BuildPlugin {
  return {
    name: 'noting',
    setup({ onLoad }) {
      onLoad({ filter: /./ }, async ({ path }) => {
        const contents = await readFile(path);
        sources.push([path, hashForUrl(contents)]);
        return { contents, loader: 'default' };
      });
    },
  };
}

function isUnchanged([path, digest]: Source): boolean {
  return existsSync(path) && (digest === null || hashForUrl(readFileSync(path)) === digest);
}
