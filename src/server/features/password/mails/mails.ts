import { mail, type LinkValues } from '../../../platform/topics/mail.ts';

export const mails = { 'reset-password': mail<LinkValues>(import.meta.url, 'reset-password') };
