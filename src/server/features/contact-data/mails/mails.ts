import { mail, type LinkValues } from '../../../platform/topics/mail.ts';

/** For a change that an agent started. It can be confirmed from `from` on. */
type WaitingValues = LinkValues & Readonly<Record<'from', string>>;
type ConfirmationValues = Readonly<Record<'product' | 'name' | 'when', string>>;

export const mails = {
  'email-change': mail<LinkValues>(import.meta.url, 'email-change'),
  'email-change-waits': mail<WaitingValues>(import.meta.url, 'email-change-waits'),
  'email-confirmed': mail<ConfirmationValues>(import.meta.url, 'email-confirmed', 'notices'),
};
