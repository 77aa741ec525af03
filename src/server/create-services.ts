import { sql } from 'kysely';
import { activateAccount } from './backend/activate-account.ts';
import { completeRegistration } from './backend/complete-registration.ts';
import { factsFor } from './backend/facts.ts';
import { getCaptcha } from './backend/get-captcha.ts';
import { getCitizen } from './backend/get-citizen.ts';
import { getCountries } from './backend/get-countries.ts';
import { registerCitizen } from './backend/register-citizen.ts';
import { resendActivation } from './backend/resend-activation.ts';
import { resendOwnActivation } from './backend/resend-own-activation.ts';
import { resendPendingActivation } from './backend/resend-pending-activation.ts';
import { answerChallenge } from './broker/answer-challenge.ts';
import { authenticate } from './broker/authenticate.ts';
import { logout } from './broker/logout.ts';
import { obtainToken } from './broker/obtain-token.ts';
import { refreshToken } from './broker/refresh-token.ts';
import type { Handlers } from './call.ts';
import { startOutboxPage } from './mail/outbox-page.ts';
import { startMailWorker } from './mail/worker.ts';
import { openParts, type ServicesOptions } from './open-parts.ts';
import type { Parts } from './parts.ts';
import type { Services } from './services.ts';
import { startPurge } from './store/purge.ts';

/** The services, and where the local outbox is read (null with a mail server). */
export interface RunningServices extends Services {
  readonly outboxUrl: string | null;
}

/** Opens the database, loads keys and reference data, starts the mail carrier, and answers the handlers of every call. */
export async function createServices(options: ServicesOptions): Promise<RunningServices> {
  const parts = await openParts(options);
  const { store, clock, log } = parts;
  try {
    const mail = await startMail(parts);
    const purge = startPurge(store, clock, log);
    return {
      handlers: handlersOf(parts),
      authenticate: (token) => authenticate(parts, token),
      context: (_, request) => factsFor(parts, request.caller),
      ready: async () => {
        await sql`select 1`.execute(store.db);
      },
      async close() {
        await purge.close();
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

/** The handler of every call of the contract. */
export function handlersOf(parts: Parts): Handlers {
  return {
    getCountries: getCountries(parts),
    getCaptcha: getCaptcha(parts),
    registerCitizen: registerCitizen(parts),
    completeRegistration: completeRegistration(parts),
    activateAccount: activateAccount(parts),
    resendActivation: resendActivation(parts),
    resendPendingActivation: resendPendingActivation(parts),
    resendOwnActivation: resendOwnActivation(parts),
    getCitizen: getCitizen(parts),
    answerChallenge: answerChallenge(parts),
    obtainToken: obtainToken(parts),
    refreshToken: refreshToken(parts),
    logout: logout(parts),
  };
}

/** SMTP where it is configured; otherwise the outbox page, which readConfig allows on a loopback base URL only. */
async function startMail({ config, store, clock, log }: Parts): Promise<{ outboxUrl: string | null; close: () => Promise<void> }> {
  if (config.smtpUrl !== null) {
    const worker = startMailWorker({ store, clock, log, smtpUrl: config.smtpUrl, from: config.mailFrom });
    return { outboxUrl: null, close: worker.close };
  }
  const page = await startOutboxPage(store, config.outboxPort);
  return { outboxUrl: page.url, close: page.close };
}
