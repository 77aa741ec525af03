import type { Topic } from '../../platform/topics/topic.ts';
import { videoCallHandlers } from './handlers.ts';
import texts from './texts.json' with { type: 'json' };
import { limits } from './limits.ts';
import { tables } from './tables.ts';
import { mails } from './mails/mails.ts';

/** What this module owns. */
export const topic = { handlers: videoCallHandlers, texts, limits, tables, mails } as const satisfies Topic;
