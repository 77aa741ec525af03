import { once } from 'node:events';
import { readFile, realpath } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import type { Duplex } from 'node:stream';
import { createServer, type Plugin, type ServerOptions } from 'vite';
import type { DefinitionsSource } from '../../engine/compiler/definitions.ts';
import { documents, type DevelopmentPages, type PageSource } from '../../server/web/pages/page-source.ts';
import type { Config } from '../../server/platform/config/config.ts';
import { casesFolder } from '../../cli/definitions/cases.ts';
import { walksFolder } from '../walk/walk.ts';
import { galleryRoutes } from './dev-gallery.ts';
import { denyFolders } from './dev-private.ts';
import { pageReload } from './dev-reload.ts';
import { root } from '../../cli/project.ts';
import { teamVisitors, type Team, type Visitors } from './team/visitors.ts';

/** Port of the websocket that tells the page to reload: always the same where it is free, for pages that stayed open. */
const reloadPort = 24_678;

/**
 * Pages by the Vite development server, inside the same process; a change of definitions or of fixtures reloads the page. `team`: whom alone they are
 * for, behind its proxy; null: whoever works at this machine.
 */
export async function developmentPages(
  config: Config,
  definitions: DefinitionsSource,
  team: Team | null,
): Promise<PageSource> {
  const socket = team ? relayedSocket(team) : await ownSocket();
  const reload = pageReload();
  const vite = await createServer({
    root,
    appType: 'custom',
    plugins: [reload.plugin, unmappedPackages],
    cacheDir: join(root, '.cache/vite'),
    optimizeDeps: { entries: [...Object.values(documents), 'src/studio/gallery.html'] },
    // The packages may be a link to a folder elsewhere, which holds the fonts.
    server: {
      middlewareMode: true,
      cors: false, // other pages of this machine have nothing to read here
      hmr: socket.hmr,
      ...(team && { allowedHosts: [new URL(team.origin).hostname] }),
      fs: {
        allow: [root, await realpath(join(root, 'node_modules'))],
        deny: denyFolders([config.dataDir, config.keys.dir]),
      },
    },
  });
  const visitors = team && teamVisitors(team, root);
  definitions.onChange(reload.changed);
  vite.watcher.on('all', (_event, file) => {
    const isTest = [casesFolder, walksFolder].some((folder) => relative(root, file).startsWith(folder));
    if (file.endsWith('.json') && isTest) reload.changed();
  });
  return {
    template: async (path, entry = 'portal') =>
      vite.transformIndexHtml(path, await readFile(join(root, documents[entry]), 'utf8')),
    folder: null,
    modules: () => [],
    styles: () => [],
    fonts: [],
    prerender: null,
    development: {
      ...(visitors && { admits: visitors.admits }),
      middleware: withoutEditor(vite.middlewares),
      reloadSocket: socket.origin,
      routes: (http, parts) => {
        if (visitors) http.server.on('upgrade', relayed(visitors, socket.hmr.server));
        galleryRoutes({ root, vite, reloadSocket: socket.origin, team })(http, parts);
      },
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

/** Vite starts an editor on whatever file an address names, for whichever page asks: this portal's studio is the way to a file. */
function withoutEditor(middleware: DevelopmentPages['middleware']): DevelopmentPages['middleware'] {
  return (request, response, next) => {
    if (request.url?.startsWith('/__open-in-editor')) response.writeHead(404).end();
    else middleware(request, response, next);
  };
}

/** Where pages listen for changes. */
interface ReloadSocket {
  readonly origin: string;
  readonly hmr: { readonly server: Server } & Exclude<ServerOptions['hmr'], boolean | undefined>;
}

/** A port of this machine of its own. */
async function ownSocket(): Promise<ReloadSocket> {
  const server = await listen(reloadPort).catch(() => listen(0));
  const { port } = server.address() as AddressInfo; // a server that listens on a port
  return { origin: `ws://localhost:${port}`, hmr: { server, clientPort: port } };
}

/** The address of the pages: a team reaches no other port. Its server listens to nothing but what is handed on to it. */
function relayedSocket({ origin }: Team): ReloadSocket {
  const { protocol, hostname, port, host } = new URL(origin);
  const [own, usual] = protocol === 'https:' ? ['wss', 443] : ['ws', 80];
  const hmr = { server: createHttpServer(), protocol: own, host: hostname, clientPort: Number(port || usual) };
  return { origin: `${own}://${host}`, hmr: { ...hmr, path: '/_dev/aviso' } };
}

/** Hands the sockets of a team on to the development server, and closes those of others. */
function relayed({ admits }: Visitors, server: Server) {
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (admits(request)) server.emit('upgrade', request, socket, head);
    else socket.destroy();
  };
}

/** A server that has this port of the machine itself, of 0 any free one; rejects when somebody else has it. */
async function listen(port: number): Promise<Server> {
  const server = createHttpServer();
  server.listen(port, 'localhost').unref();
  await once(server, 'listening');
  return server;
}
