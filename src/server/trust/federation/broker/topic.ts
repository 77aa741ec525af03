import type { Topic } from '../../../platform/topics/topic.ts';
import { brokerHandlers } from './handlers.ts';
import { limits } from './limits.ts';

/** What this module owns. */
export const topic = { handlers: brokerHandlers, limits } as const satisfies Topic;
