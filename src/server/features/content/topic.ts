import type { Topic } from '../../platform/topics/topic.ts';
import { contentHandlers } from './handlers.ts';
import { tables } from './tables.ts';

export const topic = { handlers: contentHandlers, tables } as const satisfies Topic;
