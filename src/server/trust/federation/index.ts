import type { ServerModule } from '../../platform/modules/server-module.ts';
import type { NotifySessionEnds } from '../sessions/session-ends.ts';
import { getForcedLogoutRequests, getSloResponse, samlLogin, samlLogout } from './broker/saml-endpoints.ts';
import { createLogoFetcher } from './clients/logo-store.ts';
import { federationAttemptLimits } from './clients/pending-request.ts';
import { getApplications, getConsentClient, giveConsent, revokeApplication, revokeScope } from './consents.ts';
import type { SamlProvider } from './saml/open-saml.ts';
import { federationTables } from './tables.ts';
import texts from './texts.json' with { type: 'json' };

type JobDependencies = Parameters<typeof createLogoFetcher>[0] & {
  readonly notifyEnds: NotifySessionEnds;
  readonly saml: Pick<SamlProvider, 'refreshMetadata'>;
};

export const serverModule = {
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
  limits: federationAttemptLimits,
  tables: federationTables,
  jobs: ({ notifyEnds, saml, ...others }: JobDependencies) => [
    { name: 'tell applications of ended sessions', everyMs: 2_000, run: () => notifyEnds() },
    { name: 'fetch missing logos', everyMs: 5 * 60_000, run: createLogoFetcher({ saml, ...others }) },
    { name: 'refresh the metadata of service providers', everyMs: 5 * 60_000, run: () => saml.refreshMetadata() },
  ],
} as const satisfies ServerModule;
