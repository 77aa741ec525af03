import { operationNames, type OperationName } from '../../contract/contract.ts';
import type { LiveDefinitions } from '../../engine/compiler/definitions.ts';
import { shipAuditBatches } from '../platform/audit/ship-audit.ts';
import { sealAuditRows } from '../platform/audit/seal-audit.ts';
import { loadOperationFacts } from './screen-facts.ts';
import { authenticateBearerToken, isLiveOrEndedDeskSession, isDeskSession } from '../trust/sessions/access-tokens.ts';
import { createBrokerLogoutEndpoints } from '../trust/federation/broker/rp-initiated-logout.ts';
import { createSamlEndpoints } from '../trust/federation/broker/saml-endpoints.ts';
import { createProviderEndpoints } from '../features/sign-in/provider-endpoints.ts';
import { createOperationGuard } from '../web/operations/operation-guard.ts';
import { startRecurringJobs, type RecurringJob } from '../platform/jobs/start-jobs.ts';
import { readCertificateExpiries } from '../platform/metrics/certificate-expiries.ts';
import { readStoredMetrics } from '../platform/metrics/read-stored-metrics.ts';
import type { MetricsSnapshot } from '../platform/metrics/open-prometheus-metrics.ts';
import { readClientTlsOptions } from '../platform/config/tls-files.ts';
import { startOutboxPage } from '../platform/mail/outbox-page.ts';
import { startMailWorker } from '../platform/mail/mail-worker.ts';
import { createHandlerContext, type HandlerContextOptions } from './create-handler-context.ts';
import type { HandlerContext } from '../features/handler-context.ts';
import { importSampleDataModule } from './import-samples.ts';
import type { ServerServices } from '../web/operations/server-services.ts';
import { measureClockSkewMs, warnOfClockSkew } from '../platform/jobs/clock-skew.ts';
import { runWithLease } from '../platform/jobs/lease.ts';
import { purgeExpiredData } from './purge-expired-data.ts';
import { operationHandlers, serverModules } from './server-modules.ts';
import {
  toOperationReply,
  type BoundOperationHandler,
  type BoundOperationHandlers,
} from '../platform/base/operation-request.ts';

/** `outboxUrl` is `null` if mails are sent to a mail server. */
interface RunningServices extends ServerServices {
  readonly outboxUrl: string | null;
  observe(): Promise<MetricsSnapshot>;
  /**
   * Stores the current definition modules, and the assets of the `build` folder, in the database, where all replicas can read them. Renews their time of
   * use periodically. Returns a function that stops the renewal.
   */
  shareModules(definitions: LiveDefinitions, build: string | null): Promise<() => Promise<void>>;
}

