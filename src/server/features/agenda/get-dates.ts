import type { Caller, Handler } from '../../platform/base/operation-request.ts';
import { isDate } from '../../platform/base/zone.ts';
import { bookingWindow, readOpenSlots, type AgendaNeeds, type OpenSlot } from './availability.ts';

export function getSupportDates(needs: AgendaNeeds): Handler<'getSupportDates'> {
  return async ({ query, caller }) => {
    const dates = await datesOf(needs, 'support', query, caller);
    return { body: dates.filter(({ free }) => free).map(({ date }) => ({ fecha: date })) };
  };
}

/** Lists the dates on which elevation calls are offered, and whether any place is still free. */
export function getElevationDates(needs: AgendaNeeds): Handler<'getElevationDates'> {
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

export function isFree({ free }: OpenSlot): boolean {
  return free > 0;
}

function latest(date: string, other = ''): string {
  return isDate(other) && other > date ? other : date;
}

function earliest(date: string, other = ''): string {
  return isDate(other) && other < date ? other : date;
}
