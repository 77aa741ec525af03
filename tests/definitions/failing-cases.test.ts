import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { casesFile } from '../../src/cli/definitions/cases.ts';
import { failingCases, formatFailure } from '../../src/cli/definitions/failing-cases.ts';
import { root } from './support/fixtures.ts';

test('[QA-03] a case that fails is named with its file, its field, and both messages', async () => {
  const project = await mkdtemp(join(tmpdir(), 'portal-cases-'));
  for (const folder of ['schemas', 'flows']) await cp(join(root, folder), join(project, folder), { recursive: true });
  await symlink(join(root, 'plugins'), join(project, 'plugins'));
  await mkdir(join(project, 'tests/fixtures'), { recursive: true });
  const file = casesFile('contacto');
  const cases = JSON.parse(await readFile(join(root, file), 'utf8')) as {
    cases: Record<string, { errors?: Record<string, string> }>;
  };
  await writeFile(join(project, file), JSON.stringify(cases));
  expect(await failingCases(project, ['contacto'])).toEqual([]);
  const [name = '', refused] = Object.entries(cases.cases).find(([, { errors }]) => errors !== undefined) ?? [];
  const [field = '', message = ''] = Object.entries(refused?.errors ?? {})[0] ?? [];
  cases.cases[name] = { ...refused, errors: { ...refused?.errors, [field]: 'Otro.' } };
  await writeFile(join(project, file), JSON.stringify(cases));
  const failing = await failingCases(project);
  expect(failing).toEqual([
    { file, name, differences: [{ field, expected: 'Otro.', actual: message }], errors: refused?.errors },
  ]);
  expect(failing.flatMap((one) => formatFailure(one, 'es'))).toEqual([
    `${file}: caso "${name}": las reglas dicen "${message}" de "${field}" y el caso espera "Otro.".`,
  ]);
  await expect(failingCases(project, ['nada'])).rejects.toThrow('There is no screen nada.');
  await writeFile(join(project, file), JSON.stringify({ cases: { roto: { datos: {} } } }));
  await expect(failingCases(project, ['contacto'])).rejects.toThrow(`${file}: roto are no cases.`);
  await rm(project, { recursive: true });
});
