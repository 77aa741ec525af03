import { toWeekday } from '../../../contract/written/dates.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Agenda } from '../../platform/base/agenda.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import type { Hours } from './slots.ts';

export interface OpeningHours {
  on(date: string): readonly Hours[];
}

/** Reads opening hours. The exceptions of a date replace the hours of its weekday. Configured hours apply only until agents set their own. */
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
      return own.length > 0 ? own : week.filter(({ weekday }) => weekday === toWeekday(date));
    },
  };
}
