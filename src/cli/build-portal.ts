import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';
import { documents, prerenderModule } from '../server/web/pages/page-source.ts';
import { StartError } from '../server/platform/base/start-error.ts';
import { sourceHash } from './source-hash.ts';

/** Folder of the build, below the project's. */
export const buildFolder = 'dist/portal';

/** Builds the portal when it is missing or its sources changed since; `force`: always. */
export async function buildPortal(root: string, { force }: { force: boolean }): Promise<void> {
  const hash = await sourceHash(root);
  const stamp = join(root, buildFolder, '.sources');
  if (!force && (await readFile(stamp, 'utf8').catch(() => '')) === hash) return;
  process.stdout.write('Building the portal...\n');
  const { build } = await importVite();
  await build({ root, logLevel: 'warn', plugins: [operationsAlone(['desk'])] });
  // On its own, so that nothing of the desk is among what citizens load, and no script of theirs is cut otherwise because of it.
  await build({
    root,
    logLevel: 'warn',
    plugins: [operationsAlone()],
    build: {
      emptyOutDir: false,
      manifest: '.vite/desk.json',
      rolldownOptions: { input: join(root, documents.desk) },
    },
  });
  // With everything that it draws with: the packages of the portal are of no use to a server that is built.
  await build({
    root,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: true },
    build: {
      ssr: 'src/portal/prerender/prerender.tsx',
      outDir: dirname(join(buildFolder, prerenderModule)),
      manifest: false,
    },
  });
  await compressAssets(join(root, buildFolder, 'assets'));
  await writeFile(stamp, hash);
}

/** Vite is a package of the build, which `npm ci --omit=dev` leaves out. */
async function importVite() {
  return await import('vite').catch((error: unknown): never => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new StartError(
      'The portal is not built, or its sources changed since. Install all packages (npm ci), run npm run build, then leave those of the build out (npm prune --omit=dev).',
    );
  });
}

/** Of each topic of the contract a browser gets the operations alone, and citizens none of the desk's: schemas and errors are of no use there. */
function operationsAlone(without: readonly string[] = []): Plugin {
  return {
    name: 'operations-alone',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/src/contract/topics/topics.ts')) return null;
      return code.replace(/import \* as (\w+) from ('[^']+');/g, (_, topic: string, file: string) =>
        without.includes(topic)
          ? `const ${topic} = {};`
          : `import { operations as ${topic}Operations } from ${file};\nconst ${topic} = { operations: ${topic}Operations };`,
      );
    },
  };
}

/** Writes `.gz` and `.br` beside each text asset, for the server to send as they are. */
async function compressAssets(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /\.(js|css|svg|json|wasm)$/.test(name));
  for (const name of names) {
    const path = join(folder, name);
    const text = await readFile(path);
    await writeFile(`${path}.gz`, await promisify(gzip)(text, { level: 9 }));
    await writeFile(`${path}.br`, await promisify(brotliCompress)(text));
  }
}
