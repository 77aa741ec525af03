import type { Captcha } from './captcha.ts';
import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import type { Handler } from '../../platform/base/operation-request.ts';
import { sql } from 'kysely';
import { addSeconds } from '../../platform/base/clock.ts';
import { dayS, fixedRetentionPeriods } from '../../platform/base/periods.ts';
import { deleteOnExpiry, deleteAfter, type StoredTable } from '../../platform/topics/table.ts';

declare module '../../platform/database/schema.ts' {
  interface Database {
    throttle: { key: string; tries: number; blocked_until: Date; since: Date };
    captcha_replays: { hash: string; expires_at: Date };
  }
}

const tables = {
  throttle: {
    data: 'Document, account, mailbox or network address, with the number of attempts or mails',
    why: 'Delaying repeated attempts, and limiting mails to a mailbox',
    readers: [],
    retention: {
      ...deleteAfter('since', fixedRetentionPeriods.throttleDays * dayS, 'horas_intentos'),
      old: (now: Date) =>
        sql`since < ${addSeconds(now, -fixedRetentionPeriods.throttleDays * dayS)} and blocked_until < ${now}`,
    },
  },
  captcha_replays: {
    data: null,
    why: 'solved captchas, so that each can be used only once',
    readers: [],
    hashed: ['hash'],
    retention: deleteOnExpiry(null),
  },
} as const satisfies Readonly<Record<string, StoredTable>>;

export const topic = {
  handlers: () => ({ getCaptcha }),
  texts,
  tables,
} as const satisfies Topic;

const getCaptcha: Handler<'getCaptcha', { captcha: Captcha }> = async ({ captcha }) => ({
  body: { challenge: { ...(await captcha.challenge()) } },
});
