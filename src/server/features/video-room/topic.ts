import type { Topic } from '../../platform/topics/topic.ts';
import { videoRoomHandlers } from './handlers.ts';
import texts from './texts.json' with { type: 'json' };

/** What this module owns. */
export const topic = { handlers: videoRoomHandlers, texts } as const satisfies Topic;
