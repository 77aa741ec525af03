import { dayS, hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';
import { mailsOf } from '../../platform/topics/mail.ts';
import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import { activateAccount } from './activate-account.ts';
import { completeRegistration } from './complete-registration.ts';
import { correctEmail } from './correct-email.ts';
import { registerCitizen } from './register-citizen.ts';
import { resendActivation } from './resend-activation.ts';
import { resendOwnActivation } from './resend-own-activation.ts';
import { resendPendingActivation } from './resend-pending-activation.ts';

declare module '../../platform/topics/mail.ts' {
  interface Mails {
    activation: LinkValues;
  }
}

const mails = mailsOf(import.meta.url, {
  activation: null,
});

export const limits = limitsOf({
  register: {
    address: { free: 60, windowS: hourS },
    document: { free: 10, windowS: hourS },
    email: { free: 30, windowS: dayS },
  },
  resend: { address: { free: 60, windowS: hourS }, document: { free: 5, windowS: hourS } },
  correct: {
    address: { free: 60, windowS: hourS },
    document: { free: 5, windowS: hourS },
    email: { free: 30, windowS: dayS },
  },
  activate: { address: { free: 300, windowS: hourS } },
});

export const topic = {
  handlers: {
    registerCitizen,
    completeRegistration,
    correctEmail,
    activateAccount,
    resendActivation,
    resendPendingActivation,
    resendOwnActivation,
  },
  texts,
  limits,
  mails,
} as const satisfies Topic;
