import type { Topic } from '../../../platform/topics/topic.ts';
import { limits } from './limits.ts';

/** What this module owns. */
export const topic = { limits } as const satisfies Topic;
