import { setting } from './setting.ts';
import { optional, text, url, whole } from './setting-values.ts';

export const supportSettings = {
  SUPPORT_MAILBOX: setting(
    'soporte@localhost',
    text,
    'Mailbox that screens name for support, and that gets the messages of the contact form.',
  ),
  CONTACT_ANSWER_DAYS: setting(
    '7',
    whole(2, 60),
    'Days in which a contact message is answered, as screens, mails and the desk say.',
  ),
  IN_PERSON_URL: setting(
    'https://www.gub.uy/',
    optional(url('http:', 'https:')),
    'Page of the points where citizens are attended in person, which the contact page links; empty: none.',
  ),
  IN_PERSON_ADDRESS: setting(
    '',
    text,
    'Where citizens are attended in person, as they read it, e.g. `Liniers 1324, Montevideo`; empty: nothing is said.',
  ),
  IN_PERSON_HOURS: setting('', text, 'When they are attended there, e.g. `lunes a viernes de 9 a 16`.'),
} as const;
