import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDefinitionComparer } from '../../src/cli/definitions/definition-changes.ts';
import { sampleProject, writeProject } from '../engine/support/project.ts';

let project: Awaited<ReturnType<typeof writeProject>>;
let compare: ReturnType<typeof createDefinitionComparer>;
const texts = async (): Promise<readonly string[]> =>
  ((await compare('HEAD'))?.changes ?? []).map(({ where }) => where);

beforeAll(async () => {
  project = await writeProject(sampleProject);
  compare = createDefinitionComparer(project.folder);
  git('init', '-q');
  commit();
});
afterAll(() => project.remove());

function git(...words: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=QA', '-c', 'user.email=qa@example.org', ...words], { cwd: project.folder });
}

function commit(): void {
  git('add', 'schemas', 'flows');
  git('commit', '-q', '-m', 'as it is');
}

test('createDefinitionComparer reports added and modified screens, nothing if there is no change, null for an unknown commit', async () => {
  expect(await texts()).toEqual([]);
  const added = { 'schemas/otra/ui.json': { title: 'Otra' }, 'schemas/otra/ui.pt.json': { title: 'Outra' } };
  await project.write(added);
  expect(await texts()).toEqual(['otra']);
  await project.write(Object.fromEntries(Object.keys(added).map((file) => [file, null])));
  expect(await texts()).toEqual([]);
  await project.write({ 'schemas/done/ui.json': { title: 'Hecho {email}' } });
  expect(await texts()).toEqual(['done']);
  expect(await compare('nowhere')).toBeNull();
  commit();
  expect(await texts()).toEqual([]);
  await project.write(added);
  expect(await texts(), 'texts compared with the new commit').toEqual(['otra']);
});
