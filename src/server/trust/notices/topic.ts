import type { Topic } from '../../platform/topics/topic.ts';
import { tables } from './tables.ts';

/** What this module owns. */
export const topic = { tables } as const satisfies Topic;
