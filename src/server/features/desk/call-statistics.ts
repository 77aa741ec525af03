import { sql, type Selectable } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { toUruguayIsoDate, parseUruguayInstant, addToDate, toWeekday } from '../../../contract/format/dates.ts';
import type { HandlerContext } from '../handler-context.ts';

/** Number of weeks in the statistics, including the current one. The text `figures.intro` of the page states this number too. */
export const statisticsWeekCount = 12;

/** Returns the numbers of calls by week and state, for recent weeks and the next one. Waiting times and no-shows are computed from the audit log. */
export async function getFigures({ store: { db }, clock }: Pick<HandlerContext, 'store' | 'clock'>) {
  const thisWeek = toMonday(toUruguayIsoDate(clock.now()));
  const mondays = Array.from({ length: statisticsWeekCount + 1 }, (_, index) =>
    addToDate(thisWeek, { days: 7 * (index - statisticsWeekCount + 1) }),
  );
  const from = parseUruguayInstant(mondays[0] ?? thisWeek, '00:00');
  const calls = await db
    .selectFrom('video_calls')
    .select(['id', 'starts_at', 'state'])
    .where('starts_at', '>=', from)
    .where('starts_at', '<', parseUruguayInstant(addToDate(thisWeek, { days: 14 }), '00:00'))
    .execute();
  const entries = await db
    .selectFrom('audit')
    .select(['at', 'action', 'actor', 'details'])
    .where(sql<boolean>`action like '%-call-%'`) // repeats the condition of the partial index, so that PostgreSQL uses this index
    .where('at', '>=', from)
    .orderBy('seq')
    .execute();
  const { waited, missed } = summarizeEvents(entries);
  const semanas = mondays.map((semana) => {
    const own = calls.filter(({ starts_at: start }) => toMonday(toUruguayIsoDate(start)) === semana);
    const waits = own.flatMap(({ id }) => waited.get(id) ?? []);
    const states = [...new Set(own.map(({ state }) => state))].sort();
    return {
      semana,
      llamadas: own.length,
      ausentes: own.filter(({ id }) => missed.has(id)).length,
      espera: waits.length === 0 ? null : Math.round(waits.reduce((sum, wait) => sum + wait) / waits.length),
      estados: states.map((estado) => ({ estado, cantidad: own.filter(({ state }) => state === estado).length })),
    };
  });
  return { semanas };
}

function summarizeEvents(
  entries: readonly Pick<Selectable<Database['audit']>, 'at' | 'action' | 'actor' | 'details'>[],
) {
  const entered = new Map<string, Date>();
  const waited = new Map<string, number>();
  const missed = new Set<string>();
  for (const { at, action, actor, details } of entries) {
    const { call = '' }: { call?: string } = JSON.parse(details) ?? {};
    if (action.endsWith('-wait')) entered.set(call, at);
    else if (action.endsWith('-fail') && actor === 'system' && !entered.has(call)) missed.add(call);
    else if (actor === 'agent') {
      const since = entered.get(call);
      if (since && !waited.has(call)) waited.set(call, (at.getTime() - since.getTime()) / 60_000);
    }
  }
  return { waited, missed };
}

function toMonday(date: string): string {
  return addToDate(date, { days: 1 - toWeekday(date) });
}
