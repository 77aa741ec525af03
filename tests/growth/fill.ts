import { hash } from '@node-rs/argon2';
import { readConfig } from '../../src/server/platform/config/read-config.ts';
import { loadKeys } from '../../src/server/platform/keys/load-keys.ts';
import { createVault } from '../../src/server/platform/keys/vault.ts';
import { fillDatabase, type FilledTable } from './fill-database.ts';

/** The password of every citizen of a filled database. */
export const password = 'una-frase-bastante-larga';

/** Fills the database of these settings, under their keys, as its servers will read it. */
export async function fillBySettings(
  env: Readonly<Record<string, string>>,
  { said, ...country }: { citizens: number; seed: number; auditRows?: number; said?: (filled: FilledTable) => void },
): Promise<void> {
  const { keys: settings, databaseUrl } = readConfig(env);
  if (databaseUrl === null) throw new Error('DATABASE_URL names no PostgreSQL.');
  const { encryption, audit } = await loadKeys(settings);
  const now = new Date();
  await fillDatabase({
    url: databaseUrl,
    ...country,
    now,
    passwordHash: await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }),
    vault: createVault(
      () => encryption,
      () => now,
    ),
    auditKey: audit[0],
    ...(said && { said }),
  });
}
