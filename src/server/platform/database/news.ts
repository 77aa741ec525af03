import { sql, type Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** Channel of PostgreSQL's NOTIFY. */
export const channel = 'news';

/**
 * Change notifications to every replica after a commit. A notification carries only its topic, and the listener reads the data again. A notification
 * may be lost, so listeners must also poll at intervals.
 */
export interface News {
  /** Calls `listener` whenever something under the topic has changed, starting when the promise resolves. Returns the function that unsubscribes. */
  hear(topic: string, listener: () => void): Promise<() => void>;
}

/** Notifies the listeners of a topic when the transaction commits. A rollback discards the notification. */
export async function announce(tx: Kysely<Database>, topic: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${topic})`.execute(tx);
}

export class Listeners {
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

  /** Calls every listener, because notifications may have been lost. */
  tellAll(): void {
    for (const topic of [...this.#byTopic.keys()]) this.publish(topic);
  }
}
