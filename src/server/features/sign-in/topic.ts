import type { Topic } from '../../platform/topics/topic.ts';
import { signInHandlers } from './handlers.ts';
import texts from './texts.json' with { type: 'json' };

export const topic = { handlers: signInHandlers, texts } as const satisfies Topic;
