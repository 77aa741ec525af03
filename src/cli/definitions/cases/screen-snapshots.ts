import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'esbuild';
import { structuredPatch } from 'diff';
import type { Flow } from '../../../engine/core/flow-and-screen-types.ts';
import type { ValuesByName } from '../../../engine/core/json.ts';
import type { Scenario } from '../../../studio/scenario/scenario.ts';
import { buildCached, hashCachedModule } from '../../load.mjs';
import { projectRoot } from '../../project.ts';

export interface SnapshotRenderer {
  /** Renders a screen's snapshot as text, from its compiled modules in both languages. */
  readonly render: (base: string, translated: string, context: ValuesByName) => Promise<string>;
  /** Replays a scenario. Describes the first mismatch, or returns `null` if there is none. `readModule` returns a compiled screen. */
  readonly replay: (flow: Flow, scenario: Scenario, readModule: (screen: string) => string) => Promise<string | null>;
  readonly close: () => Promise<void>;
}

/** Concatenated, because `load.mjs` replaces the literal `import.meta.url` in sources. */
const importMetaUrl = ['import', 'meta', 'url'].join('.');

const folder = join(projectRoot, 'tests/definitions/support');
// Contains the names of the plugins, so that the hash of the program changes when a plugin is added or removed.
const plugins = readdirSync(join(projectRoot, 'plugins')).sort();
const programSource = `export * from './draw-outside-vitest.ts'; // ${plugins.join(' ')}`;

export function hashSnapshotRenderer(): string {
  return hashCachedModule(programSource, folder);
}

/** Bundles the renderer with its packages, because loading them one by one is slow. Reuses the previous build if no source has changed. */
export async function openSnapshotRenderer(): Promise<SnapshotRenderer> {
  const path = await buildCached(programSource, folder, {
    plugins: [viteImportsPlugin],
    define: { 'process.env.NODE_ENV': '"development"' },
    external: ['jsdom', '@edge-runtime/vm'], // optional environments of vitest, which are not installed
    minifySyntax: true,
    mainFields: ['module', 'main'],
    conditions: ['module', 'import', 'node'],
    jsx: 'automatic',
    sourcemap: false,
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${importMetaUrl});`,
    },
  });
  const { openSnapshotRenderer: open } = (await import(path)) as {
    openSnapshotRenderer: () => Promise<SnapshotRenderer>;
  }; // cast, because the module of `programSource` exports this function
  const renderer = await open();
  return {
    ...renderer,
    render: (...screen) =>
      renderer.render(...screen).catch((error: unknown) => {
        const file = error instanceof Error ? findPluginFile(error.stack ?? '', path) : undefined;
        throw error instanceof Error && file !== undefined
          ? Object.assign(error, { message: `${error.message} (${file})` })
          : error;
      }),
  };
}

/** Returns the file of the plugin whose code is innermost in a stack trace. Finds it by the comments that esbuild writes before each module of a bundle. */
export function findPluginFile(stack: string, bundle: string): string | undefined {
  const lines = readFileSync(bundle, 'utf8').split('\n');
  const modules = [...stack.matchAll(new RegExp(`/${basename(bundle)}:(\\d+):`, 'g'))].map(([, line]) =>
    lines.slice(0, Number(line)).findLast((text) => /^\/\/ \S+\.\w+$/.test(text)),
  );
  return modules.flatMap((module) => /\bplugins\/\S+/.exec(module ?? '') ?? [])[0];
}

/** Imports that only Vite supports: globs of plugin files, and script URLs, which snapshots do not load. */
const viteImportsPlugin: Plugin = {
  name: 'imports-of-vite',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /[?]/ }, ({ path }) => ({ path, namespace: 'address' }));
    onLoad({ filter: /.*/, namespace: 'address' }, ({ path }) => ({
      contents: `export default ${JSON.stringify(path)}`,
    }));
    onLoad({ filter: /[/]navigation[/]load-screen[.]ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replaceAll(
        /import[.]meta[.]glob<\w+>\('[/]plugins[/][*][/]([\w.]+)'(, \{ import: 'default' \})?\)/g,
        (_, file: string, isDefault?: string) => listImports(file, isDefault !== undefined),
      ),
    }));
  },
};

function listImports(file: string, isDefault: boolean): string {
  const having = plugins.filter((name) => existsSync(join(projectRoot, 'plugins', name, file)));
  const entries = having.map((name) => {
    const load = `import(${JSON.stringify(join(projectRoot, 'plugins', name, file))})`;
    return `'/plugins/${name}/${file}': () => ${load}${isDefault ? '.then((module) => module.default)' : ''}`;
  });
  return `({ ${entries.join(', ')} })`;
}

const maxShownLines = 24;

/** Includes one line of context around each group. `more` is the number of omitted lines, which is never one. */
export function listDifferingSnapshotLines(
  before: string,
  after: string,
): { readonly isNew: boolean; readonly lines: readonly string[]; readonly more: number } {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 1 });
  const all = hunks.flatMap(({ lines }) => lines);
  const shown = all.length === maxShownLines + 1 ? all : all.slice(0, maxShownLines);
  return { isNew: before === '', lines: shown, more: all.length - shown.length };
}
