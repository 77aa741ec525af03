import { Worker } from 'node:worker_threads';
import type { PostgresQueryResult } from 'kysely';
import { notificationChannel } from './notifications.ts';
import { DatabaseUnavailableError } from './database-unavailable-error.ts';

type Rows = PostgresQueryResult<unknown>;

export type PGliteClient = Awaited<ReturnType<typeof startPGlite>>;

interface WorkerError {
  readonly message: string;
  readonly code?: string;
  readonly constraint?: string;
}

/** Error with the same `code` and `constraint` as the errors of `pg`. */
class PGliteError extends Error {
  readonly code: string | undefined;
  readonly constraint: string | undefined;

  constructor({ message, code, constraint }: WorkerError) {
    super(message);
    this.code = code;
    this.constraint = constraint;
  }
}

/**
 * Starts PGlite in a worker thread, so that slow statements do not block the event loop. With `folder` `null`, the database is in memory. `query` throws
 * a `PGliteError`, or a `DatabaseUnavailableError` after the database has stopped.
 */
export async function startPGlite(folder: string | null, onNotification: (topic: string) => void) {
  const worker = new Worker(new URL('./pglite-worker.mjs', import.meta.url), {
    workerData: { folder, channel: notificationChannel },
    execArgv: [],
  });
  const pending = new Map<number, { resolve: (rows: Rows) => void; reject: (error: Error) => void }>();
  let last = 0;
  let stopped: Error | null = null;

  const fail = (error: Error) => {
    stopped ??= error;
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  };
  worker.on('error', (error) => fail(new DatabaseUnavailableError(error)));
  worker.on('exit', () => fail(new DatabaseUnavailableError(new Error('the embedded database has stopped'))));
  worker.on('message', (reply: { news: string } | ({ id: number } & (Rows | { error: WorkerError }))) => {
    if ('news' in reply) return onNotification(reply.news);
    const waiting = pending.get(reply.id);
    pending.delete(reply.id);
    if ('error' in reply) waiting?.reject(new PGliteError(reply.error));
    else waiting?.resolve(reply);
  });

  const ready = new Promise<Rows>((resolve, reject) => pending.set(0, { resolve, reject }));
  const send = (sql: string | null, parameters: readonly unknown[]) =>
    new Promise<Rows>((resolve, reject) => {
      if (stopped) return reject(stopped);
      const id = ++last;
      pending.set(id, { resolve, reject });
      worker.postMessage({ id, sql, parameters });
    });

  await ready;
  return {
    query: (sql: string, parameters: readonly unknown[]) => send(sql, parameters),
    close: async () => void (await send(null, [])),
  };
}
