import type { Handlers } from '../../../platform/base/operation-request.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import type { Commands } from '../../notices/commands.ts';
import type { Logos } from '../clients/logos.ts';
import type { Interactions } from '../clients/pending-request.ts';
import type { Oidc } from '../oidc/open-oidc.ts';
import type { Applications } from '../saml/applications.ts';
import { getApplications } from './get-applications.ts';
import { getConsentClient } from './get-consent-client.ts';
import { giveConsent } from './give-consent.ts';
import { revokeApplication } from './revoke-application.ts';

interface Needs {
  readonly config: Pick<Config, 'identityProviders'>;
  readonly commands: Commands;
  readonly logos: Logos;
  readonly interactions: Interactions;
  readonly applications: Applications;
  readonly oidc: Oidc;
  readonly store: Store;
}

export function consentHandlers(needs: Needs) {
  return {
    getConsentClient: getConsentClient(needs),
    giveConsent: giveConsent(needs),
    getApplications: getApplications(needs),
    revokeApplication: revokeApplication(needs),
  } satisfies Partial<Handlers>;
}
