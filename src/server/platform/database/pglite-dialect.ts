import type { Dialect } from 'kysely';
import { pipelineDialect } from './pipeline.ts';
import type { PGliteClient } from './pglite-client.ts';
import { timed } from './waits.ts';

/** Kysely over the embedded database: PostgreSQL's SQL on its only connection, handed out to one caller at a time; and how long work waits for it. */
export function pgliteDialect(client: PGliteClient): { readonly dialect: Dialect; readonly waitMs: () => number } {
  const waiting: (() => void)[] = [];
  let busy = false;
  const lines = timed(1, {
    async acquire() {
      if (busy) await new Promise<void>((resolve) => waiting.push(resolve));
      busy = true;
      return client;
    },
    release() {
      const next = waiting.shift();
      if (next)
        next(); // stays busy: the connection goes straight to the one who waited longest
      else busy = false;
    },
    close: () => client.close(),
  });
  return { dialect: pipelineDialect(lines), waitMs: () => lines.waitMs() };
}
