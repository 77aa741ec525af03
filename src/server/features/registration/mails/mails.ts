import { mail, type LinkValues } from '../../../platform/topics/mail.ts';

export const mails = { activation: mail<LinkValues>(import.meta.url, 'activation') };
