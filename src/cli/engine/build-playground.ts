import { join } from 'node:path';
import { createCliAction } from '../command.ts';
import { projectRoot } from '../project.ts';
import type { Plugin } from 'vite';

export const command = createCliAction({}, async ({ terminal }) => {
  const folder = join(projectRoot, 'dist/playground');
  await buildPlayground(projectRoot, folder);
  terminal.out(`${join(folder, 'index.html')}\n`);
});

/** Builds a page that any static file server can serve with its assets, under any path. */
export async function buildPlayground(root: string, folder: string): Promise<void> {
  // Imported dynamically, because `npm ci --omit=dev` does not install these development dependencies.
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')]);
  const source = join(root, 'src/playground');
  const createStub = (name: string) => ({ find: `node:${name}`, replacement: join(source, `stand-ins/${name}.ts`) });
  await build({
    configFile: false,
    root: source,
    base: './',
    logLevel: 'error',
    plugins: [react(), createInterpreterPlugin(join(source, 'interpret-screen-module.ts'))],
    resolve: { alias: [createStub('crypto'), createStub('module')] },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  });
}

/** Replaces ajv's call of `Function` with an interpreter, because the page's Content-Security-Policy forbids `unsafe-eval`. */
function createInterpreterPlugin(interpreter: string): Plugin {
  return {
    name: 'interpreting',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/ajv\/dist\/compile\/index\.js$/.test(id)) return null;
      const replaced = code.replace(
        'new Function(',
        `new (require(${JSON.stringify(interpreter)}).InterpretedFunction)(`,
      );
      if (replaced === code) throw new Error('ajv makes its validators in another place.');
      return replaced;
    },
  };
}
