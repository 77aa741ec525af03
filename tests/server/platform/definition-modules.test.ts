import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildModuleUrl } from '../../../src/engine/compiler/screen/module-url.ts';
import { purgeExpiredData } from '../../../src/server/app/purge-expired-data.ts';
import { createBrowserModuleStore } from '../../../src/server/platform/definitions/browser-module-store.ts';
import type { DatabaseStore } from '../../../src/server/platform/database/open-store.ts';
import { bothDatabases } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const moduleOf = (text: string) => {
  const source = `export const text = ${JSON.stringify(text)};\n`;
  return { url: buildModuleUrl('form.es', source), source };
};

/** Wraps a database so that its SELECT queries are counted. */
function countQueries({ db }: DatabaseStore): { db: DatabaseStore['db']; queryCount: () => number } {
  let queryCount = 0;
  const counting = new Proxy(db, {
    get(target, name) {
      if (name === 'selectFrom') queryCount += 1;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { db: counting, queryCount: () => queryCount };
}

describe.each(bothDatabases)('[OPER-03] module store on %s', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ database });
  });
  afterAll(() => server.close());
  const dependencies = () => ({ clock: server.clock, log: pino({ level: 'silent' }), vault: server.parts.vault });
  /** Creates the module store of another replica, or of the same replica after a restart. */
  const another = () => createBrowserModuleStore(server.parts.store, dependencies());

  test('finds a module on all replicas as soon as one of them has stored it', async () => {
    const [first, second] = [moduleOf('uno'), moduleOf('dos')];
    const replica = another();
    expect(await replica.findSource(first.url)).toBeNull();
    await server.parts.modules.storeModules([first]);
    expect(await replica.findSource(first.url)).toBe(first.source);
    await server.parts.modules.storeModules([first, second]);
    expect(await replica.findSource(second.url)).toBe(second.source);
  });

  test('serves an outdated module for a day and then purges it, but never a current one', async () => {
    const [old, current] = [moduleOf('de ayer'), moduleOf('de hoy')];
    await server.parts.modules.storeModules([old, current]);
    server.clock.advance(24 * 60 * 60);
    await purgeExpiredData(server.parts, server.clock.now());
    expect(await another().findSource(old.url)).toBe(old.source);
    await server.parts.modules.storeModules([current]);
    server.clock.advance(60 * 60 + 1);
    await purgeExpiredData(server.parts, server.clock.now());
    expect(await another().findSource(old.url)).toBeNull();
    expect(await another().findSource(current.url)).toBe(current.source);
  });

  test('does not serve a module whose text differs from the hash in its URL', async () => {
    const { url, source } = moduleOf('nuestro');
    await server.parts.modules.storeModules([{ url, source: source.replace('nuestro', 'ajeno') }]);
    expect(await another().findSource(url)).toBeNull();
  });

  test('serves scripts and styles of another build, but none that were changed or added in the database', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'build-'));
    await mkdir(join(folder, 'assets'));
    const files = {
      'base-BzZ9_-a1.js': 'export default 1;',
      'theme-B1.css': 'a{}',
      'base-BzZ9_-a1.js.br': '',
      'a.svg': '',
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'assets', name), text);
    await server.parts.modules.storeBuild(folder);
    await server.parts.modules.storeBuild(folder);
    await rm(folder, { recursive: true });
    const replica = another();
    expect(await replica.findSource('/assets/base-BzZ9_-a1.js')).toBe('export default 1;');
    expect(await replica.findSource('/assets/theme-B1.css')).toBe('a{}');
    expect(await replica.findSource('/assets/a.svg')).toBeNull();
    const { db } = server.parts.store;
    await db
      .updateTable('definition_modules')
      .set({ source: 'ajeno' })
      .where('url', '=', '/assets/theme-B1.css')
      .execute();
    expect(await another().findSource('/assets/theme-B1.css')).toBeNull();
    await db
      .insertInto('definition_modules')
      .values({ url: '/assets/ajeno.js', source: '', digest: null, used_at: server.clock.now() })
      .execute();
    expect(await another().findSource('/assets/ajeno.js')).toBeNull();
  });

  test('reads the database once for 300 parallel requests of unknown URLs, and never for a malformed URL', async () => {
    const { db, queryCount } = countQueries(server.parts.store);
    const modules = createBrowserModuleStore({ db }, dependencies());
    const urls = Array.from({ length: 300 }, (_, index) => moduleOf(`nadie ${index}`).url);
    expect(new Set(await Promise.all(urls.map((url) => modules.findSource(url))))).toEqual(new Set([null]));
    expect(queryCount()).toBe(1);
    await Promise.all(urls.map((url) => modules.findSource(url)));
    expect(queryCount()).toBe(2);
    for (const url of [
      '/definitions/',
      '/definitions/../keys/x.js',
      '/definitions/form.es.js',
      `/definitions/${'a'.repeat(300)}.0123456789abcdef.js`,
      '/assets/../keys/x.js',
      '/assets/a.html',
    ])
      expect(await modules.findSource(url)).toBeNull();
    expect(queryCount()).toBe(2);
  });
});
