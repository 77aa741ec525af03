import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMailCatcher, startReplica, type Replica } from '../../src/cli/cluster/start-replica-cluster.ts';
import { startLoadBalancer } from '../../src/cli/cluster/start-replica-cluster.ts';
import { supportedScopes } from '../../src/server/trust/federation/clients/scopes.ts';
import { createBuiltCopy } from '../server/support/built-copy.ts';
import { findFreePort } from '../server/support/free-port.ts';
import { callback } from '../server/support/relying-party.ts';
import { startTcpProxy, type TcpProxy } from '../server/support/tcp-proxy.ts';
import { startChaosDatabase, type ChaosDatabase } from './chaos-database.ts';
import { Mailbox } from './mailbox.ts';

/** Replicas with their database, mail server and registry, connected through proxies that simulate failures. */
export interface ChaosCluster {
  readonly url: string;
  readonly keysDir: string;
  readonly ports: readonly number[];
  readonly metricsPorts: readonly number[];
  readonly mailbox: Mailbox;
  readonly postgres: ChaosDatabase;
  /** Proxies in front of PostgreSQL and of the mail server. */
  readonly network: { readonly database: TcpProxy; readonly mail: TcpProxy };
  /** Identity registry. `answers` is whether it responds. */
  readonly registry: { answers: boolean };
  /** Temporary folder. It is deleted when the cluster closes. */
  readonly folder: string;
  signal(index: number, signal: NodeJS.Signals): Promise<void>;
  /** Restarts a stopped replica, optionally with the files of another project folder or with additional settings. */
  start(index: number, changes?: { readonly root?: string; readonly env?: NodeJS.ProcessEnv }): Promise<void>;
  /** Stops a replica as a rolling update does. */
  stop(index: number): Promise<void>;
  /** Registers a function to call after the replicas have stopped. */
  onClose(work: () => unknown): void;
  close(): Promise<void>;
}

export const clientId = 'chaos';

export async function startChaosCluster(count: number, env: NodeJS.ProcessEnv = {}): Promise<ChaosCluster> {
  const closers: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closers.splice(0).reverse()) await one();
  };
  try {
    const folder = mkdtempSync(join(tmpdir(), 'portal-chaos-'));
    closers.push(() => rmSync(folder, { recursive: true, force: true }));
    const root = createBuiltCopy();
    closers.push(() => rmSync(root, { recursive: true, force: true }));
    const postgres = await startChaosDatabase();
    closers.push(() => postgres.close());
    const mailbox = new Mailbox();
    const mails = await findFreePort();
    const catcher = await startMailCatcher(mails, {
      folder: join(folder, 'mails'),
      onMail: (recipient, file) => mailbox.take(recipient, file),
    });
    closers.push(() => catcher.close());
    const registry = { answers: true };
    const [registryServer, registryUrl] = await startRegistry(registry);
    closers.push(() => void registryServer.close().closeAllConnections());
    const network = {
      database: await startTcpProxy(postgres.url()),
      mail: await startTcpProxy(`smtp://127.0.0.1:${mails}`),
    };
    closers.push(() => Promise.all([network.database.close(), network.mail.close()]));
    const clients = join(folder, 'clients.json');
    writeFileSync(
      clients,
      JSON.stringify([{ id: clientId, name: 'Chaos', redirectUris: [callback], scopes: [...supportedScopes] }]),
    );

    const ports: number[] = [];
    while (ports.length < count) ports.push(await findFreePort());
    const metricsPorts: number[] = [];
    while (metricsPorts.length < count) metricsPorts.push(await findFreePort());
    const port = await findFreePort();
    const url = `http://localhost:${port}`;
    const keysDir = join(folder, 'keys');
    const settingsOf = (own: number) => ({
      ...process.env,
      NODE_ENV: 'test',
      LOG_LEVEL: 'fatal',
      CAPTCHA_COST: '1',
      SUPPORT_HOURS: 'mon-sun 00:00-23:55 x99',
      SUPPORT_CALL_MIN: '5',
      TRUST_PROXY: 'loopback',
      OUTBOX_PORT: '0',
      REGISTRY_URL: registryUrl,
      CLIENTS_FILE: clients,
      DATABASE_URL: network.database.url,
      SMTP_URL: network.mail.url,
      KEYS_DIR: keysDir,
      DATA_DIR: join(folder, String(own)),
      PORT: String(own),
      METRICS_PORT: String(metricsPorts[ports.indexOf(own)]),
      BASE_URL: url,
      ...env,
    });
    const replicas: Replica[] = [];
    closers.push(() => Promise.all(replicas.map((replica) => replica.stop())));
    for (const own of ports) {
      mkdirSync(join(folder, String(own)));
      replicas.push(await startReplica(root, settingsOf(own)));
    }
    const proxy = await startLoadBalancer(port, ports);
    closers.push(() => proxy.close());
    const at = (index: number): Replica => {
      const replica = replicas[index];
      if (replica === undefined) throw new Error(`there is no replica ${index}`);
      return replica;
    };
    return {
      url,
      keysDir,
      onClose: (work) => void closers.unshift(work),
      ports,
      metricsPorts,
      mailbox,
      postgres,
      network,
      registry,
      folder,
      async signal(index, signal) {
        process.kill(at(index).pid, signal);
        if (signal === 'SIGKILL') await at(index).exitCode;
      },
      async start(index, changes = {}) {
        const own = at(index).port;
        replicas[index] = await startReplica(changes.root ?? root, { ...settingsOf(own), ...changes.env });
        proxy.resumeReplica(own);
      },
      async stop(index) {
        await proxy.drainReplica(at(index).port);
        await at(index).stop();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts an identity registry that returns the same name for every document. */
async function startRegistry(state: { readonly answers: boolean }): Promise<[Server, string]> {
  const server = createServer((_, response) => {
    if (!state.answers) return;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      '{"primer_nombre":"Ana","primer_apellido":"Sosa","fecha_nacimiento":"1990-01-01","numero_serie":"ABC123"}',
    );
  });
  const port = await findFreePort();
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  return [server, `http://127.0.0.1:${port}/`];
}
