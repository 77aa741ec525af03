import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ServedModule } from '../../../engine/compiler/definitions.ts';
import { isModuleAddress, isModuleAt } from '../../../engine/compiler/screen/module-address.ts';
import { after, type Clock } from '../base/clock.ts';
import type { Store } from '../database/open-store.ts';

/**
 * The compiled modules that replicas serve, and those that they served lately, by their addresses: a page that one replica made finds its modules at
 * every other, whatever that one has compiled, and after a restart.
 */
export interface Modules {
  /** Stores what is missing, and says that all of them are in use. */
  keep(modules: readonly ServedModule[]): Promise<void>;
  /** The text of a module; null: no server of ours has put it in service lately. */
  find(url: string): Promise<string | null>;
}

/** Least time between two readings of the list of modules, in milliseconds: whoever thinks of addresses costs no more queries than that. */
const listMs = 250;

/** Age in seconds of a time of use that is renewed. */
const renewedAfterS = 15 * 60;

/** Opens the table of modules. */
export function createModules({ db }: Pick<Store, 'db'>, clock: Clock, log: Logger): Modules {
  let listed: ReadonlySet<string> = new Set();
  let next: Promise<void> | null = null;
  let last = Promise.resolve();

  /** Reads the list once more; who asks while a reading waits shares it. The answer is never older than the question. */
  const list = (): Promise<void> => {
    if (next !== null) return next;
    const reading = last.then(async () => {
      next = null;
      listed = new Set((await db.selectFrom('definition_modules').select('url').execute()).map(({ url }) => url));
    });
    next = reading;
    last = reading.catch(() => undefined).then(() => wait(listMs, undefined, { ref: false }));
    return reading;
  };

  return {
    async keep(modules) {
      const urls = modules.map(({ url }) => url);
      if (urls.length === 0) return;
      const used_at = clock.now();
      const known = await db
        .selectFrom('definition_modules')
        .select(['url', 'used_at'])
        .where('url', 'in', urls)
        .execute();
      const stored = new Set(known.map(({ url }) => url));
      // in one order: replicas that start at once would wait for each other
      const missing = modules
        .filter(({ url }) => !stored.has(url))
        .sort((one, other) => (one.url < other.url ? -1 : 1));
      if (missing.length > 0)
        await db
          .insertInto('definition_modules')
          .values(missing.map(({ url, source }) => ({ url, source, used_at })))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      const old = known.filter((row) => row.used_at < after(used_at, -renewedAfterS)).map(({ url }) => url);
      if (old.length === 0) return;
      await db
        .updateTable('definition_modules')
        .set({ used_at })
        .where('url', 'in', (rows) =>
          // what another replica is renewing is not waited for
          rows.selectFrom('definition_modules').select('url').where('url', 'in', old).forUpdate().skipLocked(),
        )
        .execute();
    },
    async find(url) {
      if (!isModuleAddress(url)) return null;
      if (!listed.has(url)) await list();
      if (!listed.has(url)) return null;
      const row = await db.selectFrom('definition_modules').select('source').where('url', '=', url).executeTakeFirst();
      if (row === undefined) return null;
      if (isModuleAt(url, row.source)) return row.source;
      log.error({ url }, 'a stored module is not what its address says: it is not served');
      return null;
    },
  };
}
