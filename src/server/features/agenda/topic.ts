import type { Topic } from '../../platform/topics/topic.ts';
import { agendaHandlers } from './handlers.ts';

/** What this module owns. */
export const topic = { handlers: agendaHandlers } as const satisfies Topic;
