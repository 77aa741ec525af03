import { execFile } from 'node:child_process';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import type { LiveDefinitions } from '../../src/engine/compiler/definitions.ts';
import { openLiveDefinitions } from '../../src/engine/compiler/open-live-definitions.ts';
import { changeSample, sampleProject, writeProject } from './support/project.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function open() {
  const project = await writeProject(sampleProject);
  closing.push(project.remove);
  const source = await openLiveDefinitions({ ...project.options, watch: true });
  closing.push(() => source.close());
  return { project, source };
}

// Replaces a file by renaming a new file, as sed -i, vim, JetBrains and git do.
async function replace(folder: string, path: string, content: unknown): Promise<void> {
  await writeFile(join(folder, 'new.json'), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  await rename(join(folder, 'new.json'), join(folder, path));
}

// Waits for loads until the condition is true. Each load reports one change, and a slow disk may cause two
// loads.
async function waitUntil(source: LiveDefinitions, condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise<void>((read) => {
      const stop = source.onChange(() => {
        stop();
        read();
      });
    });
  }
}

test('[ANA-01] openLiveDefinitions applies a changed file without a restart, and still serves its old module', async () => {
  const { project, source } = await open();
  const before = source.current.manifest('es').screens.done?.url ?? '';
  await project.write({ 'schemas/done/ui.json': { title: 'Terminado', links: [{ to: '/form', text: 'Otra vez' }] } });
  await waitUntil(source, () => source.current.ui('done', 'es').title === 'Terminado');
  expect(source.current.manifest('es').screens.done?.url).not.toBe(before);
  expect(source.module(before)).toContain('Listo');
});

test('[ANA-02] openLiveDefinitions reports a broken file, and keeps the last valid definitions until it is fixed', async () => {
  const { project, source } = await open();
  const { version } = source.current;
  await project.write({ 'schemas/done/ui.json': '{ "title": ' });
  await waitUntil(source, () => source.problems.length > 0);
  expect(source.current.version).toBe(version);
  expect(source.problems[0]).toMatchObject({ file: 'schemas/done/ui.json', line: 1 });
  await project.write({ 'schemas/done/ui.json': sampleProject['schemas/done/ui.json'] });
  await waitUntil(source, () => source.problems.length === 0);
  expect(source.current.version).toBe(version);
});

test('[ANA-01] openLiveDefinitions detects every save that renames a file', async () => {
  const { project, source } = await open();
  for (let save = 1; save <= 6; save += 1) {
    await replace(project.folder, 'schemas/done/ui.json', {
      title: `Guardado ${save}`,
      links: [{ to: '/form', text: 'Otra vez' }],
    });
    await waitUntil(source, () => source.current.ui('done', 'es').title === `Guardado ${save}`);
  }
});

test('[ANA-02] openLiveDefinitions detects a file that is repeatedly broken and fixed by rename', async () => {
  const { project, source } = await open();
  for (let round = 1; round <= 3; round += 1) {
    await replace(project.folder, 'schemas/done/ui.json', '{ "title": ');
    await waitUntil(source, () => source.problems.length > 0);
    await replace(project.folder, 'schemas/done/ui.json', {
      title: `Vuelta ${round}`,
      links: [{ to: '/form', text: 'Otra vez' }],
    });
    await waitUntil(source, () => source.problems.length === 0);
    expect(source.current.ui('done', 'es').title).toBe(`Vuelta ${round}`);
  }
});

test('[ANA-01] openLiveDefinitions loads another branch after each git checkout', async () => {
  const { project, source } = await open();
  const git = (...words: string[]) =>
    promisify(execFile)('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...words], {
      cwd: project.folder,
    });
  const branch = async (name: string, title: string) => {
    await git('checkout', '-q', '-b', name);
    for (const id of Array.from({ length: 40 }, (_, index) => `more${index}`)) {
      await project.write({
        [`schemas/${id}/ui.json`]: { title, links: [{ to: '/form', text: 'Volver' }] },
        [`schemas/${id}/ui.pt.json`]: { title, links: { '/form': 'Voltar' } },
        [`flows/${id}.json`]: { id, initial: 'more', states: { more: { path: `/${id}`, screen: id } } },
      });
    }
    await git('add', '.');
    await git('commit', '-q', '-m', name);
  };
  await git('init', '-q', '-b', 'main');
  await git('add', '.');
  await git('commit', '-q', '-m', 'main');
  await branch('first', 'Primera');
  await branch('second', 'Segunda');
  for (const [name, title] of [
    ['first', 'Primera'],
    ['second', 'Segunda'],
    ['first', 'Primera'],
  ] as const) {
    await git('checkout', '-q', name);
    await waitUntil(
      source,
      () =>
        source.problems.length === 0 &&
        source.current.screens.has('more39') &&
        source.current.ui('more39', 'es').title === title,
    );
  }
  await git('checkout', '-q', 'main');
  await waitUntil(source, () => source.problems.length === 0 && !source.current.screens.has('more0'));
}, 30_000);

test('[ANA-01] openLiveDefinitions adds a new screen and a new state from new files', async () => {
  const { project, source } = await open();
  const flow = structuredClone(sampleProject['flows/main.json']) as { states: Record<string, unknown> };
  flow.states.more = { path: '/more', screen: 'more' };
  await project.write({
    'schemas/more/ui.json': { title: 'Más', links: [{ to: '/form', text: 'Volver' }] },
    'schemas/more/ui.pt.json': { title: 'Mais', links: { '/form': 'Voltar' } },
    'flows/main.json': flow,
  });
  await waitUntil(source, () => source.current.screens.has('more'));
  expect(source.current.manifest('es').routes.map(({ path }) => path)).toContain('/more');
});

test('[ANA-02] openLiveDefinitions rejects definitions that are broken at the start', async () => {
  const project = await writeProject({ ...sampleProject, 'flows/main.json': '{' });
  closing.push(project.remove);
  await expect(openLiveDefinitions(project.options)).rejects.toMatchObject({ problems: [{ file: 'flows/main.json' }] });
});

test('[ANA-01] openLiveDefinitions does not reload for a README', async () => {
  const { project, source } = await open();
  let readings = 0;
  const stop = source.onChange(() => void (readings += 1));
  await project.write({ 'schemas/README.md': '# Pantallas', 'flows/README.md': '# Flujos' });
  await new Promise((resolve) => setTimeout(resolve, 2_500)); // waits longer than the watcher's polling interval
  expect(readings).toBe(0);
  stop();
  await project.write({ 'schemas/done/ui.json': { title: 'Terminado', links: [{ to: '/form', text: 'Otra vez' }] } });
  await waitUntil(source, () => source.current.ui('done', 'es').title === 'Terminado');
});

test('[ANA-02 SEG-04] openLiveDefinitions reports a slow pattern and keeps the last valid definitions', async () => {
  const { project, source } = await open();
  const { version } = source.current;
  const slow = changeSample('schemas/form/schema.json', (c: Record<string, Record<string, Record<string, unknown>>>) =>
    Object.assign(c.properties?.extra ?? {}, { pattern: '^(a+)+$' }),
  );
  await project.write(slow);
  await waitUntil(source, () => source.problems.length > 0);
  expect(source.current.version).toBe(version);
  expect(source.problems).toMatchObject([
    { rule: 'rule/slow', file: 'schemas/form/schema.json', pointer: '/properties/extra/pattern' },
  ]);
  await project.write({ 'schemas/form/schema.json': sampleProject['schemas/form/schema.json'] });
  await waitUntil(source, () => source.problems.length === 0);
});
