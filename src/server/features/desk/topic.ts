import type { Topic } from '../../platform/topics/topic.ts';
import { deskHandlers } from './handlers.ts';
import texts from './texts.json' with { type: 'json' };
import { limits } from './limits.ts';

export const topic = { handlers: deskHandlers, texts, limits } as const satisfies Topic;
