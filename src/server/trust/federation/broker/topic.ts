import type { Topic } from '../../../platform/topics/topic.ts';
import { brokerHandlers } from './handlers.ts';

/** What this module owns. */
export const topic = { handlers: brokerHandlers } as const satisfies Topic;
