import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changesSince } from '../../src/cli/definitions/changes-since.ts';
import { good, writeProject } from '../engine/support/project.ts';

let project: Awaited<ReturnType<typeof writeProject>>;
const texts = async (): Promise<readonly string[]> =>
  ((await changesSince(project.folder, 'HEAD')) ?? []).map(({ where }) => where);

beforeAll(async () => {
  project = await writeProject(good);
  for (const words of [
    ['init', '-q'],
    ['add', 'schemas', 'flows'],
    [...author, 'commit', '-q', '-m', 'as it is'],
  ])
    execFileSync('git', words, { cwd: project.folder });
});
afterAll(() => project.remove());

const author = ['-c', 'user.name=QA', '-c', 'user.email=qa@example.org'];

test('what git does not know yet is a change, and so is what it knows otherwise; without either there is none', async () => {
  expect(await texts()).toEqual([]);
  const added = { 'schemas/otra/ui.json': { title: 'Otra' }, 'schemas/otra/ui.pt.json': { title: 'Outra' } };
  await project.write(added);
  expect(await texts()).toEqual(['otra']);
  await project.write(Object.fromEntries(Object.keys(added).map((file) => [file, null])));
  expect(await texts()).toEqual([]);
  await project.write({ 'schemas/done/ui.json': { title: 'Hecho {email}' } });
  expect(await texts()).toEqual(['done']);
  expect(await changesSince(project.folder, 'nowhere')).toBeNull();
});
