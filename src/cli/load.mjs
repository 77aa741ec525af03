/**
 * Runs TypeScript of the project: our own files become one module, which takes a third of a second, and packages are imported where they are: a
 * loader that looks at each file of each package costs a command two to four seconds. Nothing is kept, so that what runs is what the files say.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';

/** @type {import('esbuild').Plugin} */
const whereTheyAre = {
  name: 'where-they-are',
  setup({ onLoad, onResolve }) {
    // The module stands elsewhere than the packages …
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return null;
      // A package of the build alone, which is imported when it is needed, may be missing in production.
      if (kind === 'dynamic-import' && !isInstalled(path)) return { path, external: true };
      return { path: import.meta.resolve(path), external: true };
    });
    // … and than the files that it is made of, beside which some look for others.
    onLoad({ filter: /[.]tsx?$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!source.includes('import.meta.')) return null;
      const contents = source
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
};

function isInstalled(name) {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Imports a module that is written here, from the files that it names by their whole paths; answers its exports. `folder`: what its stacks are named from. */
export async function load(contents, folder) {
  process.setSourceMapsEnabled(true);
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    sourcesContent: false,
    sourceRoot: `${pathToFileURL(folder).href}/`,
    outdir: folder, // sources are named from here in the map
    logLevel: 'error',
    plugins: [whereTheyAre],
  });
  await stop();
  const place = mkdtempSync(join(tmpdir(), 'portal-run-'));
  const forget = () => rmSync(place, { recursive: true, force: true });
  process.once('exit', forget);
  const file = join(place, 'command.mjs');
  writeFileSync(file, outputFiles[0].contents);
  const exported = await import(pathToFileURL(file).href);
  forget();
  return exported;
}
