import type { Topic } from '../../platform/topics/topic.ts';
import { agendaHandlers } from './handlers.ts';
import { tables } from './tables.ts';

export const topic = { handlers: agendaHandlers, tables } as const satisfies Topic;
