import { sealAudit } from '../audit/seal-audit.ts';
import { activateAccount } from '../registration/activate-account.ts';
import { activateEmailMethod } from '../second-factor/activate-email-method.ts';
import { approveEmailChange } from '../contact-data/approve-email-change.ts';
import { closeAccount } from '../account/close-account.ts';
import { completeRegistration } from '../registration/complete-registration.ts';
import { checkPasswordReset } from '../password/check-password-reset.ts';
import { confirmPasswordReset } from '../password/confirm-password-reset.ts';
import { createPasskey } from '../second-factor/create-passkey.ts';
import { createPasskeyOptions } from '../second-factor/create-passkey-options.ts';
import { createRecoveryCodes } from '../second-factor/create-recovery-codes.ts';
import { createTotp } from '../second-factor/create-totp.ts';
import { deletePasskey } from '../second-factor/delete-passkey.ts';
import { deleteMethod } from '../second-factor/delete-method.ts';
import { endOtherSessions } from '../account/end-other-sessions.ts';
import { endSessionOf } from '../account/end-session-of.ts';
import { exportData } from '../account/export-data.ts';
import { factsFor } from './facts.ts';
import { getCaptcha } from '../abuse/get-captcha.ts';
import { getCitizen } from '../account/get-citizen.ts';
import { getClosure } from '../account/get-closure.ts';
import { getConsentClient } from '../federation/consents/get-consent-client.ts';
import { getContactSubjects } from '../support/get-contact-subjects.ts';
import { getCountries } from '../content/get-countries.ts';
import { getEmail } from '../contact-data/get-email.ts';
import { getPendingEmail } from '../contact-data/get-pending-email.ts';
import { getMfaStatus } from '../second-factor/get-mfa-status.ts';
import { getIdentityProviders } from '../sign-in/get-identity-providers.ts';
import { getSignedDocument } from '../signature/get-signed-document.ts';
import { prepareSignature } from '../signature/prepare-signature.ts';
import { keepAccount } from '../account/keep-account.ts';
import { getSessions } from '../account/list-sessions.ts';
import { renamePasskey } from '../second-factor/rename-passkey.ts';
import { registerCitizen } from '../registration/register-citizen.ts';
import { requestPasswordReset } from '../password/request-password-reset.ts';
import { requestSignature } from '../signature/request-signature.ts';
import { resendActivation } from '../registration/resend-activation.ts';
import { resendOwnActivation } from '../registration/resend-own-activation.ts';
import { resendPendingActivation } from '../registration/resend-pending-activation.ts';
import { resendRecoveryCode } from '../sign-in/resend-recovery-code.ts';
import { sendContactMessage } from '../support/send-contact-message.ts';
import { sendFeedback } from '../support/send-feedback.ts';
import { updateEmail } from '../contact-data/update-email.ts';
import { updatePassword } from '../password/update-password.ts';
import { updatePhone } from '../contact-data/update-phone.ts';
import { submitSignature } from '../signature/submit-signature.ts';
import { verifyEmailMethod } from '../second-factor/verify-email-method.ts';
import { verifyPassword } from '../password/verify-password.ts';
import { verifyTotp } from '../second-factor/verify-totp.ts';
import { disavow } from '../account/disavow.ts';
import { getActions } from '../account/get-actions.ts';
import { getApplications } from '../federation/consents/get-applications.ts';
import { getFaqs } from '../content/get-faqs.ts';
import { getForeignCitizen } from '../account/get-foreign-citizen.ts';
import { getStaticPage } from '../content/get-static-page.ts';
import { revokeApplication } from '../federation/consents/revoke-application.ts';
import { answerChallenge } from '../sign-in/answer-challenge.ts';
import { authenticate } from '../sessions/authenticate.ts';
import { withProofs } from '../sessions/identity-proof.ts';
import { giveConsent } from '../federation/consents/give-consent.ts';
import { logout } from '../sign-in/logout.ts';
import { openBrokerPages } from '../federation/oidc/broker-pages.ts';
import { obtainToken } from '../sign-in/obtain-token.ts';
import { refreshToken } from '../sign-in/refresh-token.ts';
import type { Handlers } from '../base/call.ts';
import { jobsOf } from '../jobs/jobs.ts';
import { startJobs } from '../jobs/start-jobs.ts';
import { startOutboxPage } from '../mail/outbox-page.ts';
import { startMailWorker } from '../mail/worker.ts';
import { openParts, type ServicesOptions } from './open-parts.ts';
import type { Parts } from './parts.ts';
import type { Services } from '../calls/services.ts';

/** The services, and where the local outbox is read (null with a mail server). */
export interface RunningServices extends Services {
  readonly outboxUrl: string | null;
}

