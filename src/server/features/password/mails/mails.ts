import { mail, type LinkValues } from '../../../platform/topics/mail.ts';

/** The mails of this module. */
export const mails = { 'reset-password': mail<LinkValues>(import.meta.url, 'reset-password') };
