import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';
import { pageDocumentPaths, prerenderModulePath } from '../server/web/pages/page-source.ts';
import { StartError } from '../server/platform/base/errors.ts';
import { computeSourceHash } from './source-hash.ts';

const portalBuildFolder = 'dist/portal';

/** Builds the browser files if they are missing, if their sources have changed, or with `force`. */
export async function buildPortal(root: string, { force }: { force: boolean }): Promise<void> {
  const hash = await computeSourceHash(root);
  const stamp = join(root, portalBuildFolder, '.sources');
  if (!force && (await readFile(stamp, 'utf8').catch(() => '')) === hash) return;
  process.stdout.write('Building the portal...\n');
  const { build } = await importVite();
  await build({ root, logLevel: 'warn', plugins: [createContractReducer(['desk'])] });
  // A separate build for the desk, so that citizens download none of its code and it does not affect how their scripts are split.
  await build({
    root,
    logLevel: 'warn',
    plugins: [createContractReducer()],
    build: {
      emptyOutDir: false,
      manifest: '.vite/desk.json',
      rolldownOptions: { input: join(root, pageDocumentPaths.desk) },
    },
  });
  // Bundles all dependencies, because a server installed without development dependencies lacks the portal's packages.
  await build({
    root,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: true },
    build: {
      ssr: 'src/portal/prerender/prerender.tsx',
      outDir: dirname(join(portalBuildFolder, prerenderModulePath)),
      manifest: false,
      rolldownOptions: { checks: { ineffectiveDynamicImport: false } }, // hides warnings about dynamic imports, because only browsers execute them
    },
  });
  await compressAssets(join(root, portalBuildFolder, 'assets'));
  await writeFile(stamp, hash);
}

/** Imports Vite. Throws a StartError if Vite is not installed, as after `npm ci --omit=dev`. */
async function importVite() {
  return await import('vite').catch((error: unknown): never => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new StartError(
      'The portal is not built, or its sources changed since. Install all packages (npm ci), run npm run build, then leave those of the build out (npm prune --omit=dev).',
    );
  });
}

/** Removes the schemas and errors of all contract modules, because browsers do not use them, and everything in the modules that `without` names. */
function createContractReducer(without: readonly string[] = []): Plugin {
  return {
    name: 'operations-alone',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/src/contract/operations/operation-modules.ts')) return null;
      return code.replace(/import \* as (\w+) from ('[^']+');/g, (_, module: string, file: string) =>
        without.includes(module)
          ? `const ${module} = {};`
          : `import { operations as ${module}Operations } from ${file};\nconst ${module} = { operations: ${module}Operations };`,
      );
    },
  };
}

/** Compresses assets at build time, because the server does not compress their responses. */
async function compressAssets(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /\.(js|css|svg|json|wasm)$/.test(name));
  for (const name of names) {
    const path = join(folder, name);
    const text = await readFile(path);
    await writeFile(`${path}.gz`, await promisify(gzip)(text, { level: 9 }));
    await writeFile(`${path}.br`, await promisify(brotliCompress)(text));
  }
}
