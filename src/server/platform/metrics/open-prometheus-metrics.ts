import { countDroppedLogLines } from '../base/log-output.ts';
import type { CertificateExpiry } from './certificate-expiries.ts';
import type { StoredMetrics } from './read-stored-metrics.ts';
import type { Metrics } from './metrics.ts';
import type { ConnectionPoolUsage } from '../database/postgres-dialect.ts';
import type { Config } from '../config/config.ts';
import { isSameDigest, hashSecret } from '../keys/random-secrets.ts';
import { openListener, type HttpListener } from '../http/open-listener.ts';
import { readRootCertificates, readListenerTlsOptions } from '../config/tls-files.ts';
import type { RequestListener } from 'node:http';

export interface MetricsSnapshot {
  readonly definitions: string;
  readonly passwordHashes: { readonly running: number; readonly waiting: number };
  /** `null` for the embedded database, which has no pool. */
  readonly connections: ConnectionPoolUsage | null;
  /** `null` if the database does not respond. */
  readonly database: (StoredMetrics & { readonly clockAheadMs: number }) | null;
  readonly certificates: readonly CertificateExpiry[];
}

export interface ExposedMetrics extends Metrics {
  readonly contentType: string;
  text(state: MetricsSnapshot): Promise<string>;
}

/** Creates the metrics with prom-client, which is imported only here, so that a server without METRICS_PORT does not load it. */
export async function openPrometheusMetrics(): Promise<ExposedMetrics> {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers });

  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Histogram({
      name,
      help,
      labelNames,
      registers,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    });

  const requests = histogram(
    'portal_request_duration_seconds',
    'Time to answer a request, by the pattern of its address.',
    'method',
    'route',
  );
  const answers = counter(
    'portal_requests_total',
    'Answered requests; 429: throttled; 503: shed, or the database cannot be reached.',
    'method',
    'route',
    'status',
  );
  const refusals = counter(
    'portal_refusals_total',
    'Operations that were refused or failed, by the code of the log.',
    'code',
  );
  const audited = counter(
    'portal_audit_actions_total',
    'Committed changes by their action in the audit log; sign-in, sign-in-failed and sign-in-refused are the outcomes of sign-ins.',
    'action',
  );
  audited.inc({ action: 'malware-refused' }, 0); // the series exists before the first event, because increase() ignores its first sample
  const jobs = histogram(
    'portal_job_duration_seconds',
    'Runs of the jobs of this process; a run that found another replica at work is among them.',
    'name',
    'outcome',
  );
  new Counter({
    name: 'portal_log_lines_dropped_total',
    help: 'Log lines that were lost, since nobody reads the standard output, or too slowly.',
    registers,
    collect() {
      this.reset();
      this.inc(countDroppedLogLines());
    },
  });
  const jobSucceeded = gauge('portal_job_last_success_timestamp_seconds', 'When a job last ended well.', 'name');
  const definitions = gauge('portal_definitions_info', '1 for the definitions in service.', 'version');
  const hashes = gauge('portal_password_hashes', 'Password hashes that run, and that wait in line.', 'state');
  const connections = gauge('portal_database_connections', 'Connections of the pool, and who waits for one.', 'state');
  const reached = gauge('portal_database_up', '1: the database answered this scrape.');
  const mails = gauge('portal_outbox_mails', 'Mails of all replicas that wait or were refused for good.', 'state');
  const mailWait = gauge('portal_outbox_wait_seconds', 'For how long the first mail has waited.');
  const unsealed = gauge('portal_audit_unsealed_rows', 'Rows of the audit log that no seal covers yet.');
  const calls = gauge('portal_video_calls', 'Video calls that hold a place in the agenda.', 'agenda', 'state');

  const backupAt = gauge('portal_backup_last_timestamp_seconds', 'When the last recorded backup was begun; 0: none.');
  const clockAhead = gauge('portal_clock_ahead_seconds', 'How far the clock of this replica is ahead of the database.');
  const expiries = gauge(
    'portal_certificate_expiry_timestamp_seconds',
    'When the first certificate of the file of a setting ends, as this replica has read it.',
    'setting',
  );
  const keyAge = gauge('portal_key_age_seconds', 'Since the database accepted the key of this use.', 'use');

  const setGauges = (state: NonNullable<MetricsSnapshot['database']>) => {
    mails.set({ state: 'waiting' }, state.mailsWaiting);
    mails.set({ state: 'refused' }, state.mailsRefused);
    mailWait.set(state.mailWaitS);
    unsealed.set(state.auditUnsealed);
    backupAt.set(state.backupAtS);
    clockAhead.set(state.clockAheadMs / 1000);
    for (const { use, ageS } of state.keys) keyAge.set({ use }, ageS);
    calls.reset();
    for (const { agenda, state: name, count } of state.calls) calls.set({ agenda, state: name }, count);
  };

  return {
    contentType: registry.contentType,
    recordResponse({ method, route, status, seconds }) {
      requests.observe({ method, route }, seconds);
      answers.inc({ method, route, status });
    },
    recordRefusal: (code) => refusals.inc({ code }),
    audited: (action) => audited.inc({ action }),
    jobEnded({ job, failed, seconds }) {
      jobs.observe({ name: job, outcome: failed ? 'failed' : 'ended' }, seconds);
      if (!failed) jobSucceeded.setToCurrentTime({ name: job });
    },
    async text(state) {
      definitions.reset();
      definitions.set({ version: state.definitions }, 1);
      for (const [name, count] of Object.entries(state.passwordHashes)) hashes.set({ state: name }, count);
      for (const [name, count] of Object.entries(state.connections ?? {})) connections.set({ state: name }, count);
      for (const { setting, at } of state.certificates) expiries.set({ setting }, at.getTime() / 1000);
      reached.set(state.database === null ? 0 : 1);
      if (state.database !== null) setGauges(state.database);
      return registry.metrics();
    },
  };
}

/**
 * Opens the listener for metrics. It requires METRICS_TOKEN as bearer token and a client certificate of METRICS_ROOTS, if these are set. Throws a
 * `StartError` if the port is in use.
 */
export async function openMetricsListener(
  config: Pick<Config, 'host' | 'metricsPort' | 'metricsToken' | 'metricsRoots' | 'tlsFile'>,
  metrics: Pick<ExposedMetrics, 'contentType' | 'text'>,
  server: { observe(): Promise<MetricsSnapshot> },
): Promise<HttpListener> {
  const { host, metricsPort: port, metricsToken, metricsRoots, tlsFile } = config;
  const expected = metricsToken === null ? null : hashSecret(`Bearer ${metricsToken}`);
  const handle: RequestListener = (request, response) => {
    if (expected !== null && !isSameDigest(hashSecret(request.headers.authorization ?? ''), expected)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return;
    }
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    const headers = { 'content-type': metrics.contentType, 'cache-control': 'no-store' };
    server
      .observe()
      .then((state) => metrics.text(state))
      .then(
        (body) => response.writeHead(200, headers).end(body),
        () => response.writeHead(500).end(),
      );
  };
  const clients = metricsRoots !== null && {
    ca: await readRootCertificates(metricsRoots, 'METRICS_ROOTS'),
    requestCert: true,
    rejectUnauthorized: true,
  };
  const tls = tlsFile === null ? null : { ...(await readListenerTlsOptions(tlsFile, 'TLS_FILE')), ...clients };
  return openListener(handle, { host, port: port ?? 0, setting: 'METRICS_PORT' }, tls);
}
