import { sql, type Generated } from 'kysely';
import type { Agenda } from '../../platform/base/agenda.ts';
import { after } from '../../platform/base/clock.ts';
import { messageLifeS } from '../../platform/base/periods.ts';
import { dateOf } from '../../platform/base/zone.ts';
import type { Retention } from '../../platform/topics/table.ts';

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

/** How long the rows of these tables stay. */
export const tables = {
  agenda_hours: null,
  agenda_exceptions: { old: (now) => sql`date < ${dateOf(after(now, -messageLifeS))}`, policy: null },
} as const satisfies Readonly<Record<string, Retention>>;
