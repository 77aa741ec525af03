import type Provider from 'oidc-provider';
import { type KoaContextWithOIDC } from 'oidc-provider';
import type { Clock } from '../../../platform/base/clock.ts';
import type { DatabaseStore } from '../../../platform/database/open-store.ts';
import { listRegisteredResources, listRegisteredScopes } from '../clients/client-registration.ts';
import {
  selectReleasedScopes,
  listClaimsOfScopes,
  listResourceScopes,
  supportedScopes,
  rereadConsentedScopesWithConflict,
  findConsentedScopes,
} from '../clients/scopes.ts';

type Grant = InstanceType<Provider['Grant']>;

/**
 * Builds the grant from the consent, because a consent is permanent and a grant belongs to one session. Without a consent, oidc-provider prompts for
 * it. Rejects claims outside of the registration: they are neither prompted for nor released. Reads the consent again after saving the grant, because
 * a withdrawal or a session end in between misses a grant that is saved later.
 */
export function createGrantLoader(parts: {
  store: DatabaseStore;
  clock: Clock;
}): (ctx: KoaContextWithOIDC) => Promise<Grant | undefined> {
  const { db } = parts.store;
  return async ({ oidc }) => {
    const { client, account, session, provider } = oidc;
    if (!client || !account || !session) return undefined;
    const [citizenId, clientId] = [account.accountId, client.clientId];
    const id = session.grantIdFor(clientId);
    const known = id === undefined ? undefined : await provider.Grant.find(id);
    const grant = known ?? new provider.Grant({ accountId: citizenId, clientId });
    let consented = await findConsentedScopes(db, citizenId, clientId);
    while (consented !== null) {
      fillGrant(grant, client, consented);
      await grant.save();
      const ids = { citizenId, clientId, oidcUid: session.uid };
      const confirmed = await rereadConsentedScopesWithConflict(db, { ...ids, now: parts.clock.now() });
      if (confirmed?.join(' ') === consented.join(' ')) return grant;
      if (confirmed === null) await grant.destroy();
      consented = confirmed;
    }
    return undefined;
  };
}

function fillGrant(grant: Grant, client: InstanceType<Provider['Client']>, consented: readonly string[]): void {
  const registered = listRegisteredScopes(client);
  const scopes = selectReleasedScopes(registered, consented);
  const reachable = new Set(listClaimsOfScopes(registered));
  delete grant.openid; // an existing grant may allow more than the current registration
  delete grant.rejected;
  grant.addOIDCScope([...scopes]);
  grant.addOIDCClaims(listClaimsOfScopes(scopes));
  delete grant.resources;
  for (const resource of listRegisteredResources(client))
    grant.addResourceScope(resource, listResourceScopes(scopes).join(' '));
  grant.rejectOIDCClaims(listClaimsOfScopes(supportedScopes).filter((claim) => !reachable.has(claim)));
}
