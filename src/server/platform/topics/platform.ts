import { sharedTexts } from '../base/texts.ts';
import { tables } from './tables.ts';
import type { Topic } from './topic.ts';

/** What belongs to no topic but to the tools that all use. */
export const topic = { texts: sharedTexts, tables } as const satisfies Topic;
