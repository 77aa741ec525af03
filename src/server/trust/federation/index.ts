import type { Topic } from '../../platform/topics/topic.ts';
import type { NotifySessionEnds } from '../sessions/session-ends.ts';
import { getForcedLogoutRequests, getSloResponse, samlLogin, samlLogout } from './broker/saml-endpoints.ts';
import { requestLimits } from './clients/pending-request.ts';
import { getApplications, getConsentClient, giveConsent, revokeApplication, revokeScope } from './consents.ts';
import type { SamlProvider } from './saml/open-saml.ts';
import { tables } from './tables.ts';
import texts from './texts.json' with { type: 'json' };

/** Interval at which due metadata are refreshed, in milliseconds. */
const metadataRefreshMs = 5 * 60_000;

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
    revokeScope,
  }),
  texts,
  limits: requestLimits,
  tables,
  jobs: ({ notifyEnds, saml }: { notifyEnds: NotifySessionEnds; saml: Pick<SamlProvider, 'refreshMetadata'> }) => [
    { name: 'tell applications of ended sessions', everyMs: 2_000, run: () => notifyEnds() },
    {
      name: 'refresh the metadata of service providers',
      everyMs: metadataRefreshMs,
      run: () => saml.refreshMetadata(),
    },
  ],
} as const satisfies Topic;
