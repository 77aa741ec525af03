import { sql, type Kysely } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Database } from './schema.ts';

export const notificationChannel = 'news';

/** A notification contains only its topic and may be lost, so listeners must query the data, and also poll. */
export interface DatabaseNotifications {
  /** Subscribes to a topic. Resolves when the subscription is active, with a function that unsubscribes. */
  subscribe(topic: string, listener: () => void): Promise<() => void>;
}

/** Notifies all replicas when the transaction commits. A rollback discards the notification. */
export async function notifyTopic(tx: Kysely<Database>, topic: string): Promise<void> {
  await sql`select pg_notify(${notificationChannel}, ${topic})`.execute(tx);
}

export class TopicListeners {
  readonly #byTopic = new Map<string, Set<() => void>>();

  add(topic: string, listener: () => void): () => void {
    const known = this.#byTopic.get(topic) ?? new Set();
    this.#byTopic.set(topic, known.add(listener));
    return () => {
      known.delete(listener);
      if (known.size === 0 && this.#byTopic.get(topic) === known) this.#byTopic.delete(topic);
    };
  }

  publish(topic: string): void {
    for (const listener of [...(this.#byTopic.get(topic) ?? [])]) listener();
  }

  notifyAll(): void {
    for (const topic of [...this.#byTopic.keys()]) this.publish(topic);
  }
}

/** Opens a dedicated connection with the first subscription. After a loss, reconnects and calls every listener. */
export function createPostgresNotifications(
  url: string,
  log: Logger,
): DatabaseNotifications & { close(): Promise<void> } {
  const listeners = new TopicListeners();
  let connection: Promise<pg.Client> | null = null;
  let closed = false;
  let lost = false;
  let retry: NodeJS.Timeout | undefined;

  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    client.on('error', (error) => log.warn({ err: error }, 'the connection that hears news was lost'));
    client.on('end', reconnect);
    client.on('notification', ({ payload }) => listeners.publish(payload ?? ''));
    await client.connect();
    await client.query(`listen ${notificationChannel}`);
    if (lost) listeners.notifyAll();
    lost = false;
    return client;
  };
  const open = (): Promise<pg.Client> => {
    if (connection !== null) return connection;
    connection = connect();
    connection.catch(reconnect);
    return connection;
  };
  const reconnect = (): void => {
    connection = null;
    lost = true;
    if (closed) return;
    clearTimeout(retry);
    retry = setTimeout(() => void open().catch(() => undefined), 1_000).unref(); // ignored, because a failed attempt schedules the next one
  };

  return {
    async subscribe(topic, listener) {
      const stop = listeners.add(topic, listener);
      await open().catch(() => undefined); // until the connection is open, listeners rely on polling
      return stop;
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      await connection?.then(
        (client) => client.end(),
        () => undefined,
      );
    },
  };
}
