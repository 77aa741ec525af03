import { sql } from 'kysely';
import type { DatabaseStore } from '../../../src/server/platform/database/open-store.ts';
import type { AttemptThrottle } from '../../../src/server/trust/abuse/attempt-throttle.ts';

export function createNoThrottle(store: DatabaseStore): AttemptThrottle {
  return {
    async admit(_limit, _counted, _now, change) {
      if (change === undefined) return;
      const { insert, values } = change;
      await sql`${insert(sql`(select 1) as admitted`, (name) => sql`${values[name]}`)}`.execute(store.db);
    },
    forgive: async () => {},
  };
}
