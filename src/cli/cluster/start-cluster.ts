import { join } from 'node:path';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { startReplica, type Replica } from './replica.ts';
import { startRoundRobin } from './round-robin.ts';
import { mkdir, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';

export interface ClusterOptions {
  /** The project's folder, with a build. */
  readonly root: string;
  /** Where keys, mails and the replicas' own files are. */
  readonly folder: string;
  readonly ports: {
    readonly proxy: number;
    readonly replicas: readonly number[];
    readonly mails: number;
    readonly database: number;
  };
  /** Settings of every replica; with DATABASE_URL no PostgreSQL is started. */
  readonly env: NodeJS.ProcessEnv;
  readonly onMail: (recipient: string, file: string) => void;
}

export interface Cluster {
  readonly url: string;
  readonly databaseUrl: string;
  readonly replicas: readonly Replica[];
  /** Takes a replica away as a rolling change does: no new requests, then the signal to stop. */
  stopReplica(replica: Replica): Promise<void>;
  close(): Promise<void>;
}

/** Starts PostgreSQL, a mail catcher, replicas and a proxy: what `compose.yaml` starts, without containers. */
export async function startCluster({ root, folder, ports, env, onMail }: ClusterOptions): Promise<Cluster> {
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
    const proxy = await startRoundRobin(ports.proxy, ports.replicas);
    closers.push(() => proxy.close());
    return {
      url,
      databaseUrl,
      replicas,
      async stopReplica(replica) {
        await proxy.drain(replica.port);
        await replica.stop();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A mail server that delivers nothing. */
interface MailCatcher {
  close(): Promise<void>;
}

/** Listens on a port of 127.0.0.1, and keeps each mail as an `.eml` file of a folder, which mail programs open. `onMail`: hears of each. */
export async function startMailCatcher(
  port: number,
  { folder, onMail }: { readonly folder: string; readonly onMail: (recipient: string, file: string) => void },
): Promise<MailCatcher> {
  const { SMTPServer } = await import('smtp-server');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let count = 0;
  const keep = async (mail: Buffer, recipient: string): Promise<void> => {
    const file = join(folder, `${String((count += 1)).padStart(4, '0')}.eml`);
    await writeFile(file, mail, { mode: 0o600 });
    onMail(recipient, file);
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, { envelope }, done) =>
      void buffer(stream)
        .then((mail) => keep(mail, envelope.rcptTo.map(({ address }) => address).join(', ')))
        .then(() => done(), done),
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', listening);
  });
  return { close: () => new Promise((closed) => server.close(closed)) };
}
