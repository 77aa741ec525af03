import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sealAuditRows } from '../../../src/server/platform/audit/seal-audit.ts';
import { shipAuditBatches } from '../../../src/server/platform/audit/ship-audit.ts';
import { createInternalChangeOrigin } from '../../../src/server/platform/base/change-origin.ts';
import type { ClientTlsFiles } from '../../../src/server/platform/config/config.ts';
import { readConfig } from '../../../src/server/platform/config/read-config.ts';
import { readClientTlsOptions } from '../../../src/server/platform/config/tls-files.ts';
import { startMailWorker } from '../../../src/server/platform/mail/mail-worker.ts';
import { enqueueMail } from '../../../src/server/platform/mail/outbox.ts';
import {
  openMetricsListener,
  openPrometheusMetrics,
} from '../../../src/server/platform/metrics/open-prometheus-metrics.ts';
import { openTracer } from '../../../src/server/platform/traces/open-tracer.ts';
import { openMalwareScanner } from '../../../src/server/trust/uploads/malware-scanner.ts';
import { createHttpIdentityRegistry } from '../../../src/server/trust/identity/registry/identity-registry.ts';
import { encodePem, encodePrivateKey, issueCertificate, issueRoot } from '../support/certificates.ts';
import { startFakeClamd } from '../support/fake-clamd.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

let folder: string;
let portal: TestServer;
let serverTls: TlsOptions;
/** Files with the certificate authority of the services and a client certificate of the portal, and with an unrelated authority and certificate. */
let files: Readonly<Record<'roots' | 'otherRoots' | 'certificate' | 'otherCertificate', string>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-tls-'));
  portal = await openTestServer();
  const now = new Date();
  const [root, other] = [await issueRoot(now), await issueRoot(now, { subject: 'CN=Otra autoridad' })];
  const service = await issueCertificate(now, { issuer: root, subject: 'CN=localhost' });
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const issueClient = async (name: string, issuer: typeof root) => {
    const client = await issueCertificate(now, { issuer, subject: 'CN=portal' });
    return write(name, `${encodePem(client)}\n${await encodePrivateKey(client)}`);
  };
  serverTls = {
    ...{ cert: encodePem(service), key: await encodePrivateKey(service) },
    ...{ ca: encodePem(root), requestCert: true, rejectUnauthorized: true },
  };
  files = {
    roots: await write('roots.pem', encodePem(root)),
    otherRoots: await write('other.pem', encodePem(other)),
    certificate: await issueClient('portal.pem', root),
    otherCertificate: await issueClient('other-portal.pem', other),
  };
});
afterAll(async () => {
  await portal.close();
  await rm(folder, { recursive: true });
});

