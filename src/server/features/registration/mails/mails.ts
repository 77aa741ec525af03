import { mail, type LinkValues } from '../../../platform/topics/mail.ts';

/** The mails of this module. */
export const mails = { activation: mail<LinkValues>(import.meta.url, 'activation') };
