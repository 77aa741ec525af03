import type { Topic } from '../../platform/topics/topic.ts';
import { contentHandlers } from './handlers.ts';

/** What this module owns. */
export const topic = { handlers: contentHandlers } as const satisfies Topic;
