/**
 * Runs TypeScript of the project: our own files become one module, which takes a third of a second, and packages are imported where they are: a
 * loader that looks at each file of each package costs a command two to four seconds. `npm run build` keeps the modules of the product in `dist/run`.
 * One of them runs as long as each file is what it was built from; any other module is built into TMPDIR and deleted.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '../..');
/** Folder of the modules that `npm run build` keeps. */
const keptFolder = join(root, 'dist/run');

/** Packages that a module imports and that are not installed. */
const missing = new Set();

/** @type {import('esbuild').Plugin} */
const whereTheyAre = {
  name: 'where-they-are',
  setup({ onLoad, onResolve }) {
    // The module stands elsewhere than the packages …
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return null;
      // A package of the build alone, which is imported when it is needed, may be missing in production.
      if (!isInstalled(path)) {
        if (kind !== 'dynamic-import') missing.add(path);
        return { path, external: true };
      }
      return { path: import.meta.resolve(path), external: true };
    });
    // … and than the files that it is made of, beside which some look for others.
    onLoad({ filter: /[.](tsx?|mjs)$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!source.includes('import.meta.')) return null;
      const contents = source // by expressions, which these replacements leave alone in this file itself: `portal build` runs it bundled
        .replaceAll(/import\.meta\.url/g, JSON.stringify(pathToFileURL(path).href))
        .replaceAll(/import\.meta\.dirname/g, JSON.stringify(dirname(path)));
      return { contents, loader: path.endsWith('x') ? 'tsx' : path.endsWith('.mjs') ? 'js' : 'ts' };
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

/** What `load` runs for a file as such. */
export function contentsToRun(entry) {
  return [`import ${JSON.stringify(entry)};`, dirname(entry)];
}

/** What `load` runs for a command of commands.json. */
export function contentsOfCommand(file) {
  const path = JSON.stringify(`./${file}`);
  return [`export { command } from ${path}; export { runCommand } from './command.ts';`, import.meta.dirname];
}

/** Imports a module that is written here, from the files that it names by their whole paths; answers its exports. `folder`: what its stacks are named from. */
export async function load(contents, folder) {
  process.setSourceMapsEnabled(true);
  const kept = keptPath(contents, folder);
  if (isCurrent(kept)) return import(pathToFileURL(kept).href);
  const { text } = await bundle(contents, folder);
  if (missing.size > 0)
    endWith(
      `${[...missing].join(', ')}: not installed. Packages of development are needed here: install all packages (npm ci).`,
    );
  const file = writeTemporary(text);
  const forget = () => rmSync(dirname(file), { recursive: true, force: true });
  process.once('exit', forget);
  const exported = await import(pathToFileURL(file).href);
  forget();
  return exported;
}

/** Builds a module into `dist/run`, from where `load` takes it. */
export async function keep(contents, folder) {
  const { text, inputs } = await bundle(contents, folder);
  const kept = keptPath(contents, folder);
  mkdirSync(keptFolder, { recursive: true });
  writeFileSync(kept, text);
  const digests = inputs.map((path) => [path, digestOf(readFileSync(path))]);
  writeFileSync(`${kept}.json`, JSON.stringify(digests));
}

async function bundle(contents, folder) {
  const { build, stop } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: folder, sourcefile: '<stdin>' },
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
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
  const inputs = Object.keys(metafile.inputs).filter((path) => !path.endsWith('<stdin>'));
  return { text: outputFiles[0].contents, inputs: inputs.map((path) => join(root, path)) };
}

/** By the whole paths that the module names: a project that was moved has none. */
function keptPath(contents, folder) {
  return join(keptFolder, `${digestOf(`${contents}\n${folder}`).slice(0, 16)}.mjs`);
}

/** Whether a module was kept, and its files are what they were then. */
function isCurrent(kept) {
  if (!existsSync(`${kept}.json`)) return false;
  const digests = JSON.parse(readFileSync(`${kept}.json`, 'utf8'));
  return digests.every(([path, digest]) => existsSync(path) && digestOf(readFileSync(path)) === digest);
}

function digestOf(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** Writes the module into a folder of its own. Ends the process with one sentence where that cannot be. */
function writeTemporary(text) {
  try {
    const file = join(mkdtempSync(join(tmpdir(), 'portal-run-')), 'command.mjs');
    writeFileSync(file, text);
    return file;
  } catch (error) {
    const why = error.code === 'ENOSPC' ? 'it is full' : error.message;
    return endWith(
      `The program cannot be compiled into TMPDIR (${tmpdir()}): ${why}. Make room, set TMPDIR to another folder, or run \`npm run build\`, after which a start needs none.`,
    );
  }
}

/** Ends the process with one sentence. */
function endWith(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
