import cookie from '@fastify/cookie';
import {
  fastify,
  LogController,
  type FastifyInstance,
  type FastifyBaseLogger,
  type FastifyRequest,
  type FastifyHttpOptions,
} from 'fastify';
import type { Server } from 'node:http';
import type { TlsOptions } from 'node:tls';
import type { Logger } from 'pino';
import { identityBrokerPaths } from '../../contract/contract.ts';
import type { LiveDefinitions } from '../../engine/compiler/definitions.ts';
import type { Config } from '../platform/config/config.ts';
import type { LiveContent } from '../features/content/open-content.ts';
import { OperationError, addRefusalLogFacts, findRefusalLogFacts } from '../platform/base/errors.ts';
import type { ServerServices } from '../web/operations/server-services.ts';
import { registerAssetRoutes, registerLogoRoutes, registerDefinitionRoutes } from '../web/pages/asset-routes.ts';
import { registerCardRoutes, createProxyCertificateReader } from '../web/pages/card-certificate-routes.ts';
import { registerWalletRoutes } from '../web/pages/wallet-routes.ts';
import { registerLogoutRedirects, registerLogoutPage } from '../web/pages/logout-routes.ts';
import { createNotFoundError } from '../web/operations/operation-route.ts';
import { registerCorsHook, isOperationPath, registerOperations } from '../web/operations/register-operations.ts';
import { registerLoadShedding } from '../web/pages/shed-load.ts';
import { measureEventLoopLag } from '../platform/load/event-loop-lag.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { EventLoopWatchdog } from '../platform/load/event-loop-watchdog.ts';
import { toRoutedUrl } from '../platform/http/url-limits.ts';
import {
  registerPipeliningLimit,
  listenerTimeouts,
  createConnectionDrainer,
} from '../platform/http/connection-limits.ts';
import { isTrustedProxy, createTrustProxyOption } from '../platform/http/client-address.ts';
import { lookUpText } from './server-modules.ts';
import { readListenerTlsOptions } from '../platform/config/tls-files.ts';
import { EventStreams } from '../platform/http/event-stream.ts';
import { toErrorResponse } from '../platform/http/error-response.ts';
import { healthPaths, registerHealthRoutes } from '../web/pages/health-routes.ts';
import { addJsonParser } from '../platform/http/json-parser.ts';
import { selectAcceptedLanguage } from '../platform/http/request-language.ts';
import { createDeferredWorkRunner } from '../platform/http/deferred-work.ts';
import { runInTraceSpan, parseTraceparent, createChildTraceContext, type Tracer } from '../platform/traces/trace.ts';
import type { Caller } from '../platform/base/operation-request.ts';
import { logResponses, maskUrlPath, createRequestIdGenerator } from '../platform/http/logging.ts';
import { warnOfHiddenClientAddresses } from '../platform/metrics/hidden-client-addresses.ts';
import { registerOidcRoutes } from '../web/pages/oidc-routes.ts';
import { registerProviderRoutes } from '../web/pages/provider-routes.ts';
import { registerWellKnownRoutes } from '../web/pages/well-known-routes.ts';
import { registerSamlRoutes } from '../web/pages/saml-routes.ts';
import { buildOpenApi } from '../web/operations/openapi.ts';
import { registerCspReportRoutes } from '../web/pages/csp-report-routes.ts';
import { registerPageRoutes, sendMalformedUrlError } from '../web/pages/page-routes.ts';
import type { PageSource } from '../web/pages/page-source.ts';
import { rejectInvalidUrls } from '../web/pages/reject-invalid-urls.ts';
import { writeSecurityHeaders } from '../platform/http/security-headers.ts';
import { findHostAudience, createSiteSettings, type SiteSettings } from '../platform/http/site-settings.ts';

