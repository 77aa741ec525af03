import type { FastifyInstance } from 'fastify';
import { answers } from '../../../contract/payloads.ts';
import { getAnswerName, operationNames, contract, type Operation } from '../../../contract/contract.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { unknownAddress, operationRoute, type OperationRouteParts } from './operation-route.ts';
import { corsHeaders, preflightHeaders } from '../../platform/http/origins.ts';
import { corsOriginsAt, type Site } from '../../platform/http/site.ts';

interface Address {
  readonly path: string;
  readonly methods: readonly string[];
  /** Whether the path belongs to the desk. To hide such a path, unsupported methods get a 404 instead of a 405. */
  readonly ofDesk: boolean;
}

/** First path segments of the operations. Addresses below them respond with JSON, never with a page. */
const rooms: ReadonlySet<string> = new Set(operationNames.map((name) => contract[name].path.split('/')[1] ?? ''));

/** Literal prefixes of the first segments that contain a parameter. */
const prefixes: readonly string[] = [...rooms].flatMap((room) =>
  room.includes(':') ? (room.split(':')[0] ?? []) : [],
);

/** First path segments that operations share with pages. Below them, only the exact paths of operations respond with JSON. */
const sharedRooms: ReadonlySet<string> = new Set(['auth', 'contacto']);
const sharedPaths: ReadonlySet<string> = new Set(operationNames.map((name) => contract[name].path.replace(/\/$/, '')));

export function isOperationPath(url: string): boolean {
  const room = url.split(/[/?#]/, 2)[1] ?? '';
  return sharedRooms.has(room)
    ? sharedPaths.has(url.replace(/\/?([?#].*)?$/s, ''))
    : rooms.has(room) || prefixes.some((prefix) => room.startsWith(prefix));
}

/**
 * Registers every operation of the contract. `pages` maps paths of operations to the methods that page routes serve there. For example, GET of the
 * logout operation's path is a page.
 */
export function registerOperations(
  http: FastifyInstance,
  parts: OperationRouteParts,
  pages: Readonly<Record<string, readonly string[]>>,
): void {
  http.decorateRequest('caller', null);
  for (const name of operationNames) {
    const operation: Operation = contract[name];
    const answer = answers[getAnswerName(name)];
    const route = operationRoute(name, parts);
    http.route({
      method: listMethods(operation),
      ...(operation.limitKb !== undefined && { bodyLimit: operation.limitKb * 1024 }),
      url: routePath(operation.path),
      exposeHeadRoute: true,
      schema: { response: { '2xx': answer, 303: answer } },
      onRequest: (request) => route.admit(request),
      handler: (request, reply) => route.answer(request, reply),
    });
  }
  for (const address of addresses(pages)) refuseOtherMethods(http, address, parts.site.corsOrigins);
}

/** Adds the CORS headers to every response of an operation, including errors. */
export function addCors(http: FastifyInstance, site: Site): void {
  http.addHook('onRequest', async (request, reply) => {
    if (isOperationPath(request.url)) reply.headers(corsHeaders(request.headers.origin, corsOriginsAt(site, request)));
  });
}

function listMethods({ method, queryByPost }: Operation): string[] {
  return queryByPost ? [method, 'POST'] : [method];
}

/** Restricts parameters to the characters of ids, so that they do not match the static paths of other operations. */
function routePath(path: string): string {
  return path.replace(/:(\w+)/g, ':$1(^[0-9A-Za-z_-]+$)');
}

function addresses(pages: Readonly<Record<string, readonly string[]>>): readonly Address[] {
  const paths = new Set(operationNames.map((name) => contract[name].path));
  return [...paths].map((path) => {
    const called = operationNames
      .map((name): Operation => contract[name])
      .filter((operation) => operation.path === path);
    const methods = [...called.flatMap(listMethods), ...(pages[path] ?? [])];
    return {
      path,
      methods: methods.includes('GET') ? [...methods, 'HEAD'] : methods,
      ofDesk: called.every(({ auth }) => auth === 'agent'),
    };
  });
}

function refuseOtherMethods(
  http: FastifyInstance,
  { path, methods, ofDesk }: Address,
  corsOrigins: readonly string[],
): void {
  if (corsOrigins.length > 0) {
    http.options(routePath(path), (_request, reply) => reply.code(204).headers(preflightHeaders(methods)).send());
  }
  const allowed = corsOrigins.length > 0 ? [...methods, 'OPTIONS'] : methods;
  const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
    (method) => !allowed.includes(method),
  );
  http.route({
    method: others,
    url: routePath(path),
    onRequest: async (_request, reply) => {
      if (ofDesk) throw unknownAddress();
      reply.header('allow', allowed.join(', '));
      throw new OperationError(405, 'metodo_no_permitido');
    },
    handler: () => undefined,
  });
}
