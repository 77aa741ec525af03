import type { FastifyInstance, FastifyRequest } from 'fastify';
import { baseLanguage } from '../../contract/portal-config.ts';
import type { Definitions, DefinitionsSource } from '../../engine/compiler/definitions.ts';
import { devAddresses, type DevData } from '../dev-data.ts';
import type { DevelopmentPages } from '../../server/web/pages/page-source.ts';
import { readCatalogue, readFixtures } from './dev-catalogue.ts';
import { readOperations } from './read-operations.ts';
import { sendDevPage, type DevParts } from './dev-page.ts';
import { refuse, registerStudio } from './studio-routes.ts';

type DrawingRequest = FastifyRequest<{ Querystring: Readonly<Record<string, unknown>> }>;

/**
 * The pages for those who make screens: every screen with its cases, one case of one screen, the flows, and the studio. They are given to
 * the server by the development command alone, so that no other server has them.
 */
export function galleryRoutes(
  own: Pick<DevParts, 'root' | 'vite' | 'reloadSocket' | 'guard'>,
): DevelopmentPages['routes'] {
  return (server, parts) => {
    void server.register(async (http) => {
      http.addHook('onRequest', async (request, reply) => {
        if (!own.guard.isForStudio(request.raw)) return refuse(reply);
      });
      registerGallery(http, { ...own, ...parts });
    });
  };
}

function registerGallery(http: FastifyInstance, gallery: DevParts): void {
  const { definitions, root } = gallery;
  http.get(devAddresses.door, async (request, reply) =>
    sendDevPage(gallery, request, reply, { read: async () => ({ view: 'door' }) }),
  );
  http.get(devAddresses.gallery, async (request, reply) =>
    sendDevPage(gallery, request, reply, {
      read: async () => ({
        view: 'gallery',
        screens: await readCatalogue(root, definitions.current),
        problems: problemLines(definitions),
      }),
    }),
  );
  http.get(devAddresses.flows, async (request, reply) =>
    sendDevPage(gallery, request, reply, {
      read: async () => ({
        view: 'flows',
        flows: Object.values(definitions.current.flows),
        titles: titlesOf(definitions.current),
        descriptions: definitions.current.descriptions,
        problems: problemLines(definitions),
      }),
    }),
  );
  http.get(devAddresses.operations, async (request, reply) =>
    sendDevPage(gallery, request, reply, {
      read: async () => ({ view: 'operations', operations: readOperations(definitions.current) }),
    }),
  );
  http.get(devAddresses.drawing, async (request: DrawingRequest, reply) =>
    sendDevPage(gallery, request, reply, {
      read: async () => (await drawingOf(gallery, request)) ?? { view: 'missing' },
    }),
  );
  http.get(devAddresses.preview, async (request: DrawingRequest, reply) =>
    sendDevPage(gallery, request, reply, {
      read: async () => ({ view: 'preview', screen: String(request.query['screen']) }),
    }),
  );
  http.get(devAddresses.walk, async (request: DrawingRequest, reply) =>
    sendDevPage(gallery, request, reply, {
      read: async () => {
        const flow = String(request.query['flow']);
        return Object.hasOwn(definitions.current.flows, flow) ? { view: 'walk', flow } : { view: 'missing' };
      },
    }),
  );
  registerStudio(http, gallery);
}

/** What each screen says it is, of several titles the first. */
function titlesOf(current: Definitions): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...current.screens].map((name) => {
      const title = current.ui(name, baseLanguage)?.['title'];
      const first: unknown = Array.isArray(title) ? title[0]?.['text'] : title;
      return [name, typeof first === 'string' ? first : name];
    }),
  );
}

/** A case of a screen; without a case the empty screen; null when there is no such case. */
async function drawingOf(
  { root, definitions: { current } }: DevParts,
  { query }: DrawingRequest,
): Promise<Extract<DevData, { view: 'drawing' }> | null> {
  const screen = String(query['screen']);
  if (!current.screens.has(screen)) return null;
  const { fixture: name = '' } = query;
  if (name === '') return { view: 'drawing', screen, data: {}, context: {}, submit: false };
  const fixture = (await readFixtures(root, current, screen)).find((candidate) => candidate.name === name);
  if (!fixture) return null;
  const { data, context, errors } = fixture;
  return { view: 'drawing', screen, data, context, submit: Object.keys(errors).length > 0 };
}

function problemLines({ problems }: DefinitionsSource): readonly string[] {
  return problems.map(({ file, line, column, message, hint }) => `${file}:${line}:${column} ${message} ${hint}`);
}
