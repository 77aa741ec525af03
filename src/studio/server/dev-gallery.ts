import type { FastifyInstance, FastifyRequest } from 'fastify';
import { baseLanguage } from '../../contract/portal-config.ts';
import type { Definitions, DefinitionsSource } from '../../engine/compiler/definitions.ts';
import { devAddresses, type DevData, type OperationEntry } from '../dev-data.ts';
import type { DevelopmentPages } from '../../server/web/pages/page-source.ts';
import { readCatalogue, readFixtures } from './dev-catalogue.ts';
import { sendDevPage, type DevParts } from './dev-page.ts';
import { refuse, registerStudio } from './studio-routes.ts';
import { isObject, type Json, type Values } from '../../engine/core/json.ts';
import { openapi } from '../../server/web/operations/openapi.ts';

type DrawingRequest = FastifyRequest<{ Querystring: Readonly<Record<string, unknown>> }>;

/** Routes of the developer pages: gallery, previews, flows and studio. Only the development command registers them. */
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

function titlesOf(current: Definitions): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...current.screens].map((name) => {
      const title = current.ui(name, baseLanguage)?.['title'];
      const first: unknown = Array.isArray(title) ? title[0]?.['text'] : title;
      return [name, typeof first === 'string' ? first : name];
    }),
  );
}

/** Returns the data of a preview. Without a case it is empty. Returns `null` if the case does not exist. */
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

/** Returns the operations from the OpenAPI description, with references resolved. */
export function readOperations(definitions: Definitions): readonly OperationEntry[] {
  const description = openapi(definitions, { server: '/', side: 'both' });
  return Object.entries(objectAt(description, 'paths')).flatMap(([path, methods]) =>
    Object.entries(isObject(methods) ? methods : {}).map(([method, operation]) =>
      entryOf(description, { path, method, operation: isObject(operation) ? operation : {} }),
    ),
  );
}

function entryOf(
  description: Values,
  { path, method, operation }: { path: string; method: string; operation: Values },
): OperationEntry {
  const { operationId, summary, 'x-roles': roles, 'x-proof': proof, parameters } = operation;
  const schemaOf = (part: Values): Json => {
    const [media] = Object.values(objectAt(part, 'content'));
    const { $ref } = objectAt(isObject(media) ? media : {}, 'schema');
    return resolve(description, String($ref));
  };
  const body = operation['requestBody'];
  return {
    name: String(operationId),
    method: method.toUpperCase(),
    path,
    summary: String(summary),
    roles: Array.isArray(roles) ? roles.map(String) : [],
    proof: proof === undefined ? null : String(proof),
    query: (Array.isArray(parameters) ? parameters : [])
      .filter((parameter) => isObject(parameter) && parameter['in'] === 'query')
      .map((parameter) => String(isObject(parameter) ? parameter['name'] : '')),
    body: isObject(body) ? schemaOf(body) : null,
    answer: schemaOf(objectAt(objectAt(operation, 'responses'), '200')),
  };
}

function resolve(description: Values, reference: string): Json {
  let found: unknown = description;
  for (const step of reference.replace('#/', '').split('/')) found = isObject(found) ? found[step] : undefined;
  return (found ?? null) as Json; // the description is JSON
}

function objectAt(value: Values, name: string): Values {
  const found = value[name];
  return isObject(found) ? found : {};
}
