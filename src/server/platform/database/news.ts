import { sql, type Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** The channel of PostgreSQL that news travel by. */
export const channel = 'news';

/**
 * What has changed, told to every replica as soon as it is committed. News carry a topic and nothing else: who hears one reads again what it
 * is about. A lost one must not matter for long, so who listens also reads again now and then.
 */
export interface News {
  /** Calls `listener` whenever something under a topic has changed, from the moment on when it is resolved; answers the way to stop. */
  hear(topic: string, listener: () => void): Promise<() => void>;
}

/** Tells everybody who hears a topic, once the transaction is committed; one that is rolled back tells nothing. */
export async function announce(tx: Kysely<Database>, topic: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${topic})`.execute(tx);
}

/** Those of this process who hear news, by topic. */
export class Listeners {
  readonly #byTopic = new Map<string, Set<() => void>>();

  /** Adds a listener; answers the way to take it away. */
  add(topic: string, listener: () => void): () => void {
    const known = this.#byTopic.get(topic) ?? new Set();
    this.#byTopic.set(topic, known.add(listener));
    return () => {
      known.delete(listener);
      if (known.size === 0 && this.#byTopic.get(topic) === known) this.#byTopic.delete(topic);
    };
  }

  /** Tells those who hear a topic. */
  publish(topic: string): void {
    for (const listener of [...(this.#byTopic.get(topic) ?? [])]) listener();
  }

  /** Tells everybody: something may have been missed. */
  tellAll(): void {
    for (const topic of [...this.#byTopic.keys()]) this.publish(topic);
  }
}
