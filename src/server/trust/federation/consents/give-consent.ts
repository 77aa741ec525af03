import type { Handler } from '../../../platform/base/operation-request.ts';
import { OperationError } from '../../../platform/base/errors.ts';
import { ownCitizen } from '../../identity/own-citizen.ts';
import type { Commands } from '../../notices/commands.ts';
import { textsVersion } from '../clients/scopes.ts';
import type { Interactions } from '../clients/pending-request.ts';
import { consentFacts } from './consent-facts.ts';
import { addConsent } from '../clients/consents.ts';
import { href } from '../../../../contract/href.ts';
import { pages } from '../../../../contract/pages.ts';

const requestGone = href(pages.error, { errorCode: 'OIDC_ERROR' });

/** Records the citizen's decision and returns the next page. For an expired request, `location` of the error is the error page (section 7.1). */
export function giveConsent({
  commands,
  interactions,
}: {
  commands: Commands;
  interactions: Interactions;
}): Handler<'giveConsent'> {
  return async ({ body, caller, origin }) => {
    const { next, client_id: clientId, allow } = body;
    const citizenId = caller?.citizenId ?? '';
    const asked = await interactions.findConsent(next, caller?.sessionId ?? '');
    if (asked === null || asked.clientId !== clientId)
      throw new OperationError(404, 'no_encontrado', { location: requestGone });
    await commands.run(origin, async ({ tx, now, audit }) => {
      const { citizen } = await ownCitizen(tx, caller);
      if (allow) await addConsent(tx, { citizenId, clientId, scopes: asked.scopes, now });
      await audit(allow ? 'consent-given' : 'consent-refused', citizenId, {
        client: clientId,
        scopes: [...asked.scopes],
        textsVersion,
        ...consentFacts(citizen, caller?.nid ?? 0),
      });
    });
    await (allow ? interactions.allow(next) : interactions.refuse(next));
    return { body: { location: asked.next } };
  };
}
