import { sealAudit } from './audit/seal-audit.ts';
import { activateAccount } from './backend/activate-account.ts';
import { activateEmailMethod } from './backend/activate-email-method.ts';
import { approveEmailChange } from './backend/approve-email-change.ts';
import { closeAccount } from './backend/close-account.ts';
import { completeRegistration } from './backend/complete-registration.ts';
import { checkPasswordReset } from './backend/check-password-reset.ts';
import { confirmPasswordReset } from './backend/confirm-password-reset.ts';
import { createPasskey } from './backend/create-passkey.ts';
import { createPasskeyOptions } from './backend/create-passkey-options.ts';
import { createRecoveryCodes } from './backend/create-recovery-codes.ts';
import { createTotp } from './backend/create-totp.ts';
import { deletePasskey } from './backend/delete-passkey.ts';
import { deleteMethod } from './backend/delete-method.ts';
import { endOtherSessions } from './backend/end-other-sessions.ts';
import { endSessionOf } from './backend/end-session-of.ts';
import { exportData } from './backend/export-data.ts';
import { factsFor } from './backend/facts.ts';
import { getCaptcha } from './backend/get-captcha.ts';
import { getCitizen } from './backend/get-citizen.ts';
import { getClosure } from './backend/get-closure.ts';
import { getConsentClient } from './backend/get-consent-client.ts';
import { getContactSubjects } from './backend/get-contact-subjects.ts';
import { getCountries } from './backend/get-countries.ts';
import { getEmail } from './backend/get-email.ts';
import { getPendingEmail } from './backend/get-pending-email.ts';
import { getMfaStatus } from './backend/get-mfa-status.ts';
import { getIdentityProviders } from './backend/get-identity-providers.ts';
import { getSignedDocument } from './backend/get-signed-document.ts';
import { prepareSignature } from './backend/prepare-signature.ts';
import { keepAccount } from './backend/keep-account.ts';
import { getSessions } from './backend/list-sessions.ts';
import { renamePasskey } from './backend/rename-passkey.ts';
import { registerCitizen } from './backend/register-citizen.ts';
import { requestPasswordReset } from './backend/request-password-reset.ts';
import { requestSignature } from './backend/request-signature.ts';
import { resendActivation } from './backend/resend-activation.ts';
import { resendOwnActivation } from './backend/resend-own-activation.ts';
import { resendPendingActivation } from './backend/resend-pending-activation.ts';
import { resendRecoveryCode } from './backend/resend-recovery-code.ts';
import { sendContactMessage } from './backend/send-contact-message.ts';
import { sendFeedback } from './backend/send-feedback.ts';
import { updateEmail } from './backend/update-email.ts';
import { updatePassword } from './backend/update-password.ts';
import { updatePhone } from './backend/update-phone.ts';
import { submitSignature } from './backend/submit-signature.ts';
import { verifyEmailMethod } from './backend/verify-email-method.ts';
import { verifyPassword } from './backend/verify-password.ts';
import { verifyTotp } from './backend/verify-totp.ts';
import { disavow } from './backend/disavow.ts';
import { getActions } from './backend/get-actions.ts';
import { getApplications } from './backend/get-applications.ts';
import { getFaqs } from './backend/get-faqs.ts';
import { getForeignCitizen } from './backend/get-foreign-citizen.ts';
import { getStaticPage } from './backend/get-static-page.ts';
import { revokeApplication } from './backend/revoke-application.ts';
import { answerChallenge } from './broker/answer-challenge.ts';
import { authenticate } from './broker/authenticate.ts';
import { withProofs } from './broker/identity-proof.ts';
import { giveConsent } from './broker/give-consent.ts';
import { logout } from './broker/logout.ts';
import { openBrokerPages } from './broker/oidc/broker-pages.ts';
import { obtainToken } from './broker/obtain-token.ts';
import { refreshToken } from './broker/refresh-token.ts';
import type { Handlers } from './call.ts';
import { jobsOf } from './jobs/jobs.ts';
import { startJobs } from './jobs/start-jobs.ts';
import { startOutboxPage } from './mail/outbox-page.ts';
import { startMailWorker } from './mail/worker.ts';
import { openParts, type ServicesOptions } from './open-parts.ts';
import type { Parts } from './parts.ts';
import type { Services } from './services.ts';

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