/** Opens the database, loads keys and reference data, starts the mail carrier, and answers the handlers of every call. */
export async function createServices(options: ServicesOptions): Promise<RunningServices> {
  const parts = await openParts(options);
  const {
    store,
    clock,
    log,
    auditKeys: [auditKey],
  } = parts;
  try {
    const mail = await startMail(parts);
    const jobs = startJobs(jobsOf({ store, clock, log, auditKey }), log);
    return {
      handlers: handlersOf(parts),
      authenticate: (token, passive) => authenticate(parts, token, passive),
      context: (call, { caller, body }) => factsFor(parts, call, caller, body),
      broker: openBrokerPages(parts),
      logo: (hash) => parts.logos.find(hash),
      now: () => clock.now(),
      ready: () => store.ready(),
      async close() {
        await jobs.close();
        await sealAudit(store, auditKey, clock).catch((error: unknown) =>
          log.error({ err: error }, 'the end of the audit log is not sealed'),
        );
        await mail.close();
        await store.close();
      },
      outboxUrl: mail.outboxUrl,
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The handler of every call of the contract, behind the proof of identity that the call asks for. */
export function handlersOf(parts: Parts): Handlers {
  return withProofs(parts, {
    getCountries: getCountries(parts),
    getCaptcha: getCaptcha(parts),
    registerCitizen: registerCitizen(parts),
    completeRegistration: completeRegistration(parts),
    activateAccount: activateAccount(parts),
    resendActivation: resendActivation(parts),
    resendPendingActivation: resendPendingActivation(parts),
    resendOwnActivation: resendOwnActivation(parts),
    getCitizen: getCitizen(parts),
    verifyPassword: verifyPassword(parts),
    updatePassword: updatePassword(parts),
    changePassword: updatePassword(parts),
    getEmail: getEmail(parts),
    getPendingEmail: getPendingEmail(parts),
    updateEmail: updateEmail(parts),
    approveEmailChange: approveEmailChange(parts),
    updatePhone: updatePhone(parts),
    requestPasswordReset: requestPasswordReset(parts),
    checkPasswordReset: checkPasswordReset(parts),
    confirmPasswordReset: confirmPasswordReset(parts),
    resendRecoveryCode: resendRecoveryCode(parts),
    getMfaStatus: getMfaStatus(parts),
    createTotp: createTotp(parts),
    verifyTotp: verifyTotp(parts),
    deleteTotp: deleteMethod(parts, 'totp'),
    activateEmailMethod: activateEmailMethod(parts),
    verifyEmailMethod: verifyEmailMethod(parts),
    deleteEmailMethod: deleteMethod(parts, 'email'),
    createRecoveryCodes: createRecoveryCodes(parts),
    createPasskeyOptions: createPasskeyOptions(parts),
    createPasskey: createPasskey(parts),
    renamePasskey: renamePasskey(parts),
    deletePasskey: deletePasskey(parts),
    requestSignature: requestSignature(parts),
    prepareSignature: prepareSignature(parts),
    submitSignature: submitSignature(parts),
    getSignedDocument: getSignedDocument(parts),
    getSessions: getSessions(parts),
    endSession: endSessionOf(parts),
    endOtherSessions: endOtherSessions(parts),
    exportData: exportData(parts),
    getClosure: getClosure(parts),
    closeAccount: closeAccount(parts),
    keepAccount: keepAccount(parts),
    answerChallenge: answerChallenge(parts),
    obtainToken: obtainToken(parts),
    refreshToken: refreshToken(parts),
    logout: logout(parts),
    getIdentityProviders: getIdentityProviders(parts),
    getConsentClient: getConsentClient(parts),
    giveConsent: giveConsent(parts),
    getForeignCitizen: getForeignCitizen(parts),
    getActions: getActions(parts),
    getApplications: getApplications(parts),
    revokeApplication: revokeApplication(parts),
    disavow: disavow(parts),
    getFaqs: getFaqs(parts),
    getStaticPage: getStaticPage(parts),
    getContactSubjects: getContactSubjects(),
    sendContactMessage: sendContactMessage(parts),
    sendFeedback: sendFeedback(parts),
  });
}

/** SMTP where it is configured; otherwise the outbox page, which readConfig allows on a loopback base URL only. */
async function startMail({
  config,
  store,
  log,
}: Parts): Promise<{ outboxUrl: string | null; close: () => Promise<void> }> {
  if (config.smtpUrl !== null) {
    const worker = startMailWorker({ store, log, smtpUrl: config.smtpUrl, from: config.mailFrom });
    return { outboxUrl: null, close: worker.close };
  }
  const page = await startOutboxPage(store, config.outboxPort);
  return { outboxUrl: page.url, close: page.close };
}
