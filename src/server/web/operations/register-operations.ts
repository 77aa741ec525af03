import type { FastifyInstance } from 'fastify';
import { responseSchemas } from '../../../contract/payload-schemas.ts';
import { getResponseSchemaName, operationNames, apiContract, type ApiOperation } from '../../../contract/contract.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { createNotFoundError, createOperationRoute, type OperationRouteDependencies } from './operation-route.ts';
import { buildCorsHeaders, buildPreflightHeaders } from '../../platform/http/cross-site-requests.ts';
import { listCorsOrigins, type SiteSettings } from '../../platform/http/site-settings.ts';

interface OperationAddress {
  readonly path: string;
  readonly methods: readonly string[];
  /** Whether only the desk uses the path, which is then hidden: unsupported methods get a 404 instead of a 405. */
  readonly ofDesk: boolean;
}

/** Every path that begins with one of these segments gets a JSON response, never a page. */
const firstSegments: ReadonlySet<string> = new Set(
  operationNames.map((name) => apiContract[name].path.split('/')[1] ?? ''),
);

/** Literal prefixes of segments with a parameter, such as `saml-login-:product`. */
const prefixes: readonly string[] = [...firstSegments].flatMap((room) =>
  room.includes(':') ? (room.split(':')[0] ?? []) : [],
);

/** First segments that operations share with pages. Below these segments, only the exact paths of operations get a JSON response. */
const sharedSegments: ReadonlySet<string> = new Set(['auth', 'contacto']);
const sharedPaths: ReadonlySet<string> = new Set(
  operationNames.map((name) => apiContract[name].path.replace(/\/$/, '')),
);

export function isOperationPath(url: string): boolean {
  const room = url.split(/[/?#]/, 2)[1] ?? '';
  return sharedSegments.has(room)
    ? sharedPaths.has(url.replace(/\/?([?#].*)?$/s, ''))
    : firstSegments.has(room) || prefixes.some((prefix) => room.startsWith(prefix));
}

/**
 * Registers the operations, and rejects other methods at their paths. `pages` lists the paths that also have a page route, with its methods, such as
 * GET at the path of the logout operation.
 */
export function registerOperations(
  http: FastifyInstance,
  parts: OperationRouteDependencies,
  pages: Readonly<Record<string, readonly string[]>>,
): void {
  http.decorateRequest('caller', null);
  for (const name of operationNames) {
    const operation: ApiOperation = apiContract[name];
    const answer = responseSchemas[getResponseSchemaName(name)];
    const route = createOperationRoute(name, parts);
    http.route({
      method: listMethods(operation),
      ...(operation.limitKb !== undefined && { bodyLimit: operation.limitKb * 1024 }),
      url: restrictParameters(operation.path),
      exposeHeadRoute: true,
      schema: { response: { '2xx': answer, 303: answer } },
      onRequest: (request) => route.admit(request),
      handler: (request, reply) => route.answer(request, reply),
    });
  }
  for (const address of listAddresses(pages)) refuseOtherMethods(http, address, parts.site.corsOrigins);
}

export function registerCorsHook(http: FastifyInstance, site: SiteSettings): void {
  http.addHook('onRequest', async (request, reply) => {
    if (isOperationPath(request.url))
      reply.headers(buildCorsHeaders(request.headers.origin, listCorsOrigins(site, request)));
  });
}

function listMethods({ method, queryByPost }: ApiOperation): string[] {
  return queryByPost ? [method, 'POST'] : [method];
}

/** Restricts the characters of path parameters, so that a parameter does not match the static paths of other operations. */
function restrictParameters(path: string): string {
  return path.replace(/:(\w+)/g, ':$1(^[0-9A-Za-z_-]+$)');
}

function listAddresses(pages: Readonly<Record<string, readonly string[]>>): readonly OperationAddress[] {
  const paths = new Set(operationNames.map((name) => apiContract[name].path));
  return [...paths].map((path) => {
    const called = operationNames
      .map((name): ApiOperation => apiContract[name])
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
  { path, methods, ofDesk }: OperationAddress,
  corsOrigins: readonly string[],
): void {
  if (corsOrigins.length > 0)
    http.options(restrictParameters(path), (_request, reply) =>
      reply.code(204).headers(buildPreflightHeaders(methods)).send(),
    );
  const allowed = corsOrigins.length > 0 ? [...methods, 'OPTIONS'] : methods;
  const all = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
  http.route({
    method: all.filter((method) => !allowed.includes(method)),
    url: restrictParameters(path),
    onRequest: async (_request, reply) => {
      if (ofDesk) throw createNotFoundError();
      reply.header('allow', allowed.join(', '));
      throw new OperationError(405, 'metodo_no_permitido');
    },
    handler: () => undefined,
  });
}
