import { once } from 'node:events';
import { readFile, realpath } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { createServer } from 'vite';
import type { DefinitionsSource } from '../../engine/compiler/definitions.ts';
import { documents, type DevelopmentPages, type PageSource } from '../../server/web/pages/page-source.ts';
import type { Config } from '../../server/platform/config/config.ts';
import { casesFolder } from '../../cli/definitions/cases.ts';
import { walksFolder } from '../walk/walk.ts';
import { galleryRoutes } from './dev-gallery.ts';
import { denyFolders } from './dev-private.ts';
import { pageReload } from './dev-reload.ts';
import { root } from '../../cli/project.ts';

/** Port of the websocket that tells the page to reload: always the same where it is free, for pages that stayed open. */
const reloadPort = 24_678;

/** Pages by the Vite development server, inside the same process; a change of definitions or of fixtures reloads the page. */
export async function developmentPages(config: Config, definitions: DefinitionsSource): Promise<PageSource> {
  const socket = await listen(reloadPort).catch(() => listen(0));
  const { port } = socket.address() as AddressInfo; // a server that listens on a port
  const reload = pageReload();
  const vite = await createServer({
    root,
    appType: 'custom',
    plugins: [reload.plugin],
    cacheDir: join(root, '.cache/vite'),
    optimizeDeps: { entries: [...Object.values(documents), 'src/studio/gallery.html'] },
    // The packages may be a link to a folder elsewhere, which holds the fonts.
    server: {
      middlewareMode: true,
      cors: false, // other pages of this machine have nothing to read here
      hmr: { server: socket, clientPort: port },
      fs: {
        allow: [root, await realpath(join(root, 'node_modules'))],
        deny: denyFolders([config.dataDir, config.keys.dir]),
      },
    },
  });
  definitions.onChange(reload.changed);
  vite.watcher.on('all', (_event, file) => {
    const isTest = [casesFolder, walksFolder].some((folder) => relative(root, file).startsWith(folder));
    if (file.endsWith('.json') && isTest) reload.changed();
  });
  const reloadSocket = `ws://localhost:${port}`;
  return {
    template: async (path, entry = 'portal') =>
      vite.transformIndexHtml(path, await readFile(join(root, documents[entry]), 'utf8')),
    folder: null,
    modules: () => [],
    styles: () => [],
    fonts: [],
    prerender: null,
    development: {
      middleware: withoutEditor(vite.middlewares),
      reloadSocket,
      routes: galleryRoutes({ root, vite, reloadSocket }),
    },
  };
}

/** Vite starts an editor on whatever file an address names, for whichever page asks: this portal's studio is the way to a file. */
function withoutEditor(middleware: DevelopmentPages['middleware']): DevelopmentPages['middleware'] {
  return (request, response, next) => {
    if (request.url?.startsWith('/__open-in-editor')) response.writeHead(404).end();
    else middleware(request, response, next);
  };
}

/** A server that has this port of the machine itself, of 0 any free one; rejects when somebody else has it. */
async function listen(port: number): Promise<Server> {
  const server = createHttpServer();
  server.listen(port, 'localhost').unref();
  await once(server, 'listening');
  return server;
}
