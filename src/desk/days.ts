import { constants } from '../contract/constants.ts';

/** The date of an instant in official time, as YYYY-MM-DD. */
export function dayOf(at: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: constants.timeZone, dateStyle: 'short' }).format(at);
}

/** Some days after a date. */
export function laterDay(date: string, days: number): string {
  const at = new Date(`${date}T12:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** HH:mm of HH:mm:ss. */
export function shortTime(time: string): string {
  return time.slice(0, 5);
}
