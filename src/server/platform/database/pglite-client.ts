import { Worker } from 'node:worker_threads';
import type { PostgresQueryResult } from 'kysely';
import { notificationChannel } from './notifications.ts';
import { DatabaseUnavailableError } from './database-unavailable-error.ts';

type Rows = PostgresQueryResult<unknown>;

/** The embedded database in its worker thread. */
export interface PGliteClient {
  /** Runs a statement. Throws a `DatabaseError`, or a `DatabaseUnavailableError` after the database has stopped. */
  query(sql: string, parameters: readonly unknown[]): Promise<Rows>;
  close(): Promise<void>;
}

/** An error of the embedded database, with the same `code` and `constraint` as the errors of `pg`. */
export class PGliteError extends Error {
  readonly code: string | undefined;
  readonly constraint: string | undefined;

  constructor(error: { message: string; code?: string; constraint?: string }) {
    super(error.message);
    this.code = error.code;
    this.constraint = error.constraint;
  }
}

type WorkerReply = { id: number } & (Rows | { error: { message: string; code?: string; constraint?: string } });
type PendingQuery = { resolve: (rows: Rows) => void; reject: (error: Error) => void };

/**
 * Starts PGlite on `folder` in a worker thread, so that slow statements do not block the event loop. If `folder` is
 * `null`, the database is in memory.
 */
export async function startPGlite(
  folder: string | null,
  onNotification: (topic: string) => void,
): Promise<PGliteClient> {
  const worker = new Worker(new URL('./pglite-worker.mjs', import.meta.url), {
    workerData: { folder, channel: notificationChannel },
    execArgv: [],
  });
  const pending = new Map<number, PendingQuery>();
  let last = 0;
  let stopped: Error | null = null;

  const fail = (error: Error) => {
    stopped ??= error;
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  };
  worker.on('error', (error) => fail(new DatabaseUnavailableError(error)));
  worker.on('exit', () => fail(new DatabaseUnavailableError(new Error('the embedded database has stopped'))));
  worker.on('message', (reply: WorkerReply | { news: string }) => {
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
    query: send,
    async close() {
      await send(null, []);
    },
  };
}