export async function createServerServices(options: HandlerContextOptions): Promise<RunningServices> {
  const parts = await createHandlerContext(options);
  const { store, clock, log, auditKeys } = parts;
  try {
    if (parts.config.sampleData) await (await importSampleDataModule()).bookSampleCall(parts);
    const expiries = await readCertificateExpiries(parts.config);
    if (parts.config.auditSink !== null) await readClientTlsOptions(parts.config.auditSink.tls); // reads the files early, so that an invalid one stops the start instead of failing each shipment
    const mail = await startMail(parts);
    const stopJobs = startRecurringJobs(createServerJobs(parts), log, options.metrics);
    return {
      ...createOperationGuard(parts),
      handlers: bindOperationHandlers(parts),
      authenticate: (token, passive, device) => authenticateBearerToken(parts, token, passive, device),
      isDeskSession: (cookie) => isDeskSession(parts, cookie),
      isLiveOrEndedDeskSession: (cookie) => isLiveOrEndedDeskSession(parts, cookie),
      loadFacts: (call, { caller, body }) => loadOperationFacts(parts, call, caller, body),
      oidc: parts.oidc,
      broker: createBrokerLogoutEndpoints(parts),
      saml: createSamlEndpoints(parts),
      card: parts,
      providers: createProviderEndpoints(parts),
      observe: () => readServerState(parts, expiries),
      async shareModules(definitions, build) {
        const storeModules = async (): Promise<void> => {
          await parts.modules.storeModules(definitions.current.modules);
          if (build !== null) await parts.modules.storeBuild(build);
        };
        definitions.setPreparation(({ modules }) =>
          parts.modules
            .storeModules(modules)
            .catch((error: unknown) => log.warn({ err: error }, 'modules are not stored')),
        );
        await storeModules();
        log.info({ version: definitions.current.version }, 'definitions in service');
        return startRecurringJobs(
          [{ name: 'share modules', everyMs: 5 * 60 * 1000, run: storeModules }],
          log,
          options.metrics,
        );
      },
      wallet: parts,
      findLogo: (hash) => parts.logos.find(hash),
      module: (url) => parts.modules.findSource(url),
      now: () => clock.now(),
      databaseWaitMs: () => store.estimateWaitMs(),
      passwordWaitMs: () => parts.passwords.waitMs(),
      ready: () => store.checkReady(),
      async close() {
        await stopJobs();
        await sealAuditRows(store, auditKeys[0], clock).catch((error: unknown) =>
          log.error({ err: error }, 'the end of the audit log is not sealed'),
        );
        await mail.close();
        await parts.fileChecker.close();
        await store.close();
      },
      outboxUrl: mail.url,
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function readServerState(
  { definitions, passwords, store, clock }: HandlerContext,
  certificates: MetricsSnapshot['certificates'],
): Promise<MetricsSnapshot> {
  const readDatabase = async () => ({
    ...(await readStoredMetrics(store)),
    clockAheadMs: await measureClockSkewMs(store.db, clock),
  });
  return {
    certificates,
    definitions: definitions().version,
    passwordHashes: passwords.line(),
    connections: store.readPoolUsage(),
    database: await readDatabase().catch(() => null),
  };
}

/** Starts the mail worker. Without SMTP, starts the outbox page instead, which `readConfig` allows only with a loopback base URL. */
async function startMail({ config, store, log }: HandlerContext) {
  const { smtpUrl, smtpTls, mailFrom: from, mailSenders: senders, outboxPort } = config;
  if (smtpUrl === null) return startOutboxPage(store, outboxPort);
  const tls = await readClientTlsOptions(smtpTls);
  return { url: null, close: startMailWorker({ store, log, smtpUrl, tls, from, senders }).close };
}

const hourMs = 60 * 60 * 1000;
const sealMs = 10_000;
/**
 * Interval between two reads of the keys. It is much shorter than the delay after which a key from `portal keys add` encrypts, so that every replica
 * has read the key by then.
 */
const rereadMs = 10_000;

/** Creates the recurring jobs of a server. The mail worker is not among them, because it polls the outbox itself and claims each mail. */
export function createServerJobs(parts: HandlerContext): readonly RecurringJob[] {
  const { store, clock, log, auditKeys } = parts;
  const { auditSink } = parts.config;
  return [
    { name: 'compare clocks', everyMs: hourMs, run: () => warnOfClockSkew(store, clock, log) },
    { name: 'read the keys again', everyMs: rereadMs, run: () => parts.rereadKeys() },
    {
      name: 'purge',
      everyMs: hourMs,
      async run() {
        const deleted = await purgeExpiredData(parts, clock.now());
        if (deleted !== null) log.info({ deleted }, 'purged'); // also if no rows were due, as evidence that the purge ran: the audit log records only deleted accounts
      },
    },
    ...Object.values(serverModules).flatMap((module): readonly RecurringJob[] =>
      'jobs' in module ? module.jobs(parts) : [],
    ),
    {
      name: 'seal the audit log',
      everyMs: sealMs,
      run: () =>
        runWithLease(store, 'seal', async (renew) => void (await sealAuditRows(store, auditKeys[0], clock, renew))),
    },
    ...(auditSink === null
      ? []
      : [
          {
            name: 'ship the audit log',
            everyMs: sealMs,
            run: () => runWithLease(store, 'ship', (renew) => shipAuditBatches(store, auditSink, renew)),
          },
        ]),
  ];
}

/** Binds the dependencies of all handlers. The bound handlers do not run the checks of `OperationGuard`. */
export function bindOperationHandlers(parts: HandlerContext): BoundOperationHandlers {
  const bind = (name: OperationName): BoundOperationHandler => {
    const handle = operationHandlers[name];
    return async (request) => toOperationReply(await handle(parts, request as never)); // the cast is safe: the body has been validated for this operation
  };
  return Object.fromEntries(operationNames.map((name) => [name, bind(name)])) as BoundOperationHandlers; // the cast is needed because `Object.fromEntries` loses the key type
}
