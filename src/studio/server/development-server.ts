import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import type { Plugin, ViteDevServer } from 'vite';
import type { LiveDefinitions, ServedDefinitions } from '../../engine/compiler/definitions.ts';
import { pageDocumentPaths, type PageSource, type DevelopmentServer } from '../../server/web/pages/page-source.ts';
import type { Config } from '../../server/platform/config/config.ts';
import { screenCasesFolder } from '../../cli/definitions/cases/screen-cases.ts';
import { scenarioFolder } from '../scenario/scenario.ts';
import { createRequestGuard, openViteServer } from './vite-server.ts';
import { projectRoot } from '../../cli/project.ts';
import {
  fileChangeEvent,
  changeCountEvent,
  changeCountMetaName,
  type FileChangeEventDetail,
  devPagePaths,
  type DevPageData,
  type OperationEntry,
  type EarlierStepCase,
} from '../dev-page-data.ts';
import type { FastifyInstance } from 'fastify';
import { apiContract } from '../../contract/contract.ts';
import { noncePlaceholder } from '../../contract/prerendered-page.ts';
import { baseLanguage } from '../../contract/portal-config.ts';
import { indexScreenTitles, readGalleryScreens, checkScreenCases } from './check-edits.ts';
import { listDevFontUrls, sendDevPage, type DevPageDependencies } from './send-dev-page.ts';
import { sendForbidden, registerStudioRoutes } from './studio-routes.ts';
import { findByPointer } from '../../engine/core/json-pointer.ts';
import { asObject, type Json, type JsonObject } from '../../engine/core/json.ts';
import { asListOrEmpty, findEventLabel } from '../json-values.ts';
import { computeContentPlaceholderValues } from '../../server/features/content/content-placeholder-values.ts';
import { buildOpenApi } from '../../server/web/operations/openapi.ts';

/** Port of the websocket that reloads pages. Always the same unless another process uses it, so that open pages reconnect after a restart. */
const reloadPort = 24_678;

export async function openDevelopmentServer(config: Config, definitions: LiveDefinitions): Promise<PageSource> {
  const guard = createRequestGuard(config);
  const server = await listen(reloadPort).catch(() => listen(0));
  const { port } = server.address() as AddressInfo; // `address()` returns an `AddressInfo` for a server that listens on a port
  const reload = createPageReload();
  const { vite, middleware } = await openViteServer({
    root: projectRoot,
    guard,
    privateFolders: [config.dataDir, config.keys.dir],
    config: {
      configFile: false, // without the React plugin, whose Fast Refresh needs React's development build
      html: { cspNonce: noncePlaceholder },
      plugins: [reload.plugin, unmappedPackages],
      oxc: { jsx: { development: false } }, // React's production build, because the development build takes twice the CPU time of the studio's pages
      cacheDir: join(projectRoot, '.cache/vite'),
      // Includes the files of plugins, which only compiled screens import. Otherwise, Vite would discover the packages of
      // plugins only when a screen loads them, and reload the page.
      optimizeDeps: {
        entries: [...Object.values(pageDocumentPaths), 'src/studio/dev.html', 'plugins/*/{rule.ts,widget.tsx}'],
        rolldownOptions: { transform: { define: { 'process.env.NODE_ENV': '"production"' } } },
      },
      server: { hmr: { server, clientPort: port } },
    },
  });
  definitions.onChange(() => reload.changed({ tests: false }));
  vite.watcher.on('all', (_event, file) => {
    const isTest = [screenCasesFolder, scenarioFolder].some((folder) => relative(projectRoot, file).startsWith(folder));
    if (file.endsWith('.json') && isTest) reload.changed({ tests: true });
  });
  const reloadSocket = `ws://localhost:${port}`;
  const contentValues = computeContentPlaceholderValues(config);
  return {
    readTemplate: async (path, entry = 'portal') =>
      vite.transformIndexHtml(path, await readFile(join(projectRoot, pageDocumentPaths[entry]), 'utf8')),
    folder: null,
    listModuleUrls: () => [],
    listStylesheets: () => [],
    fonts: listDevFontUrls(projectRoot),
    prerender: null,
    development: {
      admitsRequest: guard.hasKnownHost,
      middleware,
      reloadSocket,
      routes: createDevRoutes({ root: projectRoot, vite, reloadSocket, guard, contentValues }),
    },
  };
}

