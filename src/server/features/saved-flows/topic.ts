import type { Topic } from '../../platform/topics/topic.ts';
import { savedFlowHandlers } from './handlers.ts';
import texts from './texts.json' with { type: 'json' };
import { tables } from './tables.ts';
import { hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';

const limits = limitsOf({
  saveFlow: { address: { free: 1_200, windowS: hourS }, document: { free: 240, windowS: hourS } },
});

export const topic = { handlers: savedFlowHandlers, texts, limits, tables } as const satisfies Topic;