/** Creates the HTTP server with all its routes. It does not listen yet. */
export async function createHttpServer(dependencies: {
  readonly config: Config;
  readonly services: ServerServices;
  readonly definitions: LiveDefinitions;
  readonly content: Pick<LiveContent, 'problems'>;
  readonly log: Logger;
  readonly pages: PageSource;
  readonly watchdog?: Pick<EventLoopWatchdog, 'recordRequest'> | null;
  readonly metrics?: Metrics | null;
  readonly tracer?: Tracer | null;
}): Promise<FastifyInstance> {
  const { config, services, definitions, content, log, pages, watchdog, metrics, tracer = null } = dependencies;
  const site = createSiteSettings(config, lookUpText);
  const later = createDeferredWorkRunner(log);
  const streams = new EventStreams();
  const tls = config.tlsFile === null ? null : await readListenerTlsOptions(config.tlsFile, 'TLS_FILE');
  const http = createHttpServerWithLimits(log, tls, {
    genReqId: createRequestIdGenerator(config.proxies),
    trustProxy: createTrustProxyOption(config.proxies),
    bodyLimit: 64 * 1024, // of an operation
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 128 },
    frameworkErrors(_error, _request, reply) {
      writeSecurityHeaders(reply, site.hsts);
      sendMalformedUrlError(reply, site);
    },
  });
  const lag = measureEventLoopLag();
  const closeQuiet = createConnectionDrainer(http.server);
  http.addHook('preClose', async () => {
    streams.endAllStreams();
    closeQuiet();
  });
  http.addHook('onClose', () => later.settled());
  http.addHook('onClose', async () => lag.stop());
  if (watchdog)
    http.addHook('onRequest', async (request, reply) => {
      reply.raw.once('close', watchdog.recordRequest(`${request.method} ${findLoggedPath(request)}`));
    });
  traceRequests(http, config, tracer);
  if (metrics) measureResponses(http, metrics);
  if (!config.loopback) warnOfHiddenClientAddresses(http, { proxies: config.proxies, log, ignored: healthPaths });
  setUpResponses(http, site);
  rejectInvalidUrls(http, site);
  registerCorsHook(http, site);
  registerLoadShedding(http, { site, lag, limitMs: config.shedLagMs, services });
  if (pages.development) serveSources(http, pages.development);
  await http.register(cookie);
  addJsonParser(http);

  registerHealthRoutes(http, services, definitions, lag);
  http.get('/openapi.json', async (request) => {
    const side = findHostAudience(site, request);
    const server =
      side === 'desk' && site.deskOrigin !== null ? site.deskOrigin : config.hosts.backend || config.baseUrl;
    // Without a separate desk host, the OpenAPI description is public, so it omits the operations of the desk, except on loopback.
    return buildOpenApi(definitions.current, { server, side: side === 'both' && !config.loopback ? 'citizens' : side });
  });
  registerOperations(
    http,
    { site, services, definitions, streams, later: later.add },
    {
      [identityBrokerPaths.logout]: ['GET'],
      [identityBrokerPaths.login]: ['GET'],
      [identityBrokerPaths.consent]: ['GET'],
    },
  );
  registerLogoutPage(http, site, services.broker);
  registerLogoutRedirects(http, services.broker);
  await http.register(async (federation) => {
    // Responds with a 404 at a separate desk host, which offers neither OIDC nor SAML nor sign-in with identity providers, because agents' sessions
    // are valid only at the desk.
    federation.addHook('onRequest', async (request) => {
      if (findHostAudience(site, request) === 'desk') throw createNotFoundError();
    });
    const { oidc, broker } = services;
    const proxied = config.card !== null && config.card.proxies.length > 0 ? config.card : null;
    const mutualTls = proxied && {
      origin: proxied.url,
      readCertificates: createProxyCertificateReader(proxied.proxies, proxied.proxySecret),
    };
    await registerOidcRoutes(federation, { site, oidc, broker, mutualTls });
    await registerSamlRoutes(federation, site, services.saml);
    if (mutualTls !== null) registerCardRoutes(federation, site, services.card, mutualTls.readCertificates);
    await registerProviderRoutes(federation, site, services.providers, later.add);
    if (config.wallet !== null) await registerWalletRoutes(federation, services.wallet);
  });
  registerCspReportRoutes(http, services.now, config.workers);
  registerLogoRoutes(http, services);
  registerWellKnownRoutes(http, config, services.now);
  registerDefinitionRoutes(http, definitions, site, services);
  pages.development?.routes(http, { site, services, definitions });
  if (pages.folder !== null) await registerAssetRoutes(http, pages.folder, services);
  registerPageRoutes(http, { site, services, definitions, content, pages, development: config.development });
  return http;
}

