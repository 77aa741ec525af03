import { after } from '../../platform/base/clock.ts';
import { instantAt, toWeekday } from '../../../contract/written/dates.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Agenda } from '../../platform/base/agenda.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';

/** Opening hours within a day, in official time (HH:mm), and the number of simultaneous calls. */
export interface Hours {
  readonly opens: string;
  readonly closes: string;
  readonly places: number;
}

export interface Slot {
  readonly startsAt: Date;
  readonly places: number;
}

/** Returns the slots of a date in order: back to back from each opening until closing time. Overlapping opening hours add up their places. */
export function listSlots(date: string, hours: readonly Hours[], minutes: number): readonly Slot[] {
  const places = new Map<number, number>();
  for (const { opens, closes, places: more } of hours) {
    const end = instantAt(date, closes);
    for (let at = instantAt(date, opens); after(at, minutes * 60) <= end; at = after(at, minutes * 60)) {
      if (more > 0) places.set(at.getTime(), (places.get(at.getTime()) ?? 0) + more);
    }
  }
  return [...places].sort(([a], [b]) => a - b).map(([at, count]) => ({ startsAt: new Date(at), places: count }));
}

interface OpeningHours {
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
