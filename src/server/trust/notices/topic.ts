import type { Topic } from '../../platform/topics/topic.ts';
import { tables } from './tables.ts';
import { mails } from './mails/mails.ts';
import texts from './texts.json' with { type: 'json' };

export const topic = { tables, texts, mails } as const satisfies Topic;
