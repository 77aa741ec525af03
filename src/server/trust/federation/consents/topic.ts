import type { Topic } from '../../../platform/topics/topic.ts';
import { consentHandlers } from './handlers.ts';
import texts from './texts.json' with { type: 'json' };

/** What this module owns. */
export const topic = { handlers: consentHandlers, texts } as const satisfies Topic;
