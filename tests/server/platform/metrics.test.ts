import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { command as backup } from '../../../src/cli/database/backup.ts';
import { startServer, type RunningServer } from '../../../src/server/app/start-server.ts';
import { readConfig } from '../../../src/server/platform/config/read-config.ts';
import { readCertificateExpiries } from '../../../src/server/platform/metrics/certificate-expiries.ts';
import { openPrometheusMetrics } from '../../../src/server/platform/metrics/open-prometheus-metrics.ts';
import { listSources } from '../../architecture/source-texts.ts';
import { issueCertificate, encodePem, encodePrivateKey } from '../support/certificates.ts';
import { openBrowser } from '../support/browser.ts';
import { fakeFiles } from '../support/fake-definitions.ts';
import { stubPages } from '../support/stub-pages.ts';
import { runInProcess } from '../support/run-command.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { placeSigningKey } from '../support/signing-key.ts';

const root = resolve(import.meta.dirname, '../../..');
let server: RunningServer;
let folder = '';
let postgres: TestPostgres;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-metrics-'));
  postgres = await startPostgres({ tables: true });
  const env = {
    DATABASE_URL: postgres.url,
    DATA_DIR: folder,
    PORT: '0',
    OUTBOX_PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'silent',
  };
  await placeSigningKey(folder);
  server = await startServer({
    root,
    env: { ...env, SHED_LAG_MS: '0' },
    pages: async () => stubPages,
    files: fakeFiles,
  });
});
afterAll(async () => {
  await server.stop();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

const at = (path: string) => `http://${server.config.host}:${server.metricsPort}${path}`;

/** Returns the samples of a metric: its values by their labels. */
async function scrape(name: string): Promise<Readonly<Record<string, number>>> {
  const text = await (await fetch(at('/metrics'))).text();
  return Object.fromEntries(
    text
      .split('\n')
      .map((line) => /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line))
      .filter((match) => match?.[1] === name)
      .map((match) => [match?.[2] ?? '', Number(match?.[3])]),
  );
}

test('[ASVS-12.3.3] portal and metrics serve TLS with TLS_FILE, [ASVS-13.4.5] and metrics require METRICS_TOKEN', async () => {
  const tls = await issueCertificate(new Date(), { subject: 'CN=127.0.0.1' });
  const file = join(folder, 'tls.pem');
  await writeFile(file, `${encodePem(tls)}\n${await encodePrivateKey(tls)}`);
  const own = await startPostgres({ tables: true });
  const env = { DATABASE_URL: own.url, DATA_DIR: folder, PORT: '0', OUTBOX_PORT: '0', METRICS_PORT: '0' };
  const secure = await startServer({
    root,
    env: { ...env, LOG_LEVEL: 'silent', METRICS_TOKEN: 'lo-que-sabe-prometheus', TLS_FILE: file },
    pages: async () => stubPages,
    files: fakeFiles,
  });
  const status = (port: number | null, path: string, headers = {}) =>
    new Promise((done, failed) => {
      get({ port, path, headers, host: '127.0.0.1', rejectUnauthorized: false }, (response) => {
        response.resume();
        done(response.statusCode);
      }).on('error', failed);
    });
  expect(await status(secure.config.port, '/readyz')).toBe(200);
  expect(await status(secure.metricsPort, '/metrics')).toBe(401);
  expect(await status(secure.metricsPort, '/metrics', { authorization: 'Bearer otro' })).toBe(401);
  expect(await status(secure.metricsPort, '/metrics', { authorization: 'Bearer lo-que-sabe-prometheus' })).toBe(200);
  const text = await new Promise<string>((done, failed) => {
    const headers = { authorization: 'Bearer lo-que-sabe-prometheus' };
    const asked = { port: secure.metricsPort, path: '/metrics', headers, host: '127.0.0.1', rejectUnauthorized: false };
    get(asked, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.on('end', () => done(body));
    }).on('error', failed);
  });
  const endsAt = Date.parse(new X509Certificate(encodePem(tls)).validTo) / 1000;
  const expiry = /^portal_certificate_expiry_timestamp_seconds\{setting="TLS_FILE"\} (.+)$/m.exec(text);
  expect(Number(expiry?.[1]), '[OPER-01] expiry of the certificate').toBe(endsAt);
  await expect(fetch(`http://127.0.0.1:${secure.config.port}/readyz`)).rejects.toThrow();
  await secure.stop();
  await own.stop();
});

