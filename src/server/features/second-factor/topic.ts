import type { Topic } from '../../platform/topics/topic.ts';
import { secondFactorHandlers } from './handlers.ts';
import texts from './texts.json' with { type: 'json' };

export const topic = { handlers: secondFactorHandlers, texts } as const satisfies Topic;
