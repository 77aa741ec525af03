import type { Topic } from '../../platform/topics/topic.ts';
import type { NotifyEnds } from '../sessions/session-ends.ts';
import { getForcedLogoutRequests, getSloResponse, samlLogin, samlLogout } from './broker/saml-pages.ts';
import { requestLimits } from './clients/pending-request.ts';
import { getApplications, getConsentClient, giveConsent, revokeApplication } from './consents.ts';
import { tables } from './tables.ts';
import texts from './texts.json' with { type: 'json' };

export const topic = {
  handlers: () => ({
    samlLogin,
    samlLogout,
    getSloResponse,
    getForcedLogoutRequests,
    getConsentClient,
    giveConsent,
    getApplications,
    revokeApplication,
  }),
  texts,
  limits: requestLimits,
  tables,
  jobs: ({ notifyEnds }: { notifyEnds: NotifyEnds }) => [
    { name: 'tell applications of ended sessions', everyMs: 2_000, run: () => notifyEnds() },
  ],
} as const satisfies Topic;