/** Removes the source maps of packages, because Vite would inline them: those of Fluent have 14 MB. */
const unmappedPackages: Plugin = {
  name: 'unmapped-packages',
  transform: {
    filter: { id: /\/[.]cache\/vite\/deps\// },
    handler: (code) => ({ code, map: { mappings: '' } }),
  },
};

/** Listens on a port of this machine, 0 for any free port. Rejects if the port is in use. */
async function listen(port: number): Promise<Server> {
  const server = createServer();
  server.listen(port, 'localhost').unref();
  await once(server, 'listening');
  return server;
}

/** Counts file changes. A page reports the count of its rendering when its websocket connects, so that it also reloads after a change in between. */
function createPageReload() {
  let changes = 0;
  let server: ViteDevServer | undefined;
  return {
    plugin: {
      name: 'portal-page-reload',
      configureServer(vite) {
        server = vite;
        vite.ws.on(changeCountEvent, (changesSeen, page) => {
          if (changesSeen !== String(changes)) page.send(fileChangeEvent, { tests: true });
        });
      },
      transformIndexHtml: () => [
        { tag: 'meta', attrs: { name: changeCountMetaName, content: String(changes) } },
        { tag: 'script', attrs: { type: 'module', src: '/src/studio/reload-client.ts' } },
      ],
    } satisfies Plugin,
    changed: (what: FileChangeEventDetail) => {
      changes += 1;
      server?.ws.send(fileChangeEvent, what);
    },
  };
}

export function createDevRoutes(
  own: Pick<DevPageDependencies, 'root' | 'vite' | 'reloadSocket' | 'guard' | 'contentValues'>,
): DevelopmentServer['routes'] {
  return (server, parts) => {
    void server.register(async (http) => {
      http.addHook('onRequest', async (request, reply) => {
        if (!own.guard.isStudioRequest(request.raw)) return sendForbidden(reply);
      });
      registerDevPages(http, { ...own, ...parts });
    });
  };
}

type Read = (query: Readonly<Record<string, unknown>>) => DevPageData | Promise<DevPageData>;

function registerDevPages(http: FastifyInstance, parts: DevPageDependencies): void {
  const { definitions, root } = parts;
  const views: Readonly<Record<string, Read>> = {
    [devPagePaths.index]: () => ({ view: 'index' }),
    [devPagePaths.gallery]: async () => ({
      view: 'gallery',
      screens: await readGalleryScreens(root, definitions.current),
      problems: formatProblems(definitions),
    }),
    [devPagePaths.flows]: () => ({
      view: 'flows',
      flows: Object.values(definitions.current.flows),
      titles: indexScreenTitles(definitions.current),
      buttons: indexButtons(definitions.current),
      descriptions: definitions.current.descriptions,
      problems: formatProblems(definitions),
    }),
    [devPagePaths.operations]: () => ({ view: 'operations', operations: listOperationEntries(definitions.current) }),
    [devPagePaths.drawing]: async (query) => (await findDrawing(parts, query)) ?? { view: 'missing' },
    [devPagePaths.preview]: ({ screen }) => ({ view: 'preview', screen: String(screen) }),
    [devPagePaths.walk]: ({ flow }) =>
      Object.hasOwn(definitions.current.flows, String(flow))
        ? { view: 'walk', flow: String(flow) }
        : { view: 'missing' },
  };
  for (const [address, read] of Object.entries(views))
    http.get(
      address,
      async (request, reply) =>
        sendDevPage(parts, request, reply, { read: () => read(request.query as Parameters<Read>[0]) }), // Fastify's query parser returns an object
    );
  registerStudioRoutes(http, parts);
}

function indexButtons({ flows, ui }: ServedDefinitions): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return Object.fromEntries(
    Object.values(flows).map(({ id, states }) => [
      id,
      Object.fromEntries(
        Object.entries(states).flatMap(([state, { screen, on = {} }]) =>
          Object.keys(on).flatMap((event) => {
            const text = screen === undefined ? undefined : findEventLabel(ui(screen, baseLanguage), event);
            return text === undefined ? [] : [[`${state} ${event}`, text]];
          }),
        ),
      ),
    ]),
  );
}