/** A service at the other end of a connection. `use` returns whether the connection worked. */
interface Service {
  readonly use: (tls: ClientTlsFiles) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

const log = pino({ level: 'silent' });

async function startWebService(use: (url: string, tls: ClientTlsFiles) => Promise<unknown>): Promise<Service> {
  let requests = 0;
  const server = createServer(serverTls, (_request, response) => {
    requests += 1;
    response.end('{}');
  });
  const port = await listen(server);
  return {
    async use(tls) {
      const before = requests;
      const isFine = await use(`https://localhost:${port}/`, tls).then(
        () => true,
        () => false,
      );
      return isFine && requests > before;
    },
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => server.listen(0, () => resolve((server.address() as AddressInfo).port)));
}

const services: Readonly<Record<string, () => Promise<Service>>> = {
  REGISTRY: () =>
    startWebService(async (url, tls) => (await createHttpIdentityRegistry({ url, token: null, tls })).findHolder('1')),
  AUDIT_SINK: () =>
    startWebService(async (url, tls) => {
      const { store, commands, auditKeys, clock } = portal.parts;
      await commands.run(createInternalChangeOrigin('system', 'test'), ({ audit }) => audit('test', null));
      await sealAuditRows(store, auditKeys[0], clock);
      await shipAuditBatches(store, { url, token: null, tls });
    }),
  OTLP: () =>
    startWebService(async (url, tls) => {
      const { close, beginSpan: begin } = await openTracer({ url, percent: 100, tls, log });
      begin({ name: 'test', kind: 'client', parent: null }).end({ failed: false });
      await close();
    }),
  async SMTP() {
    const server = new SMTPServer({ ...serverTls, secure: true, authOptional: true, closeTimeout: 100, logger: false });
    server.on('error', () => undefined); // refused handshakes
    const port = await listen(server.server);
    return {
      async use(tls) {
        const { store, clock } = portal.parts;
        await store.transaction((tx) =>
          enqueueMail(
            tx,
            { email: 'a@example.uy', citizenId: null },
            { subject: 's', text: 't', html: 'h' },
            clock.now(),
          ),
        );
        const smtpUrl = `smtps://localhost:${port}`;
        const worker = startMailWorker({ store, log, smtpUrl, from: 'a@b.uy', tls: await readClientTlsOptions(tls) });
        const sent = await worker.deliverDueMails();
        await worker.close();
        await store.db.deleteFrom('outbox').execute();
        return sent === 1;
      },
      close: () => new Promise((closed) => server.close(() => closed())),
    };
  },
  async MALWARE_SCANNER() {
    const clamd = await startFakeClamd({ tls: serverTls });
    return {
      use: async (tls) =>
        (await openMalwareScanner({ url: `tls://localhost:${clamd.port}`, tls }))
          .scanFile(Buffer.from('x'), 'one')
          .then(
            (malware) => malware === null && clamd.streams.length > 0,
            () => false,
          ),
      close: clamd.close,
    };
  },
};

describe.each(Object.keys(services))('a connection with the TLS files of %s', (prefix) => {
  let service: Service;
  beforeAll(async () => {
    service = (await services[prefix]?.()) ?? expect.fail('no service');
  });
  afterAll(() => service.close());

  test('[ASVS-12.3.4] trusts the authority of its setting, and no other one', async () => {
    const { certificate, roots, otherRoots } = files;
    expect(await service.use({ prefix, certificate, roots: otherRoots })).toBe(false);
    expect(await service.use({ prefix, certificate, roots: null }), 'with public authorities only').toBe(false);
    expect(await service.use({ prefix, certificate, roots })).toBe(true);
  });

  test('[ASVS-12.3.4] checks the certificate also with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const { certificate, otherRoots } = files;
    const isFine = await service.use({ prefix, certificate, roots: otherRoots });
    vi.unstubAllEnvs();
    expect(isFine).toBe(false);
  });

  test('[ASVS-13.2.1] [ASVS-12.3.5] authenticates itself with the certificate of its setting', async () => {
    const { roots, certificate, otherCertificate } = files;
    expect(await service.use({ prefix, roots, certificate: null })).toBe(false);
    expect(await service.use({ prefix, roots, certificate: otherCertificate })).toBe(false);
    expect(await service.use({ prefix, roots, certificate })).toBe(true);
  });

  test('[ASVS-12.3.4] is configured by both settings', async () => {
    const config = readConfig({ [`${prefix}_ROOTS`]: 'r.pem', [`${prefix}_CERT`]: 'c.pem' });
    expect(config.clientTls).toContainEqual({ prefix, roots: 'r.pem', certificate: 'c.pem' });
    const { roots, certificate } = files;
    const unusable = readClientTlsOptions({ prefix, roots: join(folder, 'none.pem'), certificate: null });
    await expect(unusable).rejects.toThrow(`${prefix}_ROOTS`);
    await writeFile(join(folder, 'empty.pem'), '\n');
    const empty = readClientTlsOptions({ prefix, roots: join(folder, 'empty.pem'), certificate: null });
    await expect(empty, 'an empty file of authorities').rejects.toThrow(`${prefix}_ROOTS`);
    await expect(readClientTlsOptions({ prefix, roots: null, certificate: roots })).rejects.toThrow(`${prefix}_CERT`);
    const { ca } = await readClientTlsOptions({ prefix, roots, certificate });
    expect(String(ca), 'no other authority is added').toBe(String(serverTls.ca));
  });
});

test('[ASVS-13.2.1] with METRICS_ROOTS, only scrapers with its certificates read the metrics', async () => {
  const certificate = { cert: serverTls.cert, key: serverTls.key };
  await writeFile(join(folder, 'server.pem'), `${String(certificate.cert)}\n${String(certificate.key)}`);
  const listener = await openMetricsListener(
    {
      ...{ host: 'localhost', metricsPort: 0, metricsToken: null },
      ...{ tlsFile: join(folder, 'server.pem'), metricsRoots: files.roots },
    },
    await openPrometheusMetrics(),
    { observe: () => Promise.reject(new Error('no state')) },
  );
  const scrape = async (file: string | null) => {
    const tls = await readClientTlsOptions({ prefix: 'TEST', roots: files.roots, certificate: file });
    return new Promise((resolve) =>
      request({ ...tls, host: 'localhost', port: listener.port, path: '/metrics', agent: false }, (response) =>
        resolve(response.resume().statusCode),
      )
        .on('error', () => resolve('refused'))
        .end(),
    );
  };
  expect(await scrape(null)).toBe('refused');
  expect(await scrape(files.otherCertificate)).toBe('refused');
  expect(await scrape(files.certificate)).toBe(500);
  await listener.close();
});
