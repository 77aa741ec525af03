import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { sharedSets, takeBackShared, untilTaken } from '../../../src/cli/definitions/shared-sets.ts';
import { openDefinitions } from '../../../src/engine/compiler/open-definitions.ts';
import { followDefinitions } from '../../../src/server/app/follow-definitions.ts';
import { openStore, type Store } from '../../../src/server/platform/database/open-store.ts';
import { readKnown } from '../../../src/server/platform/definitions/set-files.ts';
import { DefinitionSets } from '../../../src/server/platform/definitions/sets.ts';
import { good, writeProject, type Files } from '../../engine/support/project.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

const done = 'schemas/done/ui.json';
/** Its title in the project as it is. */
const usual = 'Listo {email}';
const log = pino({ level: 'silent' });
/** The small project with another title of its last screen. */
const titled = (title: string): Files => ({ [done]: { ...(good[done] as object), title } });

let postgres: TestPostgres;
let store: Store;
let sets: DefinitionSets;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  postgres = await startPostgres({ tables: true });
  store = await openStore({ url: postgres.url, pool: 5 }, log);
  sets = new DefinitionSets(store);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  for (const table of ['definition_sets', 'definition_replicas'] as const) await store.db.deleteFrom(table).execute();
});
afterAll(async () => {
  await store.close();
  await postgres.stop();
});

/** A replica with files of its own, as its image brings them. `deaf`: it hears no news. */
async function start(
  files: Files = {},
  {
    deaf = false,
    operations,
    admit = async () => undefined,
  }: { deaf?: boolean; operations?: string[]; admit?: () => Promise<void> } = {},
) {
  const project = await writeProject({ ...good, ...files });
  closing.push(project.remove);
  const options = { ...project.options, ...(operations && { operations }) };
  const definitions = await openDefinitions({ ...options, watch: true });
  closing.push(() => definitions.close());
  const name = randomUUID();
  const news = deaf ? { hear: async () => () => undefined } : store.news;
  const own = new DefinitionSets({ db: store.db, news });
  const followed = await followDefinitions({
    definitions,
    sets: own,
    root: project.folder,
    own: await readKnown(project.folder),
    name,
    admit,
    log,
  });
  closing.push(followed.close);
  return {
    name,
    definitions,
    sets: own,
    write: project.write,
    options,
    follow: followed.follow,
    title: () => definitions.current.ui('done', 'es').title,
  };
}

/** The last set in service comes back, as by the command, once the replica has said what it serves. */
async function takeBack(of: Awaited<ReturnType<typeof start>>, version?: string) {
  await of.follow();
  return takeBackShared(of.options, sets, { version, by: 'ana@operacion' });
}

