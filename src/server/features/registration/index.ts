import {
  defineAttemptLimits,
  allowAttemptsPerHour,
  allowAttemptsPerDay,
} from '../../platform/modules/attempt-limits.ts';
import { defineMailTemplates } from '../../platform/modules/mail-templates.ts';
import type { ServerModule } from '../../platform/modules/server-module.ts';
import texts from './texts.json' with { type: 'json' };
import {
  activateAccount,
  issueActivationResendToken,
  computePendingRegistrationExpiry,
  sendActivationMail,
} from './activation-mail.ts';
import { completeRegistration } from './complete-registration.ts';
import { correctEmail, registerCitizen } from './register-citizen.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { sendEmailChangeMail } from '../contact-data/index.ts';
import { findEarliestEmailConfirmationTime, findPendingEmail } from '../../trust/credentials/email-changes.ts';
import { findCitizen, findCitizenByDocument } from '../../trust/identity/citizens.ts';
import {
  createCommandHandler,
  type HandlerContext,
  type ResponseBodyHandler,
  type ReplyHandler,
} from '../handler-context.ts';
import {
  parseDocumentId,
  formatDocumentId,
  normalizeDocument,
  type IdentityDocument,
} from '../../platform/base/identity-document.ts';
import { consumeLinkToken, findLiveLinkToken } from '../../trust/credentials/link-tokens.ts';
import type { ChangeOrigin } from '../../platform/base/change-origin.ts';

export const serverModule = {
  handlers: () => ({
    registerCitizen,
    completeRegistration,
    correctEmail,
    activateAccount,
    resendActivation,
    resendPendingActivation,
    resendOwnActivation,
  }),
  texts,
  limits: defineAttemptLimits({
    register: { address: allowAttemptsPerHour(60), document: allowAttemptsPerHour(10), email: allowAttemptsPerDay(30) },
    resend: { address: allowAttemptsPerHour(60), document: allowAttemptsPerHour(5) },
    correct: { address: allowAttemptsPerHour(60), document: allowAttemptsPerHour(5), email: allowAttemptsPerDay(30) },
    activate: { address: allowAttemptsPerHour(300) },
  }),
  mails: defineMailTemplates(import.meta.url, { activation: null }),
} as const satisfies ServerModule;

declare module '../../platform/modules/mail-templates.ts' {
  interface MailPlaceholders {
    activation: LinkMailValues;
  }
}

/** Resends the mail for a requested change of address, or else the activation mail. `resended` is `false` if no address awaits validation. */
const resendOwnActivation: ResponseBodyHandler<'resendOwnActivation'> = async (dependencies, { params, origin }) => {
  const { commands, config, store } = dependencies;
  const citizen = await findCitizen(store.db, params['id'] ?? '');
  if (citizen === null) throw new OperationError(404, 'no_encontrado');
  const changes = await commands.run(origin, async (command) => {
    const { tx, now } = command;
    const email = await findPendingEmail(tx, citizen.id);
    if (email === null) return false;
    const confirmFrom = await findEarliestEmailConfirmationTime(tx, citizen.id, email, now);
    await sendEmailChangeMail(command, config, { citizen, email, confirmFrom });
    await command.audit('resend-email-change', citizen.id);
    return true;
  });
  if (changes) return { resended: true };
  if (citizen.email === null || citizen.email_verified_at !== null) return { resended: false };
  await mailIfUnverified(dependencies, origin, citizen);
  return { resended: true };
};

/** Resends the activation mail, authorized by a one-time token, and returns a new token. Counts the attempt for the document of the token. */
const resendPendingActivation: ReplyHandler<'resendPendingActivation'> = async (dependencies, { body, origin }) => {
  const { commands, clock, throttle, limits, store } = dependencies;
  const known = await findLiveLinkToken(store.db, 'resend', body.reenvio, clock.now());
  if (known === null) throw new OperationError(400, 'reenvio_invalido');
  // The limit is checked before the token is consumed, so that a throttled caller can use the token later.
  await throttle.admit(limits.resend, { address: origin.address, document: known.subject }, clock.now());
  const reenvio = await commands.run(origin, async (command) => {
    const used = await consumeLinkToken(command.tx, 'resend', body.reenvio, command.now);
    if (used === null) throw new OperationError(400, 'reenvio_invalido');
    return issueActivationResendToken(command, used.subject);
  });
  return {
    body: { resended: true, reenvio },
    after: () => mailIfUnverified(dependencies, origin, parseDocumentId(known.subject)),
  };
};

/** Resends the activation mail. The response and its timing are the same with and without a pending account. */
const resendActivation = createCommandHandler<'resendActivation'>(async (command, { body, origin }, dependencies) => {
  const document = normalizeDocument(body.pais_emisor, body.tipo_doc, body.doc);
  const reenvio = await issueActivationResendToken(command, formatDocumentId(document));
  return { body: { resended: true, reenvio }, after: () => mailIfUnverified(dependencies, origin, document) };
});

/**
 * Resends the activation mail if the account's address awaits validation. Otherwise does the same work and rolls it back, so that the timing is the
 * same.
 */
async function mailIfUnverified(
  { commands, config }: Pick<HandlerContext, 'commands' | 'config'>,
  origin: ChangeOrigin,
  document: IdentityDocument,
): Promise<void> {
  await commands.commitIf(origin, async (command) => {
    const citizen = await findCitizenByDocument(command.tx, document);
    const endsAt =
      citizen === null || citizen.active_at !== null
        ? null
        : computePendingRegistrationExpiry(citizen.created_at, config);
    const to = { id: citizen?.id ?? null, name: citizen?.first_name ?? '', email: citizen?.email ?? '', endsAt };
    await sendActivationMail(command, config, to);
    await command.audit('resend-activation', citizen?.id ?? null);
    const isOver = endsAt !== null && endsAt <= command.now;
    return citizen !== null && citizen.email !== null && citizen.email_verified_at === null && !isOver;
  });
}
