import type { Caller, Handler } from '../../platform/base/operation-request.ts';
import { isDate, timeOf } from '../../platform/base/zone.ts';
import { bookingWindow, readOpenSlots, type AgendaNeeds } from './availability.ts';
import { isFree } from './get-dates.ts';

export function getSupportHours(needs: AgendaNeeds): Handler<'getSupportHours'> {
  return async ({ query, caller }) => ({ body: await hoursOf(needs, 'support', query['fecha'], caller) });
}

export function getElevationHours(needs: AgendaNeeds): Handler<'getElevationHours'> {
  return async ({ query, caller }) => ({ body: await hoursOf(needs, 'elevation', query['fecha'], caller) });
}

async function hoursOf(
  { store, config, clock }: AgendaNeeds,
  agenda: 'support' | 'elevation',
  date = '',
  caller: Caller | null = null,
): Promise<{ hora_inicio: string }[]> {
  const { from, to } = bookingWindow(clock.now());
  if (!isDate(date) || date < from || date > to) return [];
  const slots = await readOpenSlots(store.db, config, { agenda, from: date, to: date }, caller);
  return (slots.get(date) ?? []).filter(isFree).map(({ startsAt }) => ({ hora_inicio: timeOf(startsAt) }));
}
