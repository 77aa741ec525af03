import { readFile, realpath } from 'node:fs/promises';
import { createServer as createSocket } from 'node:net';
import { join, relative } from 'node:path';
import { createServer, type ViteDevServer } from 'vite';
import type { DefinitionsSource } from '../engine/compiler/definitions.ts';
import type { PageSource } from '../server/http/page-source.ts';
import { runServer } from '../server/run-server.ts';
import { fixturesFolder } from './dev-catalogue.ts';
import { galleryRoutes } from './dev-gallery.ts';
import { root } from './project.ts';

/** Port of the websocket that tells the page to reload: always the same where it is free, for pages that stayed open. */
const reloadPort = 24_678;

await runServer({ root, env: { NODE_ENV: 'development', ...process.env }, pages: developmentPages });

/** Pages by the Vite development server, inside the same process; a change of definitions or of fixtures reloads the page. */
async function developmentPages({ definitions }: { definitions: DefinitionsSource }): Promise<PageSource> {
  const port = (await freePort(reloadPort)) ?? (await freePort(0)) ?? reloadPort;
  const vite = await createServer({
    root,
    appType: 'custom',
    cacheDir: join(root, '.cache/vite'),
    optimizeDeps: { entries: ['index.html', 'src/portal/dev/gallery.html'] },
    // The packages may be a link to a folder elsewhere, which holds the fonts.
    server: { middlewareMode: true, hmr: { port, clientPort: port }, fs: { allow: [root, await realpath(join(root, 'node_modules'))] } },
  });
  reloadOnChange(vite, definitions);
  const reloadSocket = `ws://localhost:${port}`;
  return {
    template: async (path) => vite.transformIndexHtml(path, await readFile(join(root, 'index.html'), 'utf8')),
    folder: null,
    modules: () => [],
    fonts: [],
    paint: null,
    development: { middleware: vite.middlewares, reloadSocket, routes: galleryRoutes({ root, vite, reloadSocket }) },
  };
}

function reloadOnChange(vite: ViteDevServer, definitions: DefinitionsSource): void {
  const reload = (): void => vite.ws.send({ type: 'full-reload' });
  definitions.onChange(reload);
  vite.watcher.on('all', (_event, file) => {
    if (file.endsWith('.json') && relative(root, file).startsWith(fixturesFolder)) reload();
  });
}

/** This port when nobody has it; of 0 any free one. */
async function freePort(port: number): Promise<number | null> {
  const socket = createSocket();
  return new Promise((answer) => {
    socket.once('error', () => answer(null));
    socket.listen(port, () => {
      const address = socket.address();
      socket.close(() => answer(typeof address === 'object' && address ? address.port : null));
    });
  });
}
