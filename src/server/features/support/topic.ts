import type { Topic } from '../../platform/topics/topic.ts';
import { supportHandlers } from './handlers.ts';
import texts from './texts.json' with { type: 'json' };
import { limits } from './limits.ts';
import { tables } from './tables.ts';
import { mails } from './mails/mails.ts';

export const topic = { handlers: supportHandlers, texts, limits, tables, mails } as const satisfies Topic;
