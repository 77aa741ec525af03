import type { Handlers, Handler } from '../../../platform/base/operation-request.ts';
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
import { OperationError } from '../../../platform/base/errors.ts';
import { ownCitizen } from '../../identity/own-citizen.ts';
import { revokeClient } from '../clients/consents.ts';

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

/** Revokes an application's access. Another citizen's consent gets the same answer as an unknown one. */
function revokeApplication({ commands }: { commands: Commands }): Handler<'revokeApplication'> {
  return async ({ params, caller, origin }) => {
    await commands.run(origin, async ({ tx, audit, notify }) => {
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      const consent = await tx
        .selectFrom('consents')
        .select('client_id')
        .where('id', '=', params['consent'] ?? '')
        .where('citizen_id', '=', citizen.id)
        .executeTakeFirst();
      if (consent === undefined || !(await revokeClient(tx, citizen.id, consent.client_id)))
        throw new OperationError(404, 'no_encontrado');
      await audit('application-revoked', citizen.id, { client: consent.client_id });
      await notify('application-revoked', citizen, { sessionId });
    });
    return { body: {} };
  };
}
