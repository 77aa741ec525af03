import type Provider from 'oidc-provider';

/** The provider's client, with the method that its types leave out. */
type Client = InstanceType<Provider['Client']> & { backchannelLogout(accountId: string, sid: string): Promise<void> };

/** An application that a session signed in to. */
export interface SessionClient {
  readonly client: Client;
  /** The session's name for this application. */
  readonly sid: string;
}

/** The applications of a session of the provider. */
export async function sessionClients(provider: Provider, oidcUid: string | null): Promise<{ accountId: string; clients: readonly SessionClient[] }> {
  const session = oidcUid === null ? undefined : await provider.Session.findByUid(oidcUid);
  const entries = Object.entries(session?.authorizations ?? {});
  const found = await Promise.all(entries.map(async ([id, { sid }]) => ({ client: await provider.Client.find(id), sid })));
  return {
    accountId: session?.accountId ?? '',
    clients: found.flatMap(({ client, sid }) => (client && sid !== undefined ? [{ client: client as Client, sid }] : [])),
  };
}

/** The address that tells an application in a hidden frame that the session ended; null without one. */
export function frontchannelUrl({ client, sid }: SessionClient, issuer: string): string | null {
  const uri = client['frontchannel_logout_uri'];
  if (typeof uri !== 'string') return null;
  const url = new URL(uri);
  url.searchParams.set('iss', issuer);
  url.searchParams.set('sid', sid);
  return url.href;
}
