import pg from 'pg';
import type { Logger } from 'pino';
import { channel, Listeners, type News } from './news.ts';

const againMs = 1_000;

/** News by a connection of its own to PostgreSQL, made when somebody first listens. After a loss it is made anew, and everybody reads again. */
export function postgresNews({ url, log }: { readonly url: string; readonly log: Logger }): News & {
  close(): Promise<void>;
} {
  const listeners = new Listeners();
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
    client.on('end', again);
    client.on('notification', ({ payload }) => listeners.publish(payload ?? ''));
    await client.connect();
    await client.query(`listen ${channel}`);
    if (lost) listeners.tellAll();
    lost = false;
    return client;
  };
  const open = (): Promise<pg.Client> => {
    if (connection !== null) return connection;
    connection = connect();
    connection.catch(again);
    return connection;
  };
  const again = (): void => {
    connection = null;
    lost = true;
    if (closed) return;
    clearTimeout(retry);
    retry = setTimeout(() => void open().catch(() => undefined), againMs).unref(); // told by its own listener; the next try follows
  };

  return {
    async hear(topic, listener) {
      const stop = listeners.add(topic, listener);
      await open().catch(() => undefined); // until it is there, who listens reads again now and then
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
