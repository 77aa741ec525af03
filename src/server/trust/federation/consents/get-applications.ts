import { consentTexts } from '../clients/release.ts';
import type { Handler } from '../../../platform/base/operation-request.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import type { Logos } from '../clients/logos.ts';
import type { Applications } from '../saml/applications.ts';

interface Needs {
  readonly logos: Logos;
  readonly applications: Applications;
  readonly store: Store;
}
import { ownCitizen } from '../../identity/own-citizen.ts';

/** Lists the applications that have the citizen's consent. An application that is no longer registered appears with its id as the name. */
export function getApplications({ store, applications, logos }: Needs): Handler<'getApplications'> {
  return async ({ caller, origin }) => {
    const { citizen } = await ownCitizen(store.db, caller);
    const rows = await store.db
      .selectFrom('consents')
      .selectAll()
      .where('citizen_id', '=', citizen.id)
      .orderBy('given_at', 'desc')
      .execute();
    const body = await Promise.all(
      rows.map(async ({ id, client_id, scopes, given_at }) => {
        const application = await applications.find(client_id);
        return {
          id,
          client: { name: application?.name ?? client_id, logo: await logos.pathOf(application?.logo) },
          scopes: consentTexts(application?.scopes, scopes.split(' '), origin.language).map(({ name }) => ({ name })),
          date_given: given_at.toISOString(),
        };
      }),
    );
    return { body };
  };
}
