import type { Handlers } from '../../platform/base/operation-request.ts';
import type { AgendaNeeds } from './availability.ts';
import { getElevationDates, getSupportDates } from './get-dates.ts';
import { getElevationHours, getSupportHours } from './get-hours.ts';

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
