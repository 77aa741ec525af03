import { errors, Provider, type Adapter, type AdapterPayload } from 'oidc-provider';
import type { QueryCreator } from 'kysely';
import { addSeconds, type Clock } from '../../../platform/base/clock.ts';
import { secondsPerHour } from '../../../platform/base/fixed-periods.ts';
import { hashSecret } from '../../../platform/keys/random-secrets.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import type { DatabaseStore } from '../../../platform/database/open-store.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { buildLiveSessionCondition } from '../../sessions/broker-sessions.ts';
import { describeClientWeakness, toClientMetadata, requiresMutualTls } from '../clients/client-registration.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { ClientStore } from '../clients/client-store.ts';
import { buildOidcVaultPurpose } from '../../sessions/index.ts';

export interface OidcStorageAdapterDependencies {
  readonly store: DatabaseStore;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly clients: ClientStore;
  readonly config: Pick<Config, 'card' | 'loopback' | 'strictClients'>;
}

/**
 * Stores oidc-provider's models in one table, with hashed ids and encrypted payloads. `findByUid` finds a session only while its broker session is
 * live, so the end of the broker session immediately ends everything that depends on it.
 */
export function createOidcStorageAdapter(parts: OidcStorageAdapterDependencies): (model: string) => Adapter {
  return (model) => (model === 'Client' ? createClientAdapter(parts) : createRecordAdapter(model, parts));
}

/**
 * Time in seconds in which a refresh token can be used again, because two workers of a client may refresh at once. A later reuse may be a theft and
 * revokes the grant (RFC 9700, section 4.14.2).
 */
const refreshLeewayS = 10;

function createRecordAdapter(model: string, { store, vault, clock }: OidcStorageAdapterDependencies): Adapter {
  const { db } = store;
  const read = ({ payload, consumed_at }: { payload: string; consumed_at: Date | null }): AdapterPayload => {
    const stored = decryptOidcPayload(vault, model, payload);
    if (consumed_at === null || canRepeat(consumed_at)) return stored;
    return { ...stored, consumed: Math.floor(consumed_at.getTime() / 1000) };
  };
  const canRepeat = (consumedAt: Date) =>
    model === 'RefreshToken' && addSeconds(consumedAt, refreshLeewayS) > clock.now();
  const selectLive = () =>
    db
      .selectFrom('oidc_records')
      .select(['payload', 'consumed_at'])
      .where('model', '=', model)
      .where('expires_at', '>', clock.now());
  const obsolete = (query: QueryCreator<Database>) =>
    query.selectFrom('oidc_records').select('id').where('model', '=', model).forUpdate().skipLocked(); // skips locked rows, because waiting for a parallel request could cause a deadlock
  /**
   * Selects the records to delete when one is stored. A pushed request deletes expired ones, because the purge runs only hourly. A session deletes
   * other sessions with the same uid, which parallel requests have created.
   */
  const selectObsolete = (query: QueryCreator<Database>, id: string, { uid }: AdapterPayload) => {
    if (model === 'PushedAuthorizationRequest')
      return obsolete(query).where('expires_at', '<=', clock.now()).orderBy('expires_at').limit(100);
    return model === 'Session' && uid !== undefined
      ? obsolete(query).where('uid', '=', uid).where('id', '!=', hashSecret(id))
      : null;
  };
  /** Deletes a grant and everything issued from it. If a parallel request still stores a token, the token is useless without the grant. */
  const deleteGrant = async (grantId: string): Promise<void> => {
    await db
      .deleteFrom('oidc_records')
      .where((where) =>
        where.or([
          where('grant_id', '=', grantId),
          where.and([where('model', '=', 'Grant'), where('id', '=', hashSecret(grantId))]),
        ]),
      )
      .execute();
  };
  return {
    async upsert(id, payload, expiresIn = 0) {
      if (model === 'PushedAuthorizationRequest') rejectAnonymousPushedRequest();
      const row = {
        payload: vault.encrypt(buildOidcVaultPurpose(model), JSON.stringify(payload)),
        grant_id: payload.grantId ?? null,
        uid: payload.uid ?? null,
        account_id: payload.accountId ?? null,
        client_id: payload.clientId ?? null,
        expires_at: addSeconds(clock.now(), expiresIn),
      };
      const replaced = selectObsolete(db, id, payload);
      const query =
        replaced === null
          ? db
          : db.with('replaced', (own) =>
              own.deleteFrom('oidc_records').where('model', '=', model).where('id', 'in', replaced),
            );
      await query
        .insertInto('oidc_records')
        .values({ model, id: hashSecret(id), ...row, consumed_at: null })
        .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(row))
        .execute();
    },
    async find(id) {
      const row = await selectLive().where('id', '=', hashSecret(id)).executeTakeFirst();
      return row && read(row);
    },
    async findByUid(uid) {
      const row = await selectLive()
        .where('uid', '=', uid)
        .orderBy('expires_at', 'desc') // selects the record that was stored last: the next request deletes the others
        .where((where) =>
          where.exists(
            where
              .selectFrom('broker_sessions')
              .select('broker_sessions.id')
              .whereRef('broker_sessions.oidc_uid', '=', 'oidc_records.uid')
              .where(buildLiveSessionCondition(clock.now())),
          ),
        )
        .executeTakeFirst();
      return row && read(row);
    },
    async findByUserCode() {
      return undefined; // not called, because the device flow is disabled
    },
    async consume(id) {
      const used = await db
        .updateTable('oidc_records')
        .set({ consumed_at: clock.now() })
        .where('model', '=', model)
        .where('id', '=', hashSecret(id))
        .where('consumed_at', 'is', null)
        .returning('id')
        .executeTakeFirst();
      if (used) return;
      const member = await db
        .selectFrom('oidc_records')
        .select(['grant_id', 'consumed_at'])
        .where('model', '=', model)
        .where('id', '=', hashSecret(id))
        .executeTakeFirst();
      if (member?.consumed_at && canRepeat(member.consumed_at)) return;
      if (member?.grant_id != null) await deleteGrant(member.grant_id);
      throw new errors.InvalidGrant('already used'); // the first use may have been an attacker's, so its tokens are revoked as well
    },
    async destroy(id) {
      await db.deleteFrom('oidc_records').where('model', '=', model).where('id', '=', hashSecret(id)).execute();
    },
    revokeByGrantId: deleteGrant,
  };
}