async function findDrawing(
  { root, definitions: { current } }: DevPageDependencies,
  query: Parameters<Read>[0],
): Promise<Extract<DevPageData, { view: 'drawing' }> | null> {
  const screen = String(query['screen']);
  if (!current.screens.has(screen)) return null;
  const { fixture: name = '' } = query;
  const reviewed = await readEarlierStepCases(root, current, screen);
  if (name === '') return { view: 'drawing', screen, data: {}, context: {}, submit: false, reviewed };
  const fixture = (await checkScreenCases(root, current, screen)).find((candidate) => candidate.name === name);
  if (!fixture) return null;
  const { data, context, errors } = fixture;
  return { view: 'drawing', screen, data, context, submit: Object.keys(errors).length > 0, reviewed };
}

/** Returns the first valid case of each step before a screen. Returns an empty array for a screen without a review. */
export async function readEarlierStepCases(
  root: string,
  definitions: ServedDefinitions,
  screen: string,
): Promise<readonly EarlierStepCase[]> {
  if (!definitions.ui(screen, baseLanguage).review) return [];
  for (const { states, progress = [] } of Object.values(definitions.flows)) {
    for (const journey of progress) {
      const screens = journey.map(({ state }) => states[state]?.screen ?? '');
      const earlier = screens.slice(0, Math.max(0, screens.indexOf(screen)));
      const cases = await Promise.all(earlier.map((own) => checkScreenCases(root, definitions, own)));
      const valid = cases.map((own) => own.find(({ errors }) => Object.keys(errors).length === 0));
      const found = valid.flatMap((own, at) =>
        own
          ? [{ screen: earlier[at] ?? '', titles: journey[at]?.titles ?? {}, data: own.data, context: own.context }]
          : [],
      );
      if (found.length > 0) return found;
    }
  }
  return [];
}

function formatProblems({ problems }: LiveDefinitions): readonly string[] {
  return problems.map(({ file, line, column, message, hint }) => `${file}:${line}:${column} ${message} ${hint}`);
}

export function listOperationEntries(definitions: ServedDefinitions): readonly OperationEntry[] {
  const description = buildOpenApi(definitions, { server: '/', side: 'both' }) as JsonObject;
  const resolvePartSchema = (part: Json | undefined): Json => {
    const [media] = Object.values(asObject(asObject(part)['content']));
    const { $ref } = asObject(asObject(media)['schema']);
    return findByPointer(description, String($ref).replace('#', '')) ?? null;
  };
  const isOwn = ([, part]: [string, Json]) => Object.hasOwn(apiContract, String(asObject(part)['operationId'])); // skips the POST variants of queries, which the contract does not list
  return Object.entries(asObject(description['paths'])).flatMap(([path, methods]) =>
    Object.entries(asObject(methods))
      .filter(isOwn)
      .map(([method, part]) => {
        const own = asObject(part);
        return {
          name: String(own['operationId']),
          method: method.toUpperCase(),
          path,
          summary: String(own['summary']),
          roles: asListOrEmpty(own['x-roles']).map(String),
          proof: own['x-proof'] === undefined ? null : String(own['x-proof']),
          query: asListOrEmpty(own['parameters'])
            .map(asObject)
            .filter((parameter) => parameter['in'] === 'query')
            .map((parameter) => String(parameter['name'])),
          body: own['requestBody'] === undefined ? null : resolvePartSchema(own['requestBody']),
          answer: resolvePartSchema(asObject(own['responses'])['200']),
        };
      }),
  );
}
