import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { LiveDefinitions } from '../../engine/compiler/definitions.ts';
import { openLiveDefinitions } from '../../engine/compiler/open-live-definitions.ts';
import { systemClock } from '../platform/base/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { describeDeskRisk } from '../platform/config/setting-conflicts.ts';
import { readConfig } from '../platform/config/read-config.ts';
import { resolveFreePort } from '../platform/config/free-port.ts';
import { openLiveContent, type LiveContent } from '../features/content/open-content.ts';
import { createServerServices } from './create-server-services.ts';
import { createDefinitionOptions } from './definition-options.ts';
import { createHttpServer, createHttpServerWithLimits } from './create-http-server.ts';
import { measureEventLoopLag } from '../platform/load/event-loop-lag.ts';
import { startEventLoopWatchdog } from '../platform/load/event-loop-watchdog.ts';
import { createLogger, logResponses, maskUrlPath, createRequestIdGenerator } from '../platform/http/logging.ts';
import type { PageSource } from '../web/pages/page-source.ts';
import { openMetricsListener, openPrometheusMetrics } from '../platform/metrics/open-prometheus-metrics.ts';
import { openTracer } from '../platform/traces/open-tracer.ts';
import { convertListenError } from '../platform/base/errors.ts';
import { readFile } from 'node:fs/promises';
import { constants } from 'node:crypto';
import type { CardSignInDependencies } from '../trust/federation/card/identity-card-sign-in.ts';
import { readListenerTlsOptions } from '../platform/config/tls-files.ts';
import { buildHstsHeader, writeSecurityHeaders } from '../platform/http/security-headers.ts';
import { createSiteSettings } from '../platform/http/site-settings.ts';
import { registerOidcApi } from '../web/pages/oidc-routes.ts';
import type { OidcProvider } from '../trust/federation/oidc/open-oidc.ts';
import {
  registerCardErrorPages,
  registerCardRoutes,
  readTlsClientCertificates,
} from '../web/pages/card-certificate-routes.ts';
import { registerLoadShedding } from '../web/pages/shed-load.ts';
import { lookUpText } from './server-modules.ts';
import { rejectInvalidUrls } from '../web/pages/reject-invalid-urls.ts';

export interface ServerStartOptions {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pages: (parts: OpenFiles & { readonly config: Config }) => Promise<PageSource>;
  /**
   * Definitions and content that several servers of this process share, and that the server does not close. If absent, the server opens and watches
   * its own.
   */
  readonly files?: OpenFiles;
}

interface OpenFiles {
  readonly definitions: LiveDefinitions;
  readonly content: LiveContent;
}

export interface RunningServer {
  readonly config: Config;
  /** URL of the outbox page. `null` if mails are sent to a mail server. */
  readonly outboxUrl: string | null;
  readonly metricsPort: number | null;
  /** Stops accepting connections, finishes pending work and closes the database. */
  stop(): Promise<void>;
}