/** Rejects clients without authentication before their request is stored, because anybody could fill the table. */
function rejectAnonymousPushedRequest(): void {
  const { oidc } = Provider.ctx ?? {};
  if (oidc?.route === 'pushed_authorization_request' && oidc.client?.clientAuthMethod === 'none')
    throw new errors.UnauthorizedClient('only clients that authenticate themselves may push requests');
}

/** Maximum validity of a JWT whose `jti` is recorded, in seconds. It limits the retention of the records. */
const longestProofS = 2 * secondsPerHour;

/** Records a `jti` atomically, unlike oidc-provider, which reads before it writes. Returns `false` if it has been recorded before. */
export function createJtiRecorder({
  store,
  vault,
  clock,
}: OidcStorageAdapterDependencies): (iss: string, jti: string, exp: number) => Promise<boolean> {
  return async (iss, jti, exp) => {
    rejectAnonymousPushedRequest();
    if (exp * 1000 > addSeconds(clock.now(), longestProofS).getTime())
      throw new errors.InvalidClientAuth('exp must be at most two hours from now');
    const recorded = await store.db
      .insertInto('oidc_records')
      .values({
        model: 'ReplayDetection',
        id: hashSecret(`${iss}\n${jti}`),
        payload: vault.encrypt(buildOidcVaultPurpose('ReplayDetection'), '{}'),
        expires_at: new Date(exp * 1000),
      })
      .onConflict((conflict) => conflict.columns(['model', 'id']).doNothing())
      .returning('id')
      .executeTakeFirst();
    return recorded !== undefined;
  };
}

export function decryptOidcPayload(vault: Vault, model: string, sealed: string): AdapterPayload {
  return JSON.parse(vault.decrypt(buildOidcVaultPurpose(model), sealed));
}

function createClientAdapter({ clients, clock, config }: OidcStorageAdapterDependencies): Adapter {
  const throwUnsupported = (): never => {
    throw new Error('the provider registers no clients');
  };
  return {
    async find(id) {
      const client = await clients.find(id);
      if (client === null) return undefined;
      if (config.strictClients && client.registration.profile !== 'fapi2') return undefined;
      if (!config.loopback && describeClientWeakness(client.registration) !== null) return undefined;
      // Without an origin that requests client certificates, this client could not prove possession of its certificate.
      if (config.card === null && requiresMutualTls(client)) return undefined;
      return toClientMetadata(client, clock.now());
    },
    upsert: throwUnsupported,
    findByUid: throwUnsupported,
    findByUserCode: throwUnsupported,
    consume: throwUnsupported,
    destroy: throwUnsupported,
    revokeByGrantId: throwUnsupported,
  };
}
