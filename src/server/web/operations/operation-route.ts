import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiContract, type ApiOperation, type OperationName } from '../../../contract/contract.ts';
import { resolveBodyFieldAliases, ungroupBodyFields } from '../../../contract/field-groups.ts';
import { nullableInputTextSchema } from '../../../contract/schema-builders.ts';
import type { LiveDefinitions } from '../../../engine/compiler/definitions.ts';
import { isObject } from '../../../engine/core/json.ts';
import { readQueryParameters } from '../../platform/http/form-parser.ts';
import { findIpv6SiteNetwork } from '../../platform/base/ip-addresses.ts';
import type { Caller } from '../../platform/base/operation-request.ts';
import type { ServerServices } from './server-services.ts';
import { validateBody, checkBodySchema, listExtraFields, selectBodyValidationScreens } from './validate-body.ts';
import { getClientAddress, getChangeOrigin } from '../../platform/http/client-address.ts';
import { readPortalCookies, writeCookies } from '../../platform/http/cookies.ts';
import { OperationError, copyRefusalLogFacts, InvalidBodyError } from '../../platform/base/errors.ts';
import { getSharedText } from '../../platform/base/texts.ts';
import type { Language } from '../../../contract/portal-config.ts';
import type { EventStreams } from '../../platform/http/event-stream.ts';
import { assertSameSiteRequest } from '../../platform/http/cross-site-requests.ts';
import { listAllowedOrigins, findHostAudience, type SiteSettings } from '../../platform/http/site-settings.ts';
import { createHash } from 'node:crypto';
import { findOperationRefusal, type OperationRefusal } from '../../../contract/operation-access.ts';
import { featureFlagDefaults, type FeatureFlags } from '../../../contract/feature-flags.ts';
import { pagePaths } from '../../../contract/page-paths.ts';

const refusals: Readonly<Record<OperationRefusal, readonly [status: number, code: string]>> = {
  'signed-out': [401, 'no_autenticado'],
  role: [403, 'sin_permiso'],
  foreign: [403, 'sin_permiso'],
  proofing: [403, 'identidad_por_comprobar'],
  restricted: [403, 'usuario_restringido'],
  permission: [403, 'sin_permiso'],
  factor: [403, 'segundo_factor_pendiente'],
  passkey: [403, 'ingreso_sin_llave'],
};

/**
 * Reasons for a rejection that a caller of a desk operation may learn, because only agents are rejected for these reasons. Any other reason becomes a
 * 404.
 */
const agentOnlyRefusals: ReadonlySet<OperationRefusal> = new Set(['factor', 'passkey']);

/**
 * Throws a 401 for a caller without a session, a 403 if the caller may not invoke the operation, and a 404 for another citizen's id, so that the error
 * does not reveal whether that citizen exists. Also throws a 404 for an operation of the desk that the caller may not invoke.
 */
export function authorizeOperation(
  operation: ApiOperation,
  caller: Caller | null,
  params: Readonly<Record<string, string>>,
  flags: FeatureFlags = featureFlagDefaults,
): void {
  const refusal = findOperationRefusal(
    operation,
    caller ?? { role: 'anonymous', permisos: {}, restricted: false, factorDue: false },
    flags,
  );
  if (refusal !== null && !agentOnlyRefusals.has(refusal) && operation.auth === 'agent') throw createNotFoundError();
  if (refusal === 'factor' && operation.auth !== 'agent')
    throw new OperationError(...refusals.factor, { next: pagePaths.secondFactorReminder });
  if (refusal !== null) throw new OperationError(...refusals[refusal]);
  if (operation.callerIdParameter !== undefined && params[operation.callerIdParameter] !== caller?.citizenId)
    throw createNotFoundError();
}

/** Creates the 404 for an unknown path, and for a path that must look unknown to the caller. */
export function createNotFoundError(): OperationError {
  return new OperationError(404, 'no_encontrado');
}

function readBearerToken(header: string | undefined): string | null {
  return /^Bearer +([\w.~+/-]+=*)$/i.exec(header ?? '')?.[1] ?? null;
}

export interface OperationRouteDependencies {
  readonly site: SiteSettings;
  readonly services: ServerServices;
  readonly definitions: LiveDefinitions;
  readonly streams: EventStreams;
  /** Runs work after the response, whose time must not reveal how long the work takes. */
  readonly later: (work: () => Promise<void>) => void;
}

