import { sql } from 'kysely';
import { after } from '../../platform/base/clock.ts';
import { dayS, periods } from '../../platform/base/periods.ts';
import { ended, type Retention } from '../../platform/topics/table.ts';

declare module '../../platform/database/schema.ts' {
  interface Database {
    throttle: { key: string; tries: number; blocked_until: Date; since: Date };
    captcha_replays: { hash: string; expires_at: Date };
  }
}

/** How long the rows of these tables stay. */
export const tables = {
  throttle: {
    old: (now) => sql`since < ${after(now, -periods.throttleDays * dayS)} and blocked_until < ${now}`,
    policy: 'horas_intentos',
  },
  captcha_replays: ended(null),
} as const satisfies Readonly<Record<string, Retention>>;