test('[OPER-01] certificate expiries include the client certificate in DATABASE_URL', async () => {
  const certificate = await issueCertificate(new Date(), { subject: 'CN=portal' });
  const file = join(folder, 'client certificate.pem');
  await writeFile(file, encodePem(certificate));
  const databaseUrl = `postgresql://portal@db/portal?sslmode=verify-full&sslcert=${encodeURIComponent(file)}&sslkey=x`;
  const expiries = await readCertificateExpiries(
    readConfig({ BASE_URL: 'http://localhost', DATABASE_URL: databaseUrl }),
  );
  const at = new Date(new X509Certificate(encodePem(certificate)).validTo);
  expect(expiries).toEqual([{ setting: 'DATABASE_URL', at }]);
});

describe('[OPER-01] GET /metrics', () => {
  test('is served on its own port, and not by the portal', async () => {
    const answer = await fetch(at('/metrics'));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect([(await fetch(at('/'))).status, (await fetch(at('/metrics'), { method: 'POST' })).status]).toEqual([
      404, 404,
    ]);
    expect((await fetch(`${server.config.baseUrl}/metrics`)).headers.get('content-type')).toContain('text/html');
  });

  test('counts requests by operation and status, without a label for unknown URLs', async () => {
    await fetch(`${server.config.baseUrl}/rest/ciudadanos/1/`);
    for (const path of ['/rest/uno/', '/rest/dos/']) await fetch(`${server.config.baseUrl}${path}`);
    // polls, because requests are counted after the response is sent
    const expected = { 'method="GET",route="/rest/ciudadanos/:id/",status="401"': 1 };
    await expect.poll(() => scrape('portal_requests_total')).toMatchObject(expected);
    const counted = await scrape('portal_requests_total');
    expect(Object.keys(counted).filter((labels) => /uno|dos/.test(labels))).toEqual([]);
    const seconds = await scrape('portal_request_duration_seconds_count');
    expect(seconds['method="GET",route="/rest/ciudadanos/:id/"']).toBe(1);
  });

  test('counts sign-ins and refusals by outcome', async () => {
    const browser = openBrowser(server.config.baseUrl);
    await browser.signIn({ password: 'otra-contrasena-larga' });
    await browser.signIn();
    const counted = await scrape('portal_audit_actions_total');
    expect(counted['action="sign-in-failed"']).toBe(1);
    expect(counted['action="sign-in"']).toBe(1);
    await expect.poll(() => scrape('portal_refusals_total')).toMatchObject({ 'code="credenciales"': 1 });
  });

  test('reports jobs, connections, password hashes, definitions, mails, calls, backups and the clock', async () => {
    await expect.poll(() => scrape('portal_job_duration_seconds_count')).toHaveProperty('name="purge",outcome="ended"');
    expect(await scrape('portal_database_up')).toEqual({ '': 1 });
    expect(Object.keys(await scrape('portal_database_connections'))).toEqual(
      ['used', 'idle', 'waiting'].map((state) => `state="${state}"`),
    );
    expect(await scrape('portal_password_hashes')).toEqual({ 'state="running"': 0, 'state="waiting"': 0 });
    expect(Object.values(await scrape('portal_definitions_info'))).toEqual([1]);
    expect(await scrape('portal_outbox_mails')).toMatchObject({ 'state="refused"': 0 });
    expect(await scrape('portal_video_calls')).toMatchObject({ 'agenda="elevation",state="Agendado"': 1 });
    expect(await scrape('portal_backup_last_timestamp_seconds')).toEqual({ '': 0 });
    expect(await scrape('portal_clock_ahead_seconds')).toEqual({ '': 0 });
    const env = { BASE_URL: '', DATABASE_URL: postgres.url, DATA_DIR: folder };
    expect(await runInProcess(backup, [join(folder, 'copy')], env)).toMatchObject({ status: 0, stderr: '' });
    const ageS = Date.now() / 1000 - ((await scrape('portal_backup_last_timestamp_seconds'))[''] ?? 0);
    expect(ageS).toBeGreaterThan(0);
    expect(ageS).toBeLessThan(600);
    for (const name of ['portal_outbox_wait_seconds', 'portal_audit_unsealed_rows', 'nodejs_eventloop_lag_p99_seconds'])
      expect(Object.keys(await scrape(name)), name).toEqual(['']);
  });
});

