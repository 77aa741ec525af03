import type { KoaContextWithOIDC } from 'oidc-provider';
import type Provider from 'oidc-provider';
import type { Kysely } from 'kysely';
import type { Database } from '../../../platform/database/schema.ts';
import { consentedScopes } from '../clients/consents.ts';
import { claimsOf } from '../clients/scopes.ts';

type Grant = InstanceType<Provider['Grant']>;

/**
 * The grant of a request, made or brought up to date from the consent that the citizen gave: the consent lasts, a grant
 * belongs to one session. Undefined without a consent, which the prompt then asks for.
 */
export function grantLoader(db: Kysely<Database>): (ctx: KoaContextWithOIDC) => Promise<Grant | undefined> {
  return async ({ oidc }) => {
    const { client, account, session, provider } = oidc;
    if (!client || !account) return undefined;
    const scopes = await consentedScopes(db, account.accountId, client.clientId);
    if (scopes === null) return undefined;
    const id = session?.grantIdFor(client.clientId);
    const known = id === undefined ? undefined : await provider.Grant.find(id);
    const grant = known ?? new provider.Grant({ accountId: account.accountId, clientId: client.clientId });
    grant.addOIDCScope([...scopes]);
    grant.addOIDCClaims(claimsOf(scopes));
    await grant.save();
    return grant;
  };
}