/** Creates an HTTP server with the timeouts and the URL limits that every listener has. */
export function createHttpServerWithLimits(
  log: Logger,
  tls: TlsOptions | null,
  options: FastifyHttpOptions<Server, FastifyBaseLogger>,
): FastifyInstance {
  const all = {
    ...options,
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    rewriteUrl: toRoutedUrl,
    requestTimeout: listenerTimeouts.requestTimeout,
    http: listenerTimeouts,
  } as FastifyHttpOptions<Server, FastifyBaseLogger>;
  // Fastify has separate types for HTTP and HTTPS servers, which TypeScript cannot distinguish here
  const http = fastify(tls ? ({ ...all, https: { ...listenerTimeouts, ...tls } } as typeof all) : all);
  registerPipeliningLimit(http);
  return http;
}

function setUpResponses(http: FastifyInstance, site: SiteSettings): void {
  http.addHook('onRequest', async (request, reply) => {
    writeSecurityHeaders(reply, site.hsts);
    reply.header('x-request-id', request.id);
  });
  http.setNotFoundHandler(() => {
    throw new OperationError(404, 'no_encontrado');
  });
  http.setErrorHandler((error, request, reply) => {
    const answer = toErrorResponse(error, selectAcceptedLanguage(request.headers['accept-language']), site.texts);
    // An overload is not an error: `logResponses` records it, and a stack trace per request would add load.
    const isBusy = error instanceof OperationError && error.retryAfter !== undefined;
    if (answer.status >= 500 && !isBusy) request.log.error({ err: error }, 'operation failed');
    addRefusalLogFacts(request.raw, { ...findRefusalLogFacts(error), code: answer.body.code });
    if (answer.retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(answer.retryAfter)));
    return reply.code(answer.status).type('application/json; charset=utf-8').send(JSON.stringify(answer.body));
  });
  logResponses(http, findLoggedPath, (request) => request.getDecorator<Caller | null>('caller')?.citizenId);
}

/** Returns the path to log: the route pattern of an operation, or the masked path of any other request. */
function findLoggedPath(request: FastifyRequest): string {
  return isOperationPath(request.url) ? (request.routeOptions.url ?? '') : maskUrlPath(request.url);
}

/** Continues the trace of a trusted proxy. Without a tracer, only requests with a `traceparent` header get a trace context. */
function traceRequests(http: FastifyInstance, { proxies }: Pick<Config, 'proxies'>, tracer: Tracer | null): void {
  http.addHook('onRequest', (request, reply, done) => {
    const { method, headers, socket } = request;
    const parent = isTrustedProxy(socket.remoteAddress, proxies) ? parseTraceparent(headers.traceparent) : null;
    if (tracer === null) {
      if (parent === null) done();
      else runInTraceSpan(createChildTraceContext(parent), null, done);
      return;
    }
    const attributes = { 'http.request.method': method };
    const span = tracer.beginSpan({ name: method, kind: 'server', attributes, parent });
    reply.raw.once('close', () => {
      const [route, status] = [getRoutePattern(request), reply.statusCode];
      span.end({
        name: `${method} ${route}`,
        attributes: { 'http.route': route, 'http.response.status_code': status },
        failed: status >= 500,
      });
    });
    runInTraceSpan(span.context, tracer, done);
  });
}

/** Returns the pattern of a request's route. All unknown URLs share one value, which bounds the cardinality of metrics. */
function getRoutePattern({ routeOptions }: FastifyRequest): string {
  return routeOptions.url?.replace(/\([^)]*\)/g, '') ?? 'none'; // removes the regular expressions of parameters
}

function measureResponses(http: FastifyInstance, metrics: Metrics): void {
  http.addHook('onResponse', async (request, reply) => {
    metrics.recordResponse({
      method: request.method,
      route: getRoutePattern(request),
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
    const code = findRefusalLogFacts(request.raw)?.code;
    if (code !== undefined) metrics.recordRefusal(code);
  });
}

/** Serves source files during development, before all routes. Responds with a 403 to requests that the development server does not accept. */
function serveSources(
  http: FastifyInstance,
  { admitsRequest: admits, middleware }: NonNullable<PageSource['development']>,
): void {
  http.addHook('onRequest', (request, reply, done) => {
    if (!admits(request.raw)) void reply.code(403).send();
    else if (isOperationPath(request.url) || request.url.startsWith('/definitions/')) done();
    else middleware(request.raw, reply.raw, (error) => done(error instanceof Error ? error : undefined));
  });
}
