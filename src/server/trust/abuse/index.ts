import type { CaptchaService } from './captcha.ts';
import type { ServerModule } from '../../platform/modules/server-module.ts';
import texts from './texts.json' with { type: 'json' };
import type { OperationHandler } from '../../platform/base/operation-request.ts';
import { sql } from 'kysely';
import { addSeconds } from '../../platform/base/clock.ts';
import { secondsPerDay, fixedRetentionPeriods } from '../../platform/base/fixed-periods.ts';
import {
  createExpiryPurgeRule,
  createPurgeRule,
  type TableDescription,
} from '../../platform/modules/table-descriptions.ts';

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
      ...createPurgeRule('since', fixedRetentionPeriods.throttleDays * secondsPerDay, 'horas_intentos'),
      old: (now: Date) =>
        sql`since < ${addSeconds(now, -fixedRetentionPeriods.throttleDays * secondsPerDay)} and blocked_until < ${now}`,
    },
  },
  captcha_replays: {
    data: null,
    why: 'solved captchas, so that each can be used only once',
    readers: [],
    hashed: ['hash'],
    retention: createExpiryPurgeRule(null),
  },
} as const satisfies Readonly<Record<string, TableDescription>>;

export const serverModule = { handlers: () => ({ getCaptcha }), texts, tables } as const satisfies ServerModule;

const getCaptcha: OperationHandler<'getCaptcha', { captcha: CaptchaService }> = async ({ captcha }) => ({
  body: { challenge: { ...(await captcha.challenge()) } },
});
