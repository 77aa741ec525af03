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
 * The grant of a request, made or brought up to date from the consent that the citizen gave: the consent lasts, a grant
 * belongs to one session. Undefined without a consent, which the prompt then asks for. Claims beyond the registration are rejected: they
 * are neither asked for nor released.
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
    delete grant.openid; // a grant that is kept may be older than the registration
    delete grant.rejected;
    grant.addOIDCScope([...scopes]);
    grant.addOIDCClaims(claimsOf(scopes));
    grant.rejectOIDCClaims(claimsOf(scopeNames).filter((claim) => !reachable.has(claim)));
    await grant.save();
    return grant;
  };
}
