import type Provider from 'oidc-provider';
import { isObject } from '../../../../engine/core/json.ts';
import { hashSecret } from '../../../platform/keys/secrets.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import type { Tx } from '../../../platform/database/open-store.ts';
import { endedPayloads } from '../../sessions/session-ends.ts';
import type { EndedSession } from '../../sessions/revoke-sessions.ts';
import { openPayload } from './adapter.ts';

type Client = InstanceType<Provider['Client']> & { backchannelLogout(accountId: string, sid: string): Promise<void> };

/** A client that the citizen signed in to during a session. */
export interface SessionClient {
  readonly client: Client;
  /** Session id that this client knows. */
  readonly sid: string;
  readonly accountId: string;
}

/** Clients that the citizen signed in to during a session of oidc-provider. */
export interface SessionApplications {
  readonly accountId: string;
  readonly applications: readonly {
    readonly clientId: string;
    readonly sid: string | null;
    readonly grantId: string | null;
  }[];
}

export async function sessionApplications(provider: Provider, oidcUid: string | null): Promise<SessionApplications> {
  const session = oidcUid === null ? undefined : await provider.Session.findByUid(oidcUid);
  return readApplications(session ?? {});
}

export async function endedApplications(
  tx: Tx,
  vault: Vault,
  ended: readonly Pick<EndedSession, 'id'>[],
): Promise<readonly SessionApplications[]> {
  const payloads = await endedPayloads(
    tx,
    ended.map(({ id }) => id),
  );
  return payloads.map((payload) => openApplications(vault, payload));
}

export function openApplications(vault: Vault, payload: string): SessionApplications {
  return readApplications(openPayload(vault, 'Session', payload));
}

/** Revokes the grants of sessions, including refresh tokens that would otherwise outlive them. */
export async function endGrants(tx: Tx, sessions: readonly SessionApplications[]): Promise<void> {
  const grants = sessions.flatMap(({ applications }) => applications.flatMap(({ grantId }) => grantId ?? []));
  if (grants.length === 0) return;
  await tx.deleteFrom('oidc_records').where('grant_id', 'in', grants).execute();
  await tx.deleteFrom('oidc_records').where('model', '=', 'Grant').where('id', 'in', grants.map(hashSecret)).execute();
}

/** Clients of the sessions that are still registered and know the session by a `sid`. */
export async function listClients(
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

/** Returns `null` if the client has no front-channel logout URI. */
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