/** Starts a server and resolves when it listens. Throws a `DefinitionError` or a `StartError` if it cannot start. */
export async function startServer({ root, env, pages, files }: ServerStartOptions): Promise<RunningServer> {
  const config = readConfig(await resolveFreePort(env));
  const log = createLogger({ level: config.logLevel });
  const deskRisk = describeDeskRisk(config);
  if (deskRisk !== null) log.warn(deskRisk);
  const definitions =
    files?.definitions ?? (await openLiveDefinitions({ ...createDefinitionOptions(root), watch: true }));
  const closers: (() => Promise<void>)[] = files ? [] : [() => definitions.close()];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const content = files?.content ?? (await openLiveContent({ root, definitions, watch: true }));
    if (!files) closers.push(() => content.close());
    const metrics = config.metricsPort === null ? null : await openPrometheusMetrics();
    const tracer = config.traces === null ? null : await openTracer({ ...config.traces, log });
    if (tracer !== null) closers.push(() => tracer.close());
    const services = await createServerServices({
      config,
      clock: systemClock,
      log,
      definitions: () => definitions.current,
      content: () => content.current,
      ...(metrics && { metrics }),
    });
    closers.push(() => services.close());
    const source = await pages({ config, definitions, content });
    closers.push(await services.shareModules(definitions, source.folder));
    const watchdog = log.isLevelEnabled('warn') ? startEventLoopWatchdog() : null;
    if (watchdog) closers.push(() => watchdog.stop());
    const observers = { watchdog, metrics, tracer };
    const http = await createHttpServer({ config, services, definitions, content, log, pages: source, ...observers });
    closers.push(() => http.close());
    definitions.onChange(() =>
      reportChange(definitions, { version: definitions.current.version }, 'definitions changed', log),
    );
    content.onChange(() => reportChange(content, {}, 'content changed', log));
    await listenOnPort(http, { port: config.port, host: config.host, setting: 'PORT' });
    const cards = await openClientCertificateListener(config, { ...services.card, oidc: services.oidc }, log);
    if (cards !== null) closers.push(() => cards.close());
    const scraped = metrics && (await openMetricsListener(config, metrics, services));
    if (scraped) closers.push(() => scraped.close());
    return { config, outboxUrl: services.outboxUrl, metricsPort: scraped?.port ?? null, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Logs the result of a reload during development. */
function reportChange({ problems }: Pick<LiveDefinitions, 'problems'>, facts: object, done: string, log: Logger): void {
  if (problems.length === 0) log.info(facts, done);
  for (const { file, line, column, message, hint } of problems)
    log.error(`${file}:${line}:${column} ${message} ${hint}`);
}

async function listenOnPort(
  http: FastifyInstance,
  endpoint: { readonly port: number; readonly host: string; readonly setting: string },
): Promise<void> {
  await http.listen({ port: endpoint.port, host: endpoint.host }).catch((error: unknown) => {
    throw convertListenError(error, endpoint);
  });
}

/**
 * Opens the only listener whose TLS requests a client certificate, of an identity card or of an application with mutual TLS. Every request needs a new
 * handshake, so that a card does not stay in use after its removal. Returns `null` if CARD_PORT is not set.
 */
export async function openClientCertificateListener(
  config: Config,
  dependencies: CardSignInDependencies & { readonly oidc: Pick<OidcProvider, 'handle'> },
  log: Logger,
): Promise<{ close: () => Promise<void> } | null> {
  const { card, mtls } = config;
  if (card === null || card.port === null) return null;
  const tls = {
    ...(await readListenerTlsOptions(card.tls, 'CARD_TLS')),
    ca: await Promise.all([card.roots, ...(mtls.roots === null ? [] : [mtls.roots])].map((file) => readFile(file))),
    requestCert: true,
    rejectUnauthorized: false, // `verifyCardCertificate` verifies the certificate, so that the response can explain a failure
    secureOptions: constants.SSL_OP_NO_TICKET,
  };
  const http = createHttpServerWithLimits(log, tls, { genReqId: createRequestIdGenerator(null) });
  const site = createSiteSettings(config, lookUpText);
  const lag = measureEventLoopLag();
  http.addHook('onClose', async () => lag.stop());
  http.addHook('onRequest', async (request, reply) => {
    writeSecurityHeaders(reply, buildHstsHeader(config));
    reply.headers({ 'x-request-id': request.id, connection: 'close' });
  });
  rejectInvalidUrls(http, site);
  registerLoadShedding(http, {
    site,
    lag,
    limitMs: config.shedLagMs,
    services: { databaseWaitMs: () => dependencies.store.estimateWaitMs(), passwordWaitMs: () => 0 },
  });
  registerCardErrorPages(http, site);
  logResponses(http, ({ url }) => maskUrlPath(url));
  registerCardRoutes(http, site, dependencies, readTlsClientCertificates);
  await registerOidcApi(http, {
    ...{ site, oidc: dependencies.oidc },
    mutualTls: { origin: card.url, readCertificates: readTlsClientCertificates },
  });
  await listenOnPort(http, { port: card.port, host: config.host, setting: 'CARD_PORT' });
  return http;
}
