import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createServer } from 'vite';
import type { DefinitionsSource } from '../engine/compiler/definitions.ts';
import type { PageSource } from '../server/http/page-source.ts';
import { runServer } from '../server/run-server.ts';
import { root } from './project.ts';

/** Port of the websocket that tells the page to reload. */
const reloadPort = 24_678;

await runServer({ root, env: { NODE_ENV: 'development', ...process.env }, pages: developmentPages });

/** Pages by the Vite development server, inside the same process; a change of definitions reloads the page. */
async function developmentPages({ definitions }: { definitions: DefinitionsSource }): Promise<PageSource> {
  const vite = await createServer({
    root,
    appType: 'custom',
    server: { middlewareMode: true, hmr: { port: reloadPort, clientPort: reloadPort } },
  });
  definitions.onChange(() => vite.ws.send({ type: 'full-reload' }));
  return {
    template: async (path) => vite.transformIndexHtml(path, await readFile(join(root, 'index.html'), 'utf8')),
    folder: null,
    modules: () => [],
    development: { middleware: vite.middlewares, reloadSocket: `ws://localhost:${reloadPort}` },
  };
}
