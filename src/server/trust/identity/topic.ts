import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import { tables } from './tables.ts';

export const topic = { texts, tables } as const satisfies Topic;
