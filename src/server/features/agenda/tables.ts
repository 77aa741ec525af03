import { sql, type Generated } from 'kysely';
import type { Agenda } from '../../platform/base/agenda.ts';
import { after } from '../../platform/base/clock.ts';
import { dateOf } from '../../platform/base/zone.ts';
import { secondsOf, since, type Settings, type StoredTable } from '../../platform/topics/table.ts';

declare module '../../platform/database/schema.ts' {
  interface Database {
    agenda_hours: AgendaHoursTable;
    agenda_exceptions: AgendaExceptionTable;
  }
}

/** When citizens are attended on a day of every week. */
interface AgendaHoursTable {
  id: Generated<number>;
  agenda: Agenda;
  /** From 1 for Monday to 7 for Sunday. */
  weekday: number;
  /** In official time, as HH:mm. */
  opens: string;
  closes: string;
  /** How many calls can be at the same time. */
  places: number;
}

/** When they are attended on one date, in place of the hours of its weekday; without places: not at all. */
interface AgendaExceptionTable {
  id: Generated<number>;
  agenda: Agenda;
  /** YYYY-MM-DD. */
  date: string;
  opens: string;
  closes: string;
  places: number;
  /** Why, e.g. the name of a holiday. */
  note: string;
}

/** What these tables hold, and how long their rows stay. */
export const tables = {
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
