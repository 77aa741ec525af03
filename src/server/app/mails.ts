import { collect } from '../../contract/topics/collect.ts';
import type { Mail } from '../platform/topics/mail.ts';
import { topics } from './topics.ts';

/** The mails of all topics. */
export const mails: readonly Mail[] = Object.values(
  collect<Mail>(
    'mails',
    Object.entries(topics).map(([name, topic]) => [name, 'mails' in topic ? topic.mails : {}]),
  ),
);
