import type { Topic } from '../../platform/topics/topic.ts';
import { savedFlowHandlers } from './handlers.ts';
import texts from './texts.json' with { type: 'json' };
import { limits } from './limits.ts';
import { tables } from './tables.ts';

export const topic = { handlers: savedFlowHandlers, texts, limits, tables } as const satisfies Topic;
