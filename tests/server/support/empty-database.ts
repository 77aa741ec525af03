import { cpSync, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { root } from '../../../src/cli/project.ts';

/**
 * Puts an embedded database without tables where a server with this data folder looks for its own, unless it has one: to make one
 * takes PGlite seconds, a copy does not. The tables are the server's to make.
 */
export async function placeEmptyDatabase(dataFolder: string): Promise<void> {
  const place = join(dataFolder, 'database');
  if (!existsSync(place)) cpSync(await emptyDatabase(), place, { recursive: true }); // `cp` takes four times as long
}

/** Made once for each version of PGlite; of processes that make it at the same time one wins. */
async function emptyDatabase(): Promise<string> {
  const { version } = JSON.parse(
    await readFile(join(root, 'node_modules/@electric-sql/pglite/package.json'), 'utf8'),
  ) as { version: string };
  const cache = join(root, 'node_modules/.cache/empty-database');
  const made = join(cache, version);
  if (existsSync(made)) return made;
  await mkdir(cache, { recursive: true });
  const making = await mkdtemp(join(cache, 'making-'));
  const database = await PGlite.create(making);
  await database.close();
  await rename(making, made).catch(() => rm(making, { recursive: true }));
  return made;
}
