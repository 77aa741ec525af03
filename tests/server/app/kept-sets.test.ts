import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { setsInService, takeBack } from '../../../src/cli/definitions/take-back.ts';
import { loadDefinitions } from '../../../src/engine/compiler/load-definitions.ts';
import { keepSet, keptLimit, keptSets } from '../../../src/server/platform/definitions/kept-sets.ts';
import { good, writeProject } from '../../engine/support/project.ts';

const done = 'schemas/done/ui.json';
const titled = (title: string) => ({ [done]: { ...(good[done] as object), title } });
const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute));

let project: Awaited<ReturnType<typeof writeProject>>;
let folder: string;
beforeEach(async () => {
  project = await writeProject(good);
  folder = join(await mkdtemp(join(tmpdir(), 'kept-')), 'definitions');
});
afterEach(async () => {
  await project.remove();
  await rm(join(folder, '..'), { recursive: true, force: true });
});

const versions = async () => (await keptSets(folder)).map(({ version }) => version);
const written = () => readFile(join(project.folder, done), 'utf8');

/** Brings a set into service, as a server does that reads the files. */
async function serve(minute: number): Promise<string> {
  const { version } = await loadDefinitions(project.options);
  await keepSet(folder, project.folder, version, at(minute));
  return version;
}

describe('[EST-11] the sets that were in service', () => {
  test('are kept with their time and files, the latest first, each once in a row', async () => {
    expect(await keptSets(folder)).toEqual([]);
    const first = await serve(0);
    await serve(1);
    await project.write(titled('Terminado'));
    const second = await serve(2);
    expect(await versions()).toEqual([second, first]);
    const [latest] = await keptSets(folder);
    expect(latest?.since).toEqual(at(2));
    const files = await latest!.files();
    expect(files.get(done)).toContain('Terminado');
    expect([...files.keys()].every((path) => /^(schemas|flows)\/.+\.json$/.test(path))).toBe(true);
  });

  test('are not kept for ever', async () => {
    for (let minute = 0; minute < keptLimit + 3; minute += 1)
      await keepSet(folder, project.folder, `v${minute}`, at(minute));
    expect(await versions()).toHaveLength(keptLimit);
    expect((await versions())[0]).toBe(`v${keptLimit + 2}`);
    expect(await readdir(folder)).toHaveLength(keptLimit);
  });

  test('come back: the one before, with what that changes, and the one taken back is kept', async () => {
    const first = await serve(0);
    await project.write({
      ...titled('Terminado'),
      'schemas/new/ui.json': { title: 'Nueva' },
      'schemas/new/ui.pt.json': { title: 'Nova' },
      'flows/more.json': {
        id: 'more',
        initial: 'new',
        states: { new: { path: '/more', screen: 'new', type: 'final' } },
      },
    });
    const second = await serve(1);
    const taken = await takeBack(project.options, { folder, version: undefined, now: at(2) });
    expect(taken?.version).toBe(first);
    expect(taken?.changes.some(({ text }) => text['es']?.includes('Terminado'))).toBe(true);
    expect(await written()).toBe(JSON.stringify(good[done], null, 2));
    expect((await loadDefinitions(project.options)).version).toBe(first);
    expect(await readdir(join(project.folder, 'schemas'), { recursive: true })).not.toContain('new/ui.json');
    expect(await readdir(join(project.folder, 'flows'))).toEqual(['main.json']);
    expect((await takeBack(project.options, { folder, version: second, now: at(3) }))?.version).toBe(second);
    expect(await written()).toContain('Terminado');
  });

  test('come back in place of files that do not compile, which are kept as well', async () => {
    const first = await serve(0);
    await project.write({ [done]: '{ "title": ' });
    expect(await setsInService(project.options, folder)).toMatchObject({ current: null, kept: [{ version: first }] });
    expect(await takeBack(project.options, { folder, version: undefined, now: at(1) })).toEqual({
      version: first,
      changes: [],
    });
    expect((await loadDefinitions(project.options)).version).toBe(first);
    const broken = (await keptSets(folder)).find(({ version }) => version === 'broken');
    expect((await broken?.files())?.get(done)).toBe('{ "title": ');
    await expect(takeBack(project.options, { folder, version: 'broken', now: at(2) })).rejects.toThrow(done);
    expect((await loadDefinitions(project.options)).version).toBe(first);
  });

  test('lose nothing that was written: neither a second broken edit, nor one that no version shows', async () => {
    await serve(0);
    for (const [minute, text] of ['{ "title": ', '{ "title": "otra'].entries()) {
      await project.write({ [done]: text });
      await takeBack(project.options, { folder, version: undefined, now: at(minute + 1) });
    }
    await project.write({ [done]: `${JSON.stringify(good[done])}\n` });
    await takeBack(project.options, { folder, version: undefined, now: at(4) });
    const texts = await Promise.all((await keptSets(folder)).map(async (set) => (await set.files()).get(done)));
    expect(texts).toEqual(
      expect.arrayContaining(['{ "title": ', '{ "title": "otra', `${JSON.stringify(good[done])}\n`]),
    );
    expect(await written()).toBe(JSON.stringify(good[done], null, 2));
  });

  test('go back over a version that other code gave to the same texts', async () => {
    const first = await serve(0);
    await project.write(titled('Terminado'));
    await serve(1);
    await keepSet(folder, project.folder, 'another', at(2)); // a new release compiles them otherwise
    expect((await takeBack(project.options, { folder, version: undefined, now: at(3) }))?.version).toBe(first);
  });

  test('of which there is none to take back leave the files as they are', async () => {
    expect(await takeBack(project.options, { folder, version: undefined, now: at(0) })).toBeNull();
    await serve(0);
    expect(await takeBack(project.options, { folder, version: undefined, now: at(1) })).toBeNull();
    expect(await takeBack(project.options, { folder, version: '../x', now: at(1) })).toBeNull();
    expect(await versions()).toHaveLength(1);
  });
});