describe('[OPER-03] sets of definitions that replicas share', () => {
  test('a change of the files of one is taken by all, and by those that start later with the files of before', async () => {
    const [first, second] = [await start(), await start()];
    await first.write(titled('Terminado'));
    await vi.waitFor(() => expect([first.title(), second.title()]).toEqual(['Terminado', 'Terminado']), 10_000);
    expect(second.definitions.current.version).toBe(first.definitions.current.version);
    const third = await start();
    expect(third.title()).toBe('Terminado');
    const { list, replicas } = await sharedSets(sets);
    expect(list.map(({ told }) => told)).toEqual([true, false]);
    expect(list[0]?.by).toBe(`files of ${first.name}`);
    await vi.waitFor(async () =>
      expect((await sets.replicas()).map(({ digest }) => digest)).toEqual(replicas.map(() => list[0]?.digest)),
    );
  });

  test('the same change that reaches the files of one replica after the other is no other set', async () => {
    const [first, second] = [await start(), await start()];
    await first.write(titled('Terminado'));
    await vi.waitFor(() => expect(second.title()).toBe('Terminado'), 10_000);
    const before = await sets.list();
    let readings = 0;
    second.definitions.onChange(() => (readings += 1));
    await second.write(titled('Terminado'));
    await vi.waitFor(() => expect(readings).toBeGreaterThan(0), 10_000);
    expect(await sets.list()).toEqual(before);
    await second.write(titled('Otra vez'));
    await vi.waitFor(() => expect(first.title()).toBe('Otra vez'), 10_000);
  });

  test('a replica that hears no news takes it when it asks', async () => {
    const [first, deaf] = [await start(), await start({}, { deaf: true })];
    await first.write(titled('Terminado'));
    await vi.waitFor(() => expect(first.title()).toBe('Terminado'), 10_000);
    expect(deaf.title()).toBe(usual);
    await deaf.follow();
    expect(deaf.title()).toBe('Terminado');
  });

  test('a rolling change: a new image serves its own files, old ones theirs, whoever restarts, until the last is replaced', async () => {
    const [old, older] = [await start(), await start()];
    const fresh = await start(titled('De la imagen nueva'));
    const restarted = await start();
    for (const replica of [old, older, fresh, restarted]) await replica.follow();
    expect([old, older, fresh, restarted].map(({ title }) => title())).toEqual([
      usual,
      usual,
      'De la imagen nueva',
      usual,
    ]);
    expect((await sharedSets(sets)).inService?.version).toBe(fresh.definitions.current.version);
  });

  test('a new image serves its files even where all were told another set before it; an image of before does not', async () => {
    const old = await start();
    await old.write(titled('Editado'));
    await vi.waitFor(() => expect(old.title()).toBe('Editado'), 10_000);
    expect((await start(titled('De la imagen nueva'))).title()).toBe('De la imagen nueva');
    expect((await start()).title()).toBe('Editado');
    await old.follow();
    expect(old.title()).toBe('Editado');
  });

  test('one command takes the set before back on every replica, whose restart changes nothing, and one is the way forward', async () => {
    const [first, second] = [await start(), await start()];
    const { version } = first.definitions.current;
    await first.write(titled('Terminado'));
    await vi.waitFor(() => expect(second.title()).toBe('Terminado'), 10_000);
    const back = await takeBack(first);
    expect(back?.set.version).toBe(version);
    expect(back?.changes.some(({ text }) => text['es']?.includes(usual))).toBe(true);
    const replicas = await untilTaken(sets, back?.set.digest ?? '', 10_000);
    expect(replicas.map((replica) => replica.version)).toEqual([version, version]);
    expect([first.title(), second.title()]).toEqual([usual, usual]);
    const restarted = await start(titled('Terminado'));
    expect(restarted.title()).toBe(usual);
    expect((await sets.list())[0]).toMatchObject({ version, by: 'ana@operacion', at: expect.any(Date) });

    const forward = await takeBack(first, back?.before.version);
    await untilTaken(sets, forward?.set.digest ?? '', 10_000);
    expect([first, second, restarted].map(({ title }) => title())).toEqual(['Terminado', 'Terminado', 'Terminado']);
    expect(await takeBack(first, 'unknown')).toBeNull();
  });

  test('what touches a file brings nothing back that was taken back', async () => {
    const first = await start();
    await first.write(titled('Terminado'));
    await vi.waitFor(() => expect(first.title()).toBe('Terminado'), 10_000);
    const back = await takeBack(first);
    await untilTaken(sets, back?.set.digest ?? '', 10_000);
    let readings = 0;
    first.definitions.onChange(() => (readings += 1));
    await first.write(titled('Terminado'));
    await vi.waitFor(() => expect(readings).toBeGreaterThan(0), 10_000);
    expect(first.title()).toBe(usual);
    expect((await sets.list())[0]?.by).toBe('ana@operacion');
  });

  test('a reading of the files that is under way when a set comes back does not lose it', async () => {
    let held: Promise<void> | undefined;
    const first = await start({}, { admit: async () => held });
    const { digest = '' } = (await sets.list())[0] ?? {};
    await first.write(titled('Terminado'));
    await vi.waitFor(() => expect(first.title()).toBe('Terminado'), 10_000);
    let release = () => {};
    held = new Promise((resolve) => (release = resolve));
    const reading = first.definitions.read();
    const asked = vi.spyOn(first.sets, 'files');
    await takeBack(first);
    await vi.waitFor(() => expect(asked).toHaveBeenCalledWith(digest), 10_000);
    await asked.mock.results[0]?.value;
    held = undefined;
    release();
    await reading;
    await untilTaken(sets, digest, 10_000);
    expect(first.title()).toBe(usual);
  });

  test('a replica whose code cannot compile a set stays, says why, and takes the next one', async () => {
    const flow = structuredClone(good['flows/main.json']) as { states: Record<string, object> };
    const states = JSON.stringify(flow).replaceAll('"save"', '"store"');
    const [fresh, old] = [await start({}, { operations: ['save', 'store', 'list'] }), await start()];
    const { version } = old.definitions.current;
    await fresh.write({ 'flows/main.json': states });
    await vi.waitFor(async () => {
      const [problem] = (await sets.replicas()).flatMap((replica) => replica.problem ?? []);
      expect(problem).toMatch(/^flows\/main\.json:\d+:\d+ .*store/);
    }, 10_000);
    await Promise.all([fresh.follow(), old.follow()]);
    expect([old.definitions.current.version, old.definitions.problems]).toEqual([version, []]);
    await expect(
      takeBackShared(old.options, sets, { version: fresh.definitions.current.version, by: 'x' }),
    ).resolves.toBeNull();
    await takeBack(old);
    await vi.waitFor(
      async () =>
        expect((await sets.replicas()).map((replica) => [replica.version, replica.problem])).toEqual([
          [version, null],
          [version, null],
        ]),
      10_000,
    );
  });

  test('a stored set that is not what its digest says is not taken', async () => {
    const [first, deaf] = [await start(), await start({}, { deaf: true })];
    await first.write(titled('Terminado'));
    await vi.waitFor(() => expect(first.title()).toBe('Terminado'), 10_000);
    const [{ digest = '' } = {}, { digest: other = '' } = {}] = await sets.list();
    const { files } = await store.db
      .selectFrom('definition_sets')
      .select('files')
      .where('digest', '=', other)
      .executeTakeFirstOrThrow();
    await store.db.updateTable('definition_sets').set({ files }).where('digest', '=', digest).execute();
    await expect(deaf.follow()).rejects.toThrow('is not what its digest says');
    expect(deaf.title()).toBe(usual);
  });
});
