/**
 * Runs the project's TypeScript. Bundles the project's sources into one module, which imports packages from their
 * original folders. Bundling takes a third of a second. A loader that transforms each file would take two to four
 * seconds. `npm run build` stores compiled modules in `dist/run`. Commands with `isCached` store them in
 * node_modules/.cache/run. A stored module is reused while its sources are unchanged. Other modules are built into
 * TMPDIR and deleted.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '../..');
const prebuiltFolder = join(root, 'dist/run');
const cacheFolder = join(root, 'node_modules/.cache/run');

const missing = new Set();

/**
 * Replaces the imports of packages with absolute URLs, because the bundle is in a different folder than its sources.
 *
 * @type {import('esbuild').Plugin}
 */
const absoluteImportsPlugin = {
  name: 'where-they-are',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return null;
      // Dynamically imported development dependencies may be missing in production.
      if (!isInstalled(path)) {
        if (kind !== 'dynamic-import') missing.add(path);
        return { path, external: true };
      }
      return { path: import.meta.resolve(path), external: true };
    });
  },
};

/** @type {import('esbuild').Plugin} */
const ownLocationPlugin = {
  name: 'own-location',
  setup({ onLoad }) {
    // Replaces `import.meta.url` and `import.meta.dirname` with the original location, because some sources read files
    // in their folder.
    onLoad({ filter: /[.](tsx?|mjs)$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      if (!source.includes('import.meta.')) return null;
      const contents = source // the patterns are written so that they do not match this file, which `portal build` bundles too
        .replaceAll(/import\.meta\.url/g, JSON.stringify(pathToFileURL(path).href))
        .replaceAll(/import\.meta\.dirname/g, JSON.stringify(dirname(path)));
      return { contents, loader: path.endsWith('x') ? 'tsx' : path.endsWith('.mjs') ? 'js' : 'ts' };
    });
  },
};

/** Concatenated, because `ownLocationPlugin` replaces the literal when it bundles this file. */
const importMetaUrl = ['import', 'meta', 'url'].join('.');

/**
 * Options for a bundle that contains its packages and no source map, because both take a tenth of a second to load. esbuild stays outside: it starts
 * a program of its package.
 */
const packagesIncluded = {
  plugins: [ownLocationPlugin],
  external: ['esbuild'],
  sourcemap: false,
  mainFields: ['module', 'main'],
  banner: {
    js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${importMetaUrl});`,
  },
};

/** `prebuildSamples` builds the sample data into `dist/sample`, so that an image can omit it. */
const sampleFolder = join(root, 'src/server/app/sample');

/** @type {import('esbuild').Plugin} */
const samplePlugin = {
  name: 'samples-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^[.].*[/]sample[/]/ }, ({ path, resolveDir, kind }) => {
      const file = resolve(resolveDir, path);
      if (kind !== 'dynamic-import' || dirname(file) !== sampleFolder) return null;
      return { path: pathToFileURL(getSamplePath(file)).href, external: true };
    });
  },
};

function getSamplePath(file) {
  return join(root, 'dist/sample', `${basename(file, '.ts')}.mjs`);
}

function isInstalled(name) {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

export function createRunSource(entry) {
  return [`import ${JSON.stringify(entry)};`, dirname(entry)];
}

export function createCommandSource(file) {
  const path = JSON.stringify(`./${file}`);
  return [`export { command } from ${path}; export { runCommand } from './command.ts';`, import.meta.dirname];
}

/** Bundles and imports a module. Its source text has absolute import paths. Stack traces are relative to `folder`. */
export async function importSource(contents, folder, isCached = false) {
  process.setSourceMapsEnabled(true);
  const built = getBuiltPath(contents, folder);
  if (isUpToDate(built)) return import(pathToFileURL(built).href);
  if (isCached) return import(pathToFileURL(await buildCached(contents, folder, packagesIncluded)).href);
  const { text } = await bundle(contents, folder);
  if (missing.size > 0)
    exitWithMessage(
      `${[...missing].join(', ')}: not installed. Packages of development are needed here: install all packages (npm ci).`,
    );
  const file = writeTemporary(text);
  const forget = () => rmSync(dirname(file), { recursive: true, force: true });
  process.once('exit', forget);
  const exported = await import(pathToFileURL(file).href);
  forget();
  return exported;
}

export async function prebuild(contents, folder) {
  write(
    getBuiltPath(contents, folder),
    await bundle(contents, folder, { plugins: [samplePlugin, absoluteImportsPlugin, ownLocationPlugin] }),
  );
}

export async function prebuildSamples() {
  const entry = join(sampleFolder, 'sample-citizens.ts');
  write(getSamplePath(entry), await bundle(`export * from ${JSON.stringify(entry)};`, sampleFolder));
}

/** Reuses an up-to-date build. `options` are esbuild options. Returns the path of the built module. */
export async function buildCached(contents, folder, options = {}) {
  const path = getBuiltPath(contents, folder, cacheFolder);
  if (!isUpToDate(path)) write(path, await bundle(contents, folder, options));
  return path;
}

/** Returns a hash of the module's sources, or an empty text if the cache does not contain the module. */
export function hashCachedModule(contents, folder) {
  const list = `${getBuiltPath(contents, folder, cacheFolder)}.json`;
  return existsSync(list) ? hashText(readFileSync(list)) : '';
}

function write(path, { text, inputs }) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const isOwn = (file) => !file.includes('/node_modules/');
  const packages = inputs.every(isOwn) ? [] : [join(root, 'node_modules/.package-lock.json')];
  const digests = [...inputs.filter(isOwn), ...packages].map((file) => [file, hashText(readFileSync(file))]);
  writeFileSync(`${path}.json`, JSON.stringify(digests));
}

async function bundle(contents, folder, options = {}) {
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
    outdir: folder, // folder to which the paths in the source map are relative
    logLevel: 'error',
    plugins: [absoluteImportsPlugin, ownLocationPlugin],
    ...options,
  });
  await stop();
  const inputs = Object.keys(metafile.inputs).map((path) => join(root, path));
  return { text: outputFiles[0].contents, inputs: inputs.filter((path) => existsSync(path)) };
}

/** Hashes absolute paths too, so that a moved project does not use the modules of its previous location. */
function getBuiltPath(contents, folder, parent = prebuiltFolder) {
  return join(parent, `${hashText(`${contents}\n${folder}`).slice(0, 16)}.mjs`);
}

function isUpToDate(built) {
  if (!existsSync(`${built}.json`)) return false;
  const digests = JSON.parse(readFileSync(`${built}.json`, 'utf8'));
  return digests.every(([path, digest]) => existsSync(path) && hashText(readFileSync(path)) === digest);
}

function hashText(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** Writes a temporary file and returns its path. Prints an error and exits if writing fails. */
function writeTemporary(text) {
  try {
    const file = join(mkdtempSync(join(tmpdir(), 'portal-run-')), 'command.mjs');
    writeFileSync(file, text);
    return file;
  } catch (error) {
    const why = error.code === 'ENOSPC' ? 'it is full' : error.message;
    return exitWithMessage(
      `The program cannot be compiled into TMPDIR (${tmpdir()}): ${why}. Make room, set TMPDIR to another folder, or run \`npm run build\`, after which a start needs none.`,
    );
  }
}

function exitWithMessage(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
