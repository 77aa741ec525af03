import type { Topic } from '../../platform/topics/topic.ts';
import { registrationHandlers } from './handlers.ts';
import texts from './texts.json' with { type: 'json' };
import { limits } from './limits.ts';
import { mails } from './mails/mails.ts';

export const topic = { handlers: registrationHandlers, texts, limits, mails } as const satisfies Topic;
