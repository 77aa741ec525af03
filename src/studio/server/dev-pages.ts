import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import type { Plugin, ViteDevServer } from 'vite';
import type { DefinitionsSource } from '../../engine/compiler/definitions.ts';
import { documents, type PageSource } from '../../server/web/pages/page-source.ts';
import type { Config } from '../../server/platform/config/config.ts';
import { casesFolder } from '../../cli/definitions/cases.ts';
import { walksFolder } from '../walk/walk.ts';
import { galleryRoutes } from './dev-gallery.ts';
import { requestGuard } from './request-guard.ts';
import { openSourceServer } from './source-server.ts';
import { root } from '../../cli/project.ts';
import { changedEvent, drawnAtEvent, drawnAtName } from '../drawn-at.ts';

/** Port of the websocket that tells the page to reload: always the same where it is free, for pages that stayed open. */
const reloadPort = 24_678;

/** Pages by the Vite development server, inside the same process; a change of definitions or of fixtures reloads the page. */
export async function developmentPages(config: Config, definitions: DefinitionsSource): Promise<PageSource> {
  const guard = requestGuard(config);
  const server = await listen(reloadPort).catch(() => listen(0));
  const { port } = server.address() as AddressInfo; // a server that listens on a port
  const reload = pageReload();
  const { vite, middleware } = await openSourceServer({
    root,
    guard,
    privateFolders: [config.dataDir, config.keys.dir],
    config: {
      plugins: [reload.plugin, unmappedPackages],
      cacheDir: join(root, '.cache/vite'),
      optimizeDeps: { entries: [...Object.values(documents), 'src/studio/gallery.html'] },
      server: { hmr: { server, clientPort: port } },
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
      admits: guard.isAddressed,
      middleware,
      reloadSocket,
      routes: galleryRoutes({ root, vite, reloadSocket, guard }),
    },
  };
}

/** Packages without their source maps, which Vite would send within each: Fluent's alone has 14 MB. */
const unmappedPackages: Plugin = {
  name: 'unmapped-packages',
  transform: {
    filter: { id: /\/[.]cache\/vite\/deps\// },
    handler: (code) => ({ code, map: { mappings: '' } }),
  },
};

/** A server that has this port of the machine itself, of 0 any free one; rejects when somebody else has it. */
async function listen(port: number): Promise<Server> {
  const server = createServer();
  server.listen(port, 'localhost').unref();
  await once(server, 'listening');
  return server;
}

/** Reloads open pages after a change. */
interface PageReload {
  /** Goes into the development server whose pages are reloaded. */
  readonly plugin: Plugin;
  /** Something that pages are drawn from has changed. */
  changed(): void;
}

/**
 * Every page carries the number of changes that it was drawn after and tells it once it listens: a change between its drawing
 * and its listening, which no message could reach, reloads it too.
 */
function pageReload(): PageReload {
  let changes = 0;
  let server: ViteDevServer | undefined;
  return {
    plugin: {
      name: 'portal-page-reload',
      configureServer(vite) {
        server = vite;
        vite.ws.on(drawnAtEvent, (drawnAt, page) => {
          if (drawnAt !== String(changes)) page.send(changedEvent);
        });
      },
      transformIndexHtml: () => [
        { tag: 'meta', attrs: { name: drawnAtName, content: String(changes) } },
        { tag: 'script', attrs: { type: 'module', src: '/src/studio/reload-client.ts' } },
      ],
    },
    changed() {
      changes += 1;
      server?.ws.send(changedEvent);
    },
  };
}
