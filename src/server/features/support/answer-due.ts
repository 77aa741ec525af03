import { dateOf, laterDate } from '../../platform/base/zone.ts';
import type { Config } from '../../platform/config/config.ts';

/** The last date (YYYY-MM-DD, official time) on which a message is answered that came at an instant. */
export function answerDue({ contactAnswerDays: days }: Pick<Config, 'contactAnswerDays'>, came: Date): string {
  return laterDate(dateOf(came), { days });
}

/** DD/MM/YYYY of YYYY-MM-DD, as in both languages. */
export function readableDate(date: string): string {
  return date.split('-').toReversed().join('/');
}
