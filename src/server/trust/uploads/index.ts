import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };

export const topic = { texts } as const satisfies Topic;
