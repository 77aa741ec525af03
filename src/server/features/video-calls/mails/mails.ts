import { mail } from '../../../platform/topics/mail.ts';

/** What for, when, how long, and the addresses that act on it; empty where a mail has no use for one. */
type CallValues = Readonly<
  Record<
    | 'product'
    | 'call'
    | 'when'
    | 'minutes'
    | 'expires'
    | 'book'
    | 'confirm'
    | 'cancel'
    | 'enter'
    | 'accept'
    | 'account'
    | 'reason'
    | 'support',
    string
  >
>;

const callMail = (name: string) => mail<CallValues>(import.meta.url, name, 'desk');

/** The mails of this module. */
export const mails = {
  'call-reserved': callMail('call-reserved'),
  'call-booked': callMail('call-booked'),
  'call-cancelled': callMail('call-cancelled'),
  'call-lapsed': callMail('call-lapsed'),
  'call-reminder': callMail('call-reminder'),
  'call-failed': callMail('call-failed'),
  'call-aborted': callMail('call-aborted'),
  'call-withdrawn': callMail('call-withdrawn'),
  'call-spared': callMail('call-spared'),
  'call-approved': callMail('call-approved'),
  'call-expired': callMail('call-expired'),
  'call-overlooked': callMail('call-overlooked'),
  'call-rejected': callMail('call-rejected'),
};

/** A mail about a call. */
export type CallMail = keyof typeof mails;
