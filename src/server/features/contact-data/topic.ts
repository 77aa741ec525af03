import type { Topic } from '../../platform/topics/topic.ts';
import { contactDataHandlers } from './handlers.ts';
import texts from './texts.json' with { type: 'json' };
import { limits } from './limits.ts';
import { mails } from './mails/mails.ts';

export const topic = { handlers: contactDataHandlers, texts, limits, mails } as const satisfies Topic;
