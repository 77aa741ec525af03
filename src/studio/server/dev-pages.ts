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
import { requestGuard, openSourceServer } from './source-server.ts';
import { root } from '../../cli/project.ts';
import { changedEvent, drawnAtEvent, drawnAtName, type ChangedDetail } from '../dev-data.ts';

/** Port of the reload websocket. Fixed if it is free, so that open pages reconnect. */
const reloadPort = 24_678;

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
      // Also those of plugins, which compiled screens import: a package found only then would reload the page.
      optimizeDeps: {
        entries: [...Object.values(documents), 'src/studio/gallery.html', 'plugins/*/{rule.ts,widget.tsx}'],
      },
      server: { hmr: { server, clientPort: port } },
    },
  });
  definitions.onChange(() => reload.changed({ tests: false }));
  vite.watcher.on('all', (_event, file) => {
    const isTest = [casesFolder, walksFolder].some((folder) => relative(root, file).startsWith(folder));
    if (file.endsWith('.json') && isTest) reload.changed({ tests: true });
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

/** Drops the source maps of packages, which Vite would inline: those of Fluent have 14 MB. */
const unmappedPackages: Plugin = {
  name: 'unmapped-packages',
  transform: {
    filter: { id: /\/[.]cache\/vite\/deps\// },
    handler: (code) => ({ code, map: { mappings: '' } }),
  },
};

/** Listens on a local port, or on any free one for 0. Rejects if the port is in use. */
async function listen(port: number): Promise<Server> {
  const server = createServer();
  server.listen(port, 'localhost').unref();
  await once(server, 'listening');
  return server;
}

interface PageReload {
  readonly plugin: Plugin;
  changed(what: ChangedDetail): void;
}

/**
 * Each page contains the change count at its rendering and reports it when its websocket connects. This also reloads a page if a file changed between
 * rendering and connecting.
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
          if (drawnAt !== String(changes)) page.send(changedEvent, { tests: true });
        });
      },
      transformIndexHtml: () => [
        { tag: 'meta', attrs: { name: drawnAtName, content: String(changes) } },
        { tag: 'script', attrs: { type: 'module', src: '/src/studio/reload-client.ts' } },
      ],
    },
    changed(what) {
      changes += 1;
      server?.ws.send(changedEvent, what);
    },
  };
}
