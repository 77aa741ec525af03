import { deleteApplicationRecords } from './scopes.ts';
import {
  type RegisteredClient,
  registrationFieldRequirements,
  isClientId,
  validateClientRegistration,
  ClientRegistrationError,
  type ClientRegistration,
  type ValidateClientMetadata,
} from './client-registration.ts';
import { readFile } from 'node:fs/promises';
import { isObject } from '../../../../engine/core/json.ts';
import { generateSecret } from '../../../platform/keys/random-secrets.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import { describeError, readSettingFile } from '../../../platform/base/errors.ts';
import type { DatabaseStore } from '../../../platform/database/open-store.ts';
import { clientSecretVaultPurpose } from '../tables.ts';

export type ClientStore = ReturnType<typeof createClientStore>;

/** The clients of CLIENTS_FILE (`fixed`) take precedence over those in the database. */
export function createClientStore(
  store: DatabaseStore,
  vault: Vault,
  fixed: readonly RegisteredClient[],
  check: ValidateClientMetadata,
) {
  const read = (json: string): ClientRegistration => ({ scopes: [], ...JSON.parse(json) }); // the JSON was validated when the client was added, possibly by an older version
  return {
    async find(id: string): Promise<RegisteredClient | null> {
      if (!isClientId(id)) return null; // the id may be any text from a request
      const known = fixed.find(({ registration }) => registration.id === id);
      if (known) return known;
      const row = await store.db
        .selectFrom('clients')
        .select(['registration', 'secret'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (!row) return null;
      const secret = row.secret === null ? null : vault.decrypt(clientSecretVaultPurpose, row.secret);
      return { registration: read(row.registration), secret };
    },
    async list(): Promise<readonly ClientRegistration[]> {
      const rows = await store.db.selectFrom('clients').select('registration').orderBy('id').execute();
      return [...fixed.map(({ registration }) => registration), ...rows.map((row) => read(row.registration))];
    },
    /** Returns the new secret, or `null` if the client has keys or is public. Throws a `ClientRegistrationError`. */
    async add(registration: ClientRegistration, kind: 'confidential' | 'public', now: Date): Promise<string | null> {
      if (kind === 'public' && registration.tokenEndpointAuthMethod !== undefined)
        throw new ClientRegistrationError('a public client has no tokenEndpointAuthMethod');
      const hasSecret = kind === 'confidential' && registration.tokenEndpointAuthMethod === undefined;
      const secret = hasSecret ? generateSecret() : null;
      await check({ registration: validateClientRegistration(registration), secret });
      const row = {
        registration: JSON.stringify(registration),
        secret: secret === null ? null : vault.encrypt(clientSecretVaultPurpose, secret),
      };
      await store.db
        .insertInto('clients')
        .values({ id: registration.id, ...row, created_at: now })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute();
      return secret;
    },
    remove: (id: string): Promise<boolean> =>
      store.transaction(async (tx) => {
        const removed = await tx.deleteFrom('clients').where('id', '=', id).returning('id').executeTakeFirst();
        if (removed !== undefined) await deleteApplicationRecords(tx, id);
        return removed !== undefined;
      }),
  };
}

/** Adds the sample clients that CLIENTS_FILE does not register itself. Throws a `StartError` that lists every invalid client. */
export async function loadFixedClients(
  file: string | null,
  samples: readonly RegisteredClient[],
  check: ValidateClientMetadata,
): Promise<readonly RegisteredClient[]> {
  const own = file === null ? [] : await readClientsFile(file, check);
  const ids = new Set(own.map(({ registration }) => registration.id));
  return [...own, ...samples.filter(({ registration }) => !ids.has(registration.id))];
}

export function assertUniqueNames(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${twice} stands there twice`);
}

function readClientsFile(file: string, check: ValidateClientMetadata): Promise<readonly RegisteredClient[]> {
  return readSettingFile(`The clients of CLIENTS_FILE (${file})`, async () => {
    const list: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (!Array.isArray(list)) throw new Error('it must hold a list');
    const read = await Promise.allSettled(list.map((entry: unknown) => readClient(entry, check)));
    const problems = read.flatMap((result, index) => {
      if (result.status === 'fulfilled') return [];
      const entry: unknown = list[index];
      const name = isObject(entry) && typeof entry['id'] === 'string' ? entry['id'] : `client ${index + 1}`;
      return [`${name}: ${describeError(result.reason)}`];
    });
    if (problems.length > 0) throw new Error(problems.join('. '));
    const clients = read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    assertUniqueNames(clients.map(({ registration }) => registration.id));
    return clients;
  });
}

async function readClient(entry: unknown, check: ValidateClientMetadata): Promise<RegisteredClient> {
  if (!isObject(entry)) throw new Error('each client must be an object');
  const { secret, ...registration } = entry;
  if (secret !== undefined && (typeof secret !== 'string' || !/^[ -~]{16,}$/.test(secret)))
    throw new Error(`secret ${registrationFieldRequirements['secret']}`);
  const client = { registration: validateClientRegistration(registration), secret: secret ?? null };
  if (client.secret !== null && client.registration.tokenEndpointAuthMethod !== undefined)
    throw new Error('secret and tokenEndpointAuthMethod exclude each other');
  await check(client);
  return client;
}
