import type { Topic } from '../../platform/topics/topic.ts';
import { limits } from './limits.ts';
import texts from './texts.json' with { type: 'json' };

/** What this module owns. */
export const topic = { texts, limits } as const satisfies Topic;
