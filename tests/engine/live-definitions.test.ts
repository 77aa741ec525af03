import { afterEach, expect, test } from 'vitest';
import type { DefinitionsSource } from '../../src/engine/compiler/definitions.ts';
import { openDefinitions } from '../../src/engine/compiler/open-definitions.ts';
import { good, writeProject } from './support/project.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function open() {
  const project = await writeProject(good);
  closing.push(project.remove);
  const source = await openDefinitions({ ...project.options, watch: true });
  closing.push(() => source.close());
  return { project, source };
}

// A change is told once per reading; a slow disk may make two readings of it.
async function until(source: DefinitionsSource, condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise<void>((read) => {
      const stop = source.onChange(() => {
        stop();
        read();
      });
    });
  }
}

test('[ANA-01] a changed file is in service without a restart, and the old address still answers', async () => {
  const { project, source } = await open();
  const before = source.current.manifest('es').screens.done?.url ?? '';
  await project.write({ 'schemas/done/ui.json': { title: 'Terminado', links: [{ to: '/form', text: 'Otra vez' }] } });
  await until(source, () => source.current.ui('done', 'es').title === 'Terminado');
  expect(source.current.manifest('es').screens.done?.url).not.toBe(before);
  expect(source.module(before)).toContain('Listo');
});

test('[ANA-02] a broken file leaves the last good set in service and says what is wrong; its mend clears that', async () => {
  const { project, source } = await open();
  const { version } = source.current;
  await project.write({ 'schemas/done/ui.json': '{ "title": ' });
  await until(source, () => source.problems.length > 0);
  expect(source.current.version).toBe(version);
  expect(source.problems[0]).toMatchObject({ file: 'schemas/done/ui.json', line: 1 });
  await project.write({ 'schemas/done/ui.json': good['schemas/done/ui.json'] });
  await until(source, () => source.problems.length === 0);
  expect(source.current.version).toBe(version);
});

test('[ANA-01] a new screen and a new step appear by adding files', async () => {
  const { project, source } = await open();
  const flow = structuredClone(good['flows/main.json']) as { states: Record<string, unknown> };
  flow.states.more = { path: '/more', screen: 'more' };
  await project.write({
    'schemas/more/ui.json': { title: 'Más', links: [{ to: '/form', text: 'Volver' }] },
    'schemas/more/ui.pt.json': { title: 'Mais', links: [{ to: '/form', text: 'Voltar' }] },
    'flows/main.json': flow,
  });
  await until(source, () => source.current.screens.has('more'));
  expect(source.current.manifest('es').routes.map(({ path }) => path)).toContain('/more');
});

test('[ANA-02] a set that is broken at the start is refused', async () => {
  const project = await writeProject({ ...good, 'flows/main.json': '{' });
  closing.push(project.remove);
  await expect(openDefinitions(project.options)).rejects.toMatchObject({ problems: [{ file: 'flows/main.json' }] });
});
