import { readFile } from 'node:fs/promises';
import { isObject } from '../../../../engine/core/json.ts';
import { randomSecret } from '../../../platform/keys/secrets.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import { StartError } from '../../../platform/base/errors.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { forgetApplication } from './consents.ts';
import { demoClient } from './demo-client.ts';
import {
  describeRequirement,
  isClientId,
  readRegistration,
  RegistrationError,
  type ClientRegistration,
  type CheckClient,
  type RegisteredClient,
} from './client-registration.ts';
import { clientPurpose } from '../tables.ts';

/** The registered clients: those of CLIENTS_FILE, and those added to the database from the command line. */
export interface Clients {
  find(id: string): Promise<RegisteredClient | null>;
  list(): Promise<readonly ClientRegistration[]>;
  /** Adds a client or replaces the one with the same id. Returns its new secret, or `null` if it has keys or is public. Throws a `RegistrationError`. */
  add(registration: ClientRegistration, kind: 'confidential' | 'public', now: Date): Promise<string | null>;
  /** Removes a client from the database, with its consents and tokens. Returns `false` if there is none. */
  remove(id: string): Promise<boolean>;
}

/** The clients in `fixed` take precedence over those in the database. */
export function createClients(
  store: Store,
  vault: Vault,
  fixed: readonly RegisteredClient[],
  check: CheckClient,
): Clients {
  const read = (json: string): ClientRegistration => ({ scopes: [], ...JSON.parse(json) }); // validated when it was added, perhaps by an older version
  return {
    async find(id) {
      if (!isClientId(id)) return null; // ids come from requests and may contain anything
      const known = fixed.find(({ registration }) => registration.id === id);
      if (known) return known;
      const row = await store.db
        .selectFrom('clients')
        .select(['registration', 'secret'])
        .where('id', '=', id)
        .executeTakeFirst();
      return row
        ? {
            registration: read(row.registration),
            secret: row.secret === null ? null : vault.open(clientPurpose, row.secret),
          }
        : null;
    },
    async list() {
      const rows = await store.db.selectFrom('clients').select('registration').orderBy('id').execute();
      return [...fixed.map(({ registration }) => registration), ...rows.map((row) => read(row.registration))];
    },
    async add(registration, kind, now) {
      if (kind === 'public' && registration.tokenEndpointAuthMethod !== undefined)
        throw new RegistrationError('a public client has no tokenEndpointAuthMethod');
      const hasSecret = kind === 'confidential' && registration.tokenEndpointAuthMethod === undefined;
      const secret = hasSecret ? randomSecret() : null;
      await check({ registration: readRegistration(registration), secret });
      const row = {
        registration: JSON.stringify(registration),
        secret: secret === null ? null : vault.seal(clientPurpose, secret),
      };
      await store.db
        .insertInto('clients')
        .values({ id: registration.id, ...row, created_at: now })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute();
      return secret;
    },
    async remove(id) {
      return store.transaction(async (tx) => {
        const removed = await tx.deleteFrom('clients').where('id', '=', id).returning('id').executeTakeFirst();
        if (removed !== undefined) await forgetApplication(tx, id);
        return removed !== undefined;
      });
    },
  };
}

/** Reads the clients of CLIENTS_FILE, and adds the demo client if sample data is enabled. Throws a `StartError` that lists every invalid client. */
export async function fixedClients(
  file: string | null,
  sampleData: boolean,
  check: CheckClient,
): Promise<readonly RegisteredClient[]> {
  const own = file === null ? [] : await readClientsFile(file, check);
  const isMoved = own.some(({ registration }) => registration.id === demoClient.registration.id);
  return sampleData && !isMoved ? [...own, demoClient] : own;
}

export function assertOnce(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${twice} stands there twice`);
}

async function readClientsFile(file: string, check: CheckClient): Promise<readonly RegisteredClient[]> {
  try {
    const list: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (!Array.isArray(list)) throw new Error('it must hold a list');
    const read = await Promise.allSettled(list.map((entry: unknown) => readClient(entry, check)));
    const problems = read.flatMap((result, index) => {
      if (result.status === 'fulfilled') return [];
      const entry: unknown = list[index];
      const name = isObject(entry) && typeof entry['id'] === 'string' ? entry['id'] : `client ${index + 1}`;
      return [`${name}: ${formatError(result.reason)}`];
    });
    if (problems.length > 0) throw new Error(problems.join('. '));
    const clients = read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    assertOnce(clients.map(({ registration }) => registration.id));
    return clients;
  } catch (cause) {
    throw new StartError(`The clients of CLIENTS_FILE (${file}) cannot be used: ${formatError(cause)}`, { cause });
  }
}

async function readClient(entry: unknown, check: CheckClient): Promise<RegisteredClient> {
  if (!isObject(entry)) throw new Error('each client must be an object');
  const { secret, ...registration } = entry;
  if (secret !== undefined && (typeof secret !== 'string' || !/^[ -~]{16,}$/.test(secret)))
    throw new Error(`secret ${describeRequirement('secret')}`);
  const client = { registration: readRegistration(registration), secret: secret ?? null };
  if (client.secret !== null && client.registration.tokenEndpointAuthMethod !== undefined)
    throw new Error('secret and tokenEndpointAuthMethod exclude each other');
  await check(client);
  return client;
}

function formatError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
