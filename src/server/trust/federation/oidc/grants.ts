import type { KoaContextWithOIDC } from 'oidc-provider';
import type Provider from 'oidc-provider';
import type { Kysely } from 'kysely';
import type { Database } from '../../../platform/database/schema.ts';
import { consentedScopes } from '../clients/consents.ts';
import { registeredScopes } from '../clients/client-metadata.ts';
import { releasedScopes } from '../clients/release.ts';
import { claimsOf, scopeNames } from '../clients/scopes.ts';

type Grant = InstanceType<Provider['Grant']>;

/**
 * Creates or updates the grant of a request from the citizen's consent: a consent is permanent, a grant belongs to one session. Returns `undefined`
 * without a consent, so that oidc-provider prompts for it. Rejects claims beyond the registration: they are neither prompted for nor released.
 */
export function grantLoader(db: Kysely<Database>): (ctx: KoaContextWithOIDC) => Promise<Grant | undefined> {
  return async ({ oidc }) => {
    const { client, account, session, provider } = oidc;
    if (!client || !account) return undefined;
    const consented = await consentedScopes(db, account.accountId, client.clientId);
    if (consented === null) return undefined;
    const registered = registeredScopes(client);
    const scopes = releasedScopes(registered, consented);
    const reachable = new Set(claimsOf(registered));
    const id = session?.grantIdFor(client.clientId);
    const known = id === undefined ? undefined : await provider.Grant.find(id);
    const grant = known ?? new provider.Grant({ accountId: account.accountId, clientId: client.clientId });
    delete grant.openid; // an existing grant may be older than the registration
    delete grant.rejected;
    grant.addOIDCScope([...scopes]);
    grant.addOIDCClaims(claimsOf(scopes));
    grant.rejectOIDCClaims(claimsOf(scopeNames).filter((claim) => !reachable.has(claim)));
    await grant.save();
    return grant;
  };
}
