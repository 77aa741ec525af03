import type { Topic } from '../../platform/topics/topic.ts';
import { agendaHandlers } from './handlers.ts';
import { sql, type Generated } from 'kysely';
import type { Agenda } from '../../platform/base/agenda.ts';
import { after } from '../../platform/base/clock.ts';
import { dateOf } from '../../../contract/written/dates.ts';
import { secondsOf, since, type Settings, type StoredTable } from '../../platform/topics/table.ts';

declare module '../../platform/database/schema.ts' {
  interface Database {
    agenda_hours: AgendaHoursTable;
    agenda_exceptions: AgendaExceptionTable;
  }
}

interface AgendaHoursTable {
  id: Generated<number>;
  agenda: Agenda;
  /** From 1 for Monday to 7 for Sunday. */
  weekday: number;
  /** Official time, HH:mm. */
  opens: string;
  closes: string;
  /** Number of simultaneous calls. */
  places: number;
}

/** Opening hours of a single date, which replace those of its weekday. With 0 places, the agenda is closed. */
interface AgendaExceptionTable {
  id: Generated<number>;
  agenda: Agenda;
  /** YYYY-MM-DD. */
  date: string;
  opens: string;
  closes: string;
  places: number;
  /** Reason, such as the name of a holiday. */
  note: string;
}

const tables = {
  agenda_hours: {
    data: null,
    why: 'when calls are attended',
    readers: ['citizen', 'agent', 'operator'],
    kept: 'until agents change it',
  },
  agenda_exceptions: {
    data: null,
    why: 'dates on which they are attended otherwise',
    readers: ['citizen', 'agent', 'operator'],
    kept: {
      ...since('date', 'CALLS_YEARS', null),
      old: (now: Date, config: Settings) => sql`date < ${dateOf(after(now, -secondsOf('CALLS_YEARS', config)))}`,
    },
  },
} as const satisfies Readonly<Record<string, StoredTable>>;

export const topic = { handlers: agendaHandlers, tables } as const satisfies Topic;
