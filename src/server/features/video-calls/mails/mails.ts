import { mail } from '../../../platform/topics/mail.ts';

/** Values of the mails. A value that a mail does not use is empty. */
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

export type CallMail = keyof typeof mails;
