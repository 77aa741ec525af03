import type { Topic } from '../../platform/topics/topic.ts';
import { supportHandlers } from './handlers.ts';
import texts from './texts.json' with { type: 'json' };

/** What this module owns. */
export const topic = { handlers: supportHandlers, texts } as const satisfies Topic;
