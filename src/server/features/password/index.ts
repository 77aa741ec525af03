import { dayS, hourS } from '../../platform/base/periods.ts';
import { limitsOf } from '../../platform/topics/limit.ts';
import { mailsOf } from '../../platform/topics/mail.ts';
import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import type { Handler } from '../../platform/base/operation-request.ts';
import { confirmPasswordReset } from './confirm-password-reset.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { updatePassword } from './update-password.ts';
import { verifyPassword } from './verify-password.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { findLiveToken } from '../../trust/credentials/link-tokens.ts';
import { findCitizen } from '../../trust/identity/citizens.ts';
import type { Parts } from '../parts.ts';

declare module '../../platform/topics/mail.ts' {
  interface Mails {
    'reset-password': LinkValues;
  }
}

const mails = mailsOf(import.meta.url, {
  'reset-password': null,
});

export const limits = limitsOf({
  reset: { address: { free: 60, windowS: hourS }, document: { free: 5, windowS: hourS } },
  confirmReset: { address: { free: 300, windowS: hourS } },
  /** `checks` as in `signIn`. */
  verifyIdentity: {
    address: { free: 60, windowS: hourS },
    document: { free: 10, windowS: dayS },
    checks: { free: 240, windowS: hourS },
  },
});

export const topic = {
  handlers: {
    verifyPassword,
    updatePassword,
    changePassword: updatePassword,
    requestPasswordReset,
    checkPasswordReset,
    confirmPasswordReset,
  },
  texts,
  limits,
  mails,
} as const satisfies Topic;

/** Checks whether a mailed link can still set a new password. It does not use up the link: mail scanners open links too. */
function checkPasswordReset({ store, clock }: Parts): Handler<'checkPasswordReset'> {
  return async ({ body }) => {
    const link = await findLiveToken(store.db, 'reset', body.token, clock.now());
    const citizen = link?.citizenId == null ? null : await findCitizen(store.db, link.citizenId);
    if (link === null || citizen?.email !== link.subject)
      throw new OperationError(400, 'vinculo_invalido', { invalidToken: true });
    return { body: {} };
  };
}
