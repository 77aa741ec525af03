import type { ResponseBodyHandler, HandlerContext } from '../handler-context.ts';
import type { ServerModule } from '../../platform/modules/server-module.ts';
import { sql, type Generated } from 'kysely';
import type { CallKind } from '../../platform/base/call-kind.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import { toUruguayIsoDate, isIsoDate, toUruguayIsoTime } from '../../../contract/format/dates.ts';
import {
  resolveRetentionPeriodS,
  createPurgeRule,
  type RetentionConfig,
} from '../../platform/modules/table-descriptions.ts';
import type { Caller } from '../../platform/base/operation-request.ts';
import { getBookingWindow, readBookableSlots, type BookableSlot } from './availability.ts';

export const serverModule = {
  handlers: () => ({
    getSupportDates,
    getSupportHours: createFreeHoursHandler('support'),
    getElevationDates,
    getElevationHours: createFreeHoursHandler('elevation'),
  }),
  tables: {
    agenda_hours: {
      data: null,
      why: 'opening hours of video calls',
      readers: ['citizen', 'agent', 'operator'],
      retention: 'until an agent changes it',
    },
    agenda_exceptions: {
      data: null,
      why: 'dates with other opening hours',
      readers: ['citizen', 'agent', 'operator'],
      retention: {
        ...createPurgeRule('date', 'CALLS_YEARS', null),
        old: (now: Date, config: RetentionConfig) =>
          sql`date < ${toUruguayIsoDate(addSeconds(now, -resolveRetentionPeriodS('CALLS_YEARS', config)))}`,
      },
    },
  },
} as const satisfies ServerModule;

declare module '../../platform/database/schema.ts' {
  interface Database {
    agenda_hours: {
      id: Generated<number>;
      agenda: CallKind;
      /** Day of the week, from 1 for Monday to 7 for Sunday. */
      weekday: number;
      /** Official time, HH:mm. */
      opens: string;
      closes: string;
      places: number;
    };
    /** Opening hours of a single date, which replace the hours of its weekday. If `places` is 0, the agenda is closed. */
    agenda_exceptions: {
      id: Generated<number>;
      agenda: CallKind;
      date: string;
      opens: string;
      closes: string;
      places: number;
      note: string;
    };
  }
}

function createFreeHoursHandler(agenda: CallKind): ResponseBodyHandler<'getSupportHours' | 'getElevationHours'> {
  return async ({ store, config, clock }, { query, caller }) => {
    const date = query['fecha'] ?? '';
    const { from, to } = getBookingWindow(clock.now());
    if (!isIsoDate(date) || date < from || date > to) return [];
    const slots = await readBookableSlots(store.db, config, { agenda, from: date, to: date }, caller);
    return (slots.get(date) ?? []).filter(isFree).map(({ startsAt }) => ({ hora_inicio: toUruguayIsoTime(startsAt) }));
  };
}

export const getSupportDates: ResponseBodyHandler<'getSupportDates'> = async (dependencies, { query, caller }) => {
  const dates = await listDates(dependencies, 'support', query, caller);
  return dates.filter(({ free }) => free).map(({ date }) => ({ fecha: date }));
};

const getElevationDates: ResponseBodyHandler<'getElevationDates'> = async (dependencies, { query, caller }) => {
  const dates = await listDates(dependencies, 'elevation', query, caller);
  return dates.map(({ date, free }) => ({ fecha: date, disponible: free }));
};

async function listDates(
  { store, config, clock }: HandlerContext,
  agenda: CallKind,
  query: Readonly<Record<string, string | undefined>>,
  caller: Caller | null,
) {
  const window = getBookingWindow(clock.now());
  const from = maxDate(window.from, query['fecha_inicio']);
  const to = minDate(window.to, query['fecha_fin']);
  const slots = await readBookableSlots(store.db, config, { agenda, from, to }, caller);
  return [...slots]
    .filter(([, times]) => times.length > 0)
    .map(([date, times]) => ({ date, free: times.some(isFree) }));
}

function isFree({ free }: BookableSlot): boolean {
  return free > 0;
}

function maxDate(date: string, other = ''): string {
  return isIsoDate(other) && other > date ? other : date;
}

function minDate(date: string, other = ''): string {
  return isIsoDate(other) && other < date ? other : date;
}
