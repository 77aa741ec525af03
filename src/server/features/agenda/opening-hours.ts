import { weekdayOf } from '../../platform/base/zone.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Agenda } from '../../platform/base/agenda.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import type { Hours } from './slots.ts';

/** The hours of each date of a time, both ends included. */
export interface OpeningHours {
  on(date: string): readonly Hours[];
}

/**
 * When an agenda is open: on a date with exceptions as these say, else as on its weekday. The hours of the week are those that agents have set,
 * or the configured ones as long as they have set none.
 */
export async function readOpeningHours(
  db: Store['db'] | Tx,
  { agenda: configured }: Pick<Config, 'agenda'>,
  { agenda, from, to }: { agenda: Agenda; from: string; to: string },
): Promise<OpeningHours> {
  const set = await db.selectFrom('agenda_hours').selectAll().where('agenda', '=', agenda).execute();
  const week = set.length === 0 ? configured[agenda].hours : set;
  const exceptions = await db
    .selectFrom('agenda_exceptions')
    .select(['date', 'opens', 'closes', 'places'])
    .where('agenda', '=', agenda)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .execute();
  return {
    on(date) {
      const own = exceptions.filter((exception) => exception.date === date);
      return own.length > 0 ? own : week.filter(({ weekday }) => weekday === weekdayOf(date));
    },
  };
}
