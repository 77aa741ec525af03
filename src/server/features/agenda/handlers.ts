import type { Handlers, Caller, Handler } from '../../platform/base/operation-request.ts';
import { type AgendaNeeds, bookingWindow, readOpenSlots, type OpenSlot } from './availability.ts';
import { isDate, timeOf } from '../../../contract/written/dates.ts';

export function agendaHandlers(
  needs: AgendaNeeds,
): Pick<Handlers, 'getSupportDates' | 'getSupportHours' | 'getElevationDates' | 'getElevationHours'> {
  return {
    getSupportDates: getSupportDates(needs),
    getSupportHours: getSupportHours(needs),
    getElevationDates: getElevationDates(needs),
    getElevationHours: getElevationHours(needs),
  };
}

function getSupportHours(needs: AgendaNeeds): Handler<'getSupportHours'> {
  return async ({ query, caller }) => ({ body: await hoursOf(needs, 'support', query['fecha'], caller) });
}

function getElevationHours(needs: AgendaNeeds): Handler<'getElevationHours'> {
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

function getSupportDates(needs: AgendaNeeds): Handler<'getSupportDates'> {
  return async ({ query, caller }) => {
    const dates = await datesOf(needs, 'support', query, caller);
    return { body: dates.filter(({ free }) => free).map(({ date }) => ({ fecha: date })) };
  };
}

/** Lists the dates on which elevation calls are offered, and whether any place is still free. */
function getElevationDates(needs: AgendaNeeds): Handler<'getElevationDates'> {
  return async ({ query, caller }) => {
    const dates = await datesOf(needs, 'elevation', query, caller);
    return { body: dates.map(({ date, free }) => ({ fecha: date, disponible: free })) };
  };
}

async function datesOf(
  { store, config, clock }: AgendaNeeds,
  agenda: 'support' | 'elevation',
  query: Readonly<Record<string, string | undefined>>,
  caller: Caller | null,
): Promise<readonly { readonly date: string; readonly free: boolean }[]> {
  const window = bookingWindow(clock.now());
  const from = latest(window.from, query['fecha_inicio']);
  const to = earliest(window.to, query['fecha_fin']);
  const slots = await readOpenSlots(store.db, config, { agenda, from, to }, caller);
  return [...slots]
    .filter(([, times]) => times.length > 0)
    .map(([date, times]) => ({ date, free: times.some(isFree) }));
}

function isFree({ free }: OpenSlot): boolean {
  return free > 0;
}

function latest(date: string, other = ''): string {
  return isDate(other) && other > date ? other : date;
}

function earliest(date: string, other = ''): string {
  return isDate(other) && other < date ? other : date;
}
