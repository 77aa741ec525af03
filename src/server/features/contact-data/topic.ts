import type { Topic } from '../../platform/topics/topic.ts';
import { contactDataHandlers } from './handlers.ts';
import texts from './texts.json' with { type: 'json' };
import { mails } from './mails/mails.ts';
import { dayS, hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

export const limits = limitsOf({
  changeEmail: {
    address: { free: 60, windowS: hourS },
    document: { free: 5, windowS: hourS },
    email: { free: 10, windowS: dayS },
  },
  confirmEmail: { address: { free: 300, windowS: hourS } },
});

export const topic = { handlers: contactDataHandlers, texts, limits, mails } as const satisfies Topic;
