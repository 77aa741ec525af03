import type { Topic } from '../../platform/topics/topic.ts';
import { savedFlowHandlers } from './handlers.ts';
import texts from './texts.json' with { type: 'json' };

/** What this module owns. */
export const topic = { handlers: savedFlowHandlers, texts } as const satisfies Topic;
