import type { Topic } from '../../platform/topics/topic.ts';
import { accountHandlers } from './handlers.ts';
import texts from './texts.json' with { type: 'json' };
import { mails } from './mails/mails.ts';
import { hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

const limits = limitsOf({
  export: { address: { free: 60, windowS: hourS }, document: { free: 5, windowS: hourS } },
  /** Every other change by a citizen. People never get there, and a script does not fill the database. */
  accountAct: { document: { free: 240, windowS: hourS } },
  changeAccount: { address: { free: 60, windowS: hourS }, document: { free: 10, windowS: hourS } },
});

export const topic = { handlers: accountHandlers, texts, limits, mails } as const satisfies Topic;
