import { mail, type LinkValues } from '../../../platform/topics/mail.ts';

/** Of a change that an agent began: `from` when on it can be confirmed. */
type WaitingValues = LinkValues & Readonly<Record<'from', string>>;
type ConfirmationValues = Readonly<Record<'product' | 'name' | 'when', string>>;

/** The mails of this module. */
export const mails = {
  'email-change': mail<LinkValues>(import.meta.url, 'email-change'),
  'email-change-waits': mail<WaitingValues>(import.meta.url, 'email-change-waits'),
  'email-confirmed': mail<ConfirmationValues>(import.meta.url, 'email-confirmed', 'notices'),
};
