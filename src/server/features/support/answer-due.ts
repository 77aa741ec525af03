import { dateOf, laterDate } from '../../../contract/written/dates.ts';
import type { Config } from '../../platform/config/config.ts';

/** Returns the last date (YYYY-MM-DD, official time) to answer a message received at `came`. */
export function answerDue({ contactAnswerDays: days }: Pick<Config, 'contactAnswerDays'>, came: Date): string {
  return laterDate(dateOf(came), { days });
}

/** Converts YYYY-MM-DD to DD/MM/YYYY, which both languages use. */
export function readableDate(date: string): string {
  return date.split('-').toReversed().join('/');
}
