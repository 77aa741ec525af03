import type { Handler } from '../../base/call.ts';
import { ownCitizen } from '../../identity/own-citizen.ts';
import { CallError } from '../../base/errors.ts';
import type { Parts } from '../../app/parts.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import { consentFacts } from './consent-facts.ts';
import { addConsent } from './consents.ts';
import { textsVersion } from '../clients/scopes.ts';

/** Records what the citizen decided on an application's request, and answers where the request goes on. */
export function giveConsent({ oidc, store, clock }: Parts): Handler<'giveConsent'> {
  return async ({ body, caller, address, requestId }) => {
    const { next, client_id: clientId, allow } = body;
    const citizenId = caller?.citizenId ?? '';
    const asked = await oidc.interactions.findConsent(next, caller?.sessionId ?? '');
    if (asked === null || asked.clientId !== clientId) throw new CallError(404, 'no_encontrado');
    const entry = { at: clock.now(), citizenId, address, requestId };
    await store.transaction(async (tx) => {
      const { citizen } = await ownCitizen(tx, caller);
      const details = {
        client: clientId,
        scopes: [...asked.scopes],
        textsVersion,
        ...consentFacts(citizen, caller?.nid ?? 0),
      };
      if (allow) await addConsent(tx, { citizenId, clientId, scopes: asked.scopes, now: entry.at });
      await appendAudit(tx, { ...entry, action: allow ? 'consent-given' : 'consent-refused', details });
    });
    await (allow ? oidc.interactions.allow(next) : oidc.interactions.refuse(next));
    return { body: { location: asked.redirect } };
  };
}