/** Creates the hooks of an operation's route: `admit` runs before the body is read, and `answer` after it. */
export function createOperationRoute(name: OperationName, parts: OperationRouteDependencies) {
  const { site, services, definitions, streams, later } = parts;
  const operation: ApiOperation = apiContract[name];
  const admit = async (request: FastifyRequest): Promise<void> => {
    if (operation.auth === 'agent' && findHostAudience(site, request) === 'citizens') throw createNotFoundError();
    if (operation.auth !== 'agent')
      assertSameSiteRequest(operation, request.headers, listAllowedOrigins(site, request));
    const token = readBearerToken(request.headers.authorization);
    const caller =
      token === null ? null : await services.authenticate(token, operation.passive, getChangeOrigin(request));
    request.setDecorator('caller', caller); // set before the checks, so that the log has the caller of a rejected request
    authorizeOperation(operation, caller, selectStrings(request.params), site.portal.flags);
    if (operation.auth === 'agent')
      assertSameSiteRequest(operation, request.headers, listAllowedOrigins(site, request)); // runs after `authorize`, so that only agents learn that the operation exists
    const { headers } = request;
    const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'; // only a request with one of these headers has a body (RFC 9112, section 6.3)
    if (operation.body === 'empty' && !hasBody)
      delete headers['content-type']; // some clients send a Content-Type without a body
    else if (request.method === 'POST' && request.headers['content-type'] === undefined)
      throw new OperationError(415, 'tipo_de_contenido');
  };
  return {
    async admit(request: FastifyRequest): Promise<void> {
      if (operation.streams && !streams.countOpening(identifyReader(request), services.now()))
        throw operation.auth === 'agent'
          ? createNotFoundError()
          : new OperationError(429, 'demasiados_intentos', { retryAfter: 1 });
      await admit(request);
    },
    async answer(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
      const caller = request.getDecorator<Caller | null>('caller');
      const params = selectStrings(request.params);
      const origin = getChangeOrigin(request, caller?.citizenId ?? null);
      const { language } = origin;
      const sent =
        operation.body === 'empty'
          ? (request.body ?? {})
          : ungroupBodyFields(operation, resolveBodyFieldAliases(operation, request.body));
      checkBodySchema({ operation, body: sent, language });
      await services.countAttempt(name, origin);
      const set = definitions.current;
      const body = await validateBody({
        operation,
        screens: selectBodyValidationScreens(name, set),
        language,
        body: sent,
        definitions: set,
        context: () => services.loadFacts(name, { caller, params, body: sent }),
        formVersion: readHeader(request, 'definition-version'),
      });
      const assertion = readHeader(request, 'passkey-assertion');
      const asked = {
        params,
        caller,
        body,
        ...(operation.allowsExtraFields && isObject(body) && { extra: listExtraFields(name, body, set) }),
        query:
          operation.queryByPost && request.method === 'POST'
            ? readPostedQuery(sent, operation.query ?? [], language)
            : readQuery(request, operation.query ?? [], language),
        cookies: readPortalCookies(request, site.secureCookies),
        origin,
        ...(assertion !== undefined && { assertion }),
      };
      await services.assertAdmitted(name, asked);
      const answer = await services.handlers[name](asked);
      await services.deleteSavedFlows(name, caller);
      copyRefusalLogFacts(answer, request.raw);
      writeCookies(reply, answer.cookies, site.secureCookies);
      const { after, events } = answer;
      if (after) reply.raw.once('close', () => later(after));
      reply.code(answer.status ?? 200);
      if (answer.location !== undefined) reply.code(303).header('location', answer.location);
      if (events)
        return streams.sendStream(reply, {
          first: answer.body,
          events,
          operation: name,
          owner: caller
            ? ['account', caller.citizenId]
            : ['network', findIpv6SiteNetwork(origin.address) ?? origin.address],
          reader: answer.reader,
          admit: async () => {
            await admit(request);
            // A stream that started with a session must end with this session, even if anonymous callers may open a stream too.
            if (caller !== null && request.getDecorator<Caller | null>('caller') === null)
              throw new OperationError(401, 'no_autenticado');
          },
        });
      return operation.shared ? sendCacheable(request, reply, answer.body) : answer.body;
    },
  };
}

/**
 * Returns the key by which new event streams are limited: the last characters of the token, or the client's network for anonymous requests. Runs no
 * query, because the limit applies before authentication.
 */
function identifyReader(request: FastifyRequest): Parameters<EventStreams['countOpening']>[0] {
  const token = readBearerToken(request.headers.authorization);
  const address = getClientAddress(request);
  return token === null ? ['network', findIpv6SiteNetwork(address) ?? address] : ['account', token.slice(-64)];
}

/** Selects the declared parameters. Throws if a value exceeds the maximum length of a text in a body. */
function readQuery(request: FastifyRequest, names: readonly string[], language: Language) {
  const given = readQueryParameters(request);
  const values = selectStrings(Object.fromEntries(names.map((name) => [name, given[name]])));
  const [long] = Object.entries(values).find(([, value]) => value.length > nullableInputTextSchema.maxLength) ?? [];
  if (long !== undefined) throw new InvalidBodyError({ [long]: getSharedText('campo_invalido', language) });
  return values;
}

/** Reads query parameters from a body. Throws if the body contains a field that is not a declared parameter. */
function readPostedQuery(body: unknown, names: readonly string[], language: Language) {
  if (!isObject(body)) throw new OperationError(400, 'cuerpo_mal_formado');
  for (const [name, value] of Object.entries(body)) {
    if (!names.includes(name)) throw new InvalidBodyError({ [name]: getSharedText('campo_desconocido', language) });
    if (typeof value !== 'string') throw new InvalidBodyError({ [name]: getSharedText('campo_invalido', language) });
  }
  return selectStrings(body);
}

function selectStrings(values: unknown): Readonly<Record<string, string>> {
  const entries = isObject(values) ? Object.entries(values) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function readHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Sends a response without personal data, which caches may store. Sends a 304 without a body if the client's copy is current. */
function sendCacheable(request: FastifyRequest, reply: FastifyReply, body: unknown): unknown {
  const tag = `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url')}"`;
  const vary = [reply.getHeader('vary'), 'accept-language'].filter((name) => name !== undefined).join(', ');
  reply.headers({ 'cache-control': 'public, no-cache', etag: tag, vary });
  const held = (request.headers['if-none-match'] ?? '').split(',').map((item) => item.trim().replace(/^W\//, ''));
  return held.includes(tag) || held.includes('*') ? reply.code(304).send() : body;
}
