import type Provider from 'oidc-provider';
import { isObject } from '../../../../engine/core/json.ts';
import { hashSecret } from '../../../platform/keys/secrets.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import type { Tx } from '../../../platform/database/open-store.ts';
import { openPayload } from './adapter.ts';

/** The provider's client, with the method that its types leave out. */
type Client = InstanceType<Provider['Client']> & { backchannelLogout(accountId: string, sid: string): Promise<void> };

/** An application that a session signed in to. */
export interface SessionClient {
  readonly client: Client;
  /** The session's name for this application. */
  readonly sid: string;
  /** The citizen of the session. */
  readonly accountId: string;
}

/** What a session of the provider knew of its applications. */
export interface SessionApplications {
  readonly accountId: string;
  readonly applications: readonly {
    readonly clientId: string;
    readonly sid: string | null;
    readonly grantId: string | null;
  }[];
}

/** The applications of a live session of the provider. */
export async function sessionApplications(provider: Provider, oidcUid: string | null): Promise<SessionApplications> {
  const session = oidcUid === null ? undefined : await provider.Session.findByUid(oidcUid);
  return readApplications(session ?? {});
}

/** Deletes sessions of the provider in the command that ends the broker sessions under them; answers whom they must be told to. */
export async function takeApplications(
  tx: Tx,
  vault: Vault,
  uids: readonly (string | null)[],
): Promise<readonly SessionApplications[]> {
  const known = uids.filter((uid) => uid !== null);
  if (known.length === 0) return [];
  const rows = await tx
    .deleteFrom('oidc_records')
    .where('model', '=', 'Session')
    .where('uid', 'in', known)
    .returning('payload')
    .execute();
  return rows.map(({ payload }) => readApplications(openPayload(vault, 'Session', payload)));
}

/** Ends what applications got in sessions, refresh tokens that would outlive them included. */
export async function endGrants(tx: Tx, sessions: readonly SessionApplications[]): Promise<void> {
  const grants = sessions.flatMap(({ applications }) => applications.flatMap(({ grantId }) => grantId ?? []));
  if (grants.length === 0) return;
  await tx.deleteFrom('oidc_records').where('grant_id', 'in', grants).execute();
  await tx.deleteFrom('oidc_records').where('model', '=', 'Grant').where('id', 'in', grants.map(hashSecret)).execute();
}

/** The registered clients of sessions that know the session by a name. */
export async function clientsOf(
  provider: Provider,
  sessions: readonly SessionApplications[],
): Promise<readonly SessionClient[]> {
  const named = sessions.flatMap(({ accountId, applications }) =>
    applications.flatMap(({ clientId, sid }) => (sid === null ? [] : [{ accountId, clientId, sid }])),
  );
  const found = await Promise.all(
    named.map(async ({ accountId, clientId, sid }) => ({
      client: await provider.Client.find(clientId),
      sid,
      accountId,
    })),
  );
  return found.flatMap(({ client, ...rest }) => (client ? [{ client: client as Client, ...rest }] : []));
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

function readApplications({
  accountId,
  authorizations,
}: {
  readonly accountId?: unknown;
  readonly authorizations?: unknown;
}): SessionApplications {
  const entries = isObject(authorizations) ? Object.entries(authorizations) : [];
  return {
    accountId: textOrNull(accountId) ?? '',
    applications: entries.flatMap(([clientId, known]) =>
      isObject(known) ? [{ clientId, sid: textOrNull(known.sid), grantId: textOrNull(known.grantId) }] : [],
    ),
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
