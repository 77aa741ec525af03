import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createVault, type Vault } from '../../../src/server/platform/keys/vault.ts';
import { openDatabaseStore, type DatabaseStore } from '../../../src/server/platform/database/open-store.ts';
import { createCitizenRow } from './citizen-data.ts';
import type { DatabaseName } from './databases.ts';
import { placeDatabase } from './tables.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { startPostgres } from './postgres.ts';
import { parseEncryptionKeys } from '../../../src/server/platform/keys/encryption-keys.ts';

/** Store, clock and vault without an HTTP server, for tests of modules that use the database directly. */
export interface TestStore {
  readonly store: DatabaseStore;
  readonly clock: FakeClock;
  readonly vault: Vault;
  /** Inserts a citizen with minimal data. Returns the id of the account. */
  citizen(): Promise<string>;
  close(): Promise<void>;
}

/** Opens a new database with tables, one country and no citizens. */
export async function openTestStore(database: DatabaseName): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-store-'));
  const postgres = database === 'postgresql' ? await startPostgres({ tables: true }) : null;
  if (!postgres) await placeDatabase(folder);
  const store = await openDatabaseStore(
    postgres ? { url: postgres.url, pool: 10 } : { folder },
    pino({ level: 'silent' }),
  );
  const clock = createFakeClock();
  const home = { country: 'ar', type: 'psp' };
  await store.db.insertInto('countries').values({ code: home.country, name: 'Argentina', position: 1 }).execute();
  await store.db.insertInto('document_types').values({ code: home.type, name: 'Pasaporte' }).execute();
  await store.db
    .insertInto('country_documents')
    .values({ ...home, position: 1 })
    .execute();
  return {
    store,
    clock,
    vault: createVault(() => parseEncryptionKeys(Buffer.alloc(32, 7).toString('base64')), clock),
    async citizen() {
      const id = randomUUID();
      await store.db
        .insertInto('citizens')
        .values(
          createCitizenRow({ ...home, id, number: id.replaceAll('-', '').toUpperCase(), created_at: clock.now() }),
        )
        .execute();
      return id;
    },
    async close() {
      await store.close();
      await postgres?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