test('[OPER-01] metrics of an unreachable database report portal_database_up 0 and all values from memory', async () => {
  const metrics = await openPrometheusMetrics();
  const connections = { used: 10, idle: 0, waiting: 3 };
  const hashes = { running: 1, waiting: 2 };
  metrics.jobEnded({ job: 'purge', failed: true, seconds: 1 });
  const text = await metrics.text({
    definitions: 'v',
    passwordHashes: hashes,
    connections,
    database: null,
    certificates: [],
  });
  expect(text).toContain('portal_database_up 0');
  expect(text).toContain('portal_database_connections{state="waiting"} 3');
  expect(text).toContain('portal_password_hashes{state="waiting"} 2');
  expect(text).toContain('portal_job_duration_seconds_count{name="purge",outcome="failed"} 1');
  expect(text).not.toContain('portal_job_last_success_timestamp_seconds{');
});

test('[OPER-01] alert rules, dashboard and operation.md use only metrics that GET /metrics returns', async () => {
  const text = await (await fetch(at('/metrics'))).text();
  const scraped = new Set([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name]) => name));
  for (const file of ['deploy/alerts.yaml', 'deploy/grafana-dashboard.json', 'operation.md']) {
    const source = await readFile(join(root, 'src/server', file), 'utf8');
    const asked = [...source.matchAll(/\b(?:portal|nodejs|process)_\w+/g)].map(([name]) => name);
    expect(asked.length, file).toBeGreaterThan(5);
    const families = asked.map((name) => name.replace(/_(bucket|sum|count)$/, ''));
    expect([file, families.filter((name) => !scraped.has(name))]).toEqual([file, []]);
  }
});

test('[OPER-01] alert rules select only label values that the source of the server contains', async () => {
  const rules = await readFile(join(root, 'src/server/deploy/alerts.yaml'), 'utf8');
  const values = [...rules.matchAll(/\b(?:action|code|name|outcome|state)="([^"]+)"/g)].map(([, value = '']) => value);
  expect(values.length).toBeGreaterThan(7);
  const sources = listSources('src/server').map((file) => readFileSync(join(root, file), 'utf8'));
  expect(values.filter((value) => !sources.some((text) => text.includes(`'${value}'`)))).toEqual([]);
});

test('[OPER-01] an alert on the increase of audited actions fires at the first one: each series starts at 0', async () => {
  const rules = await readFile(join(root, 'src/server/deploy/alerts.yaml'), 'utf8');
  const series = [...rules.matchAll(/increase\((portal_audit_actions_total\{.*?\})\[/g)].map(([, name = '']) => name);
  expect(series).not.toEqual([]);
  const metrics = await openPrometheusMetrics();
  const state = { definitions: 'v', passwordHashes: { running: 0, waiting: 0 }, connections: null };
  const lines = (await metrics.text({ ...state, database: null, certificates: [] })).split('\n');
  expect(series.filter((name) => !lines.includes(`${name} 0`))).toEqual([]);
});
