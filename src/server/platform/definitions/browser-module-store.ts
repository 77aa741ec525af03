import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ServedModule } from '../../../engine/compiler/definitions.ts';
import { isModuleUrl, matchesContentHash } from '../../../engine/compiler/screen/module-url.ts';
import { addSeconds, type Clock } from '../base/clock.ts';
import type { DatabaseStore } from '../database/open-store.ts';
import type { Database } from '../database/schema.ts';
import type { Vault } from '../keys/vault.ts';

/**
 * Compiled modules, and scripts and styles of the build, by URL. Every replica can serve the files of a page that another replica rendered, even
 * after a restart or if the replicas run different builds.
 */
export interface BrowserModuleStore {
  /** Stores the modules that are not stored yet, and marks all of them as in use. */
  storeModules(modules: readonly ServedModule[]): Promise<void>;
  storeBuild(folder: string): Promise<void>;
  /** Returns `null` if no replica has served the module recently. */
  findSource(url: string): Promise<string | null>;
}

type ModuleRow = Omit<Database['definition_modules'], 'used_at'>;

/** Minimum pause between two reads of the list. It limits the queries that requests for invented URLs cause. */
const minListIntervalMs = 250;

const builtPattern = /^\/assets\/[\w.-]{1,200}\.(js|css)$/;

export function createBrowserModuleStore(
  { db }: Pick<DatabaseStore, 'db'>,
  parts: {
    readonly clock: Clock;
    readonly log: Logger;
    readonly vault: Pick<Vault, 'computeDigest' | 'matchesDigest'>;
  },
): BrowserModuleStore {
  const { clock, log, vault } = parts;
  let listed: ReadonlySet<string> = new Set();
  let next: Promise<void> | null = null;
  let last = Promise.resolve();

  /** Reloads the list of URLs. Callers share a query that has not started yet, so the list is never older than the call. */
  const reloadUrls = (): Promise<void> => {
    if (next !== null) return next;
    const reading = last.then(async () => {
      next = null;
      listed = new Set((await db.selectFrom('definition_modules').select('url').execute()).map(({ url }) => url));
    });
    next = reading;
    last = reading.catch(() => undefined).then(() => wait(minListIntervalMs, undefined, { ref: false }));
    return reading;
  };

  /**
   * Purpose and text of a file's digest. An attacker with write access to the database cannot compute the digest, and therefore cannot inject a script
   * into a page.
   */
  const coveredText = (url: string, source: string) => ['asset', `${url}\n${source}`] as const;

  /** Stores the missing sources, and renews the time of use of all `urls`. */
  const storeMissing = async (urls: readonly string[], rowOf: (url: string) => Promise<ModuleRow>): Promise<void> => {
    if (urls.length === 0) return;
    const used_at = clock.now();
    const known = await db
      .selectFrom('definition_modules')
      .select(['url', 'used_at'])
      .where('url', 'in', urls)
      .execute();
    const stored = new Set(known.map(({ url }) => url));
    // Sorted, so that replicas that start at the same time do not deadlock.
    const missing = urls.filter((url) => !stored.has(url)).sort();
    if (missing.length > 0)
      await db
        .insertInto('definition_modules')
        .values((await Promise.all(missing.map(rowOf))).map((row) => ({ ...row, used_at })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    const old = known.filter((row) => row.used_at < addSeconds(used_at, -15 * 60)).map(({ url }) => url);
    if (old.length === 0) return;
    await db
      .updateTable('definition_modules')
      .set({ used_at })
      .where('url', 'in', (rows) =>
        // Excludes rows that another replica is renewing.
        rows.selectFrom('definition_modules').select('url').where('url', 'in', old).forUpdate().skipLocked(),
      )
      .execute();
  };

  return {
    storeModules(modules) {
      const sources = new Map(modules.map(({ url, source }) => [url, source]));
      return storeMissing([...sources.keys()], async (url) => ({ url, source: sources.get(url) ?? '', digest: null }));
    },
    async storeBuild(folder) {
      const urls = (await readdir(join(folder, 'assets'))).map((name) => `/assets/${name}`);
      await storeMissing(
        urls.filter((url) => builtPattern.test(url)),
        async (url) => {
          const source = await readFile(join(folder, url), 'utf8');
          return { url, source, digest: vault.computeDigest(...coveredText(url, source)) };
        },
      );
    },
    async findSource(url) {
      const isBuilt = builtPattern.test(url);
      if (!isBuilt && !isModuleUrl(url)) return null;
      if (!listed.has(url)) await reloadUrls();
      if (!listed.has(url)) return null;
      const row = await db
        .selectFrom('definition_modules')
        .select(['source', 'digest'])
        .where('url', '=', url)
        .executeTakeFirst();
      if (row === undefined) return null;
      const { source, digest } = row;
      if (isBuilt ? vault.matchesDigest(...coveredText(url, source), digest ?? '') : matchesContentHash(url, source))
        return source;
      log.error({ url }, 'a stored module is not what its address says: it is not served');
      return null;
    },
  };
}
