import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { projectRoot } from '../../../src/cli/project.ts';
import { openDatabaseStore, type DatabaseLocation } from '../../../src/server/platform/database/open-store.ts';

const source = join(projectRoot, 'src/server/platform/database');

/** Returns a hash of the migrations. It separates cached tables of different versions. */
export function hashMigrations(): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' }).sort())
    if (file.endsWith('.ts')) hash.update(file).update(readFileSync(join(source, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Migrates an empty database, as the server does. */
export async function migrateTables(location: DatabaseLocation): Promise<void> {
  await (await openDatabaseStore(location, pino({ level: 'silent' }))).close();
}

/**
 * Copies an embedded database with empty tables to a data folder. Does nothing if the folder has a database. Copying
 * saves the seconds that PGlite takes to create one.
 */
export async function placeDatabase(dataFolder: string): Promise<void> {
  const place = join(dataFolder, 'database');
  if (!existsSync(place)) cpSync(await findEmbeddedTables(), place, { recursive: true }); // copies synchronously, because the asynchronous `cp` takes four times as long
}

/**
 * Returns an embedded database with empty tables. It is cached for the versions of PGlite and of the tables. If several
 * processes create it concurrently, the first one wins.
 */
async function findEmbeddedTables(): Promise<string> {
  const { version } = JSON.parse(
    await readFile(join(projectRoot, 'node_modules/@electric-sql/pglite/package.json'), 'utf8'),
  ) as { version: string };
  const cache = join(projectRoot, 'node_modules/.cache/tables');
  const made = join(cache, `${version}-${hashMigrations()}`);
  if (existsSync(made)) return made;
  await mkdir(cache, { recursive: true });
  const making = await mkdtemp(join(cache, 'making-'));
  await migrateTables({ folder: making });
  await rename(join(making, 'database'), made).catch(() => undefined);
  await rm(making, { recursive: true });
  return made;
}
