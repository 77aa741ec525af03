import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { uncoveredTextsFile, measureTextCoverage } from '../../src/cli/definitions/coverage.ts';
import { root } from './support/fixtures.ts';

test('[EST-04] every text of a screen occurs in a snapshot or a case, or is listed with a reason', async () => {
  const { total: all, uncovered, unused } = await measureTextCoverage(root);
  expect(all).toBeGreaterThan(1_000);
  expect(uncovered.map(({ screen, pointer, text }) => `${screen} ${pointer}: ${text}`)).toEqual([]);
  expect(unused).toEqual([]);
});

test('[EST-04] measureTextCoverage reports a text that no snapshot shows, and a reason that is not needed', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'uncovered-'));
  try {
    const fixtures = 'tests/fixtures/elevacion-aceptada';
    for (const name of ['schemas', 'flows', `${fixtures}.json`, `${fixtures}.txt`])
      await cp(join(root, name), join(copy, name), { recursive: true });
    await symlink(join(root, 'plugins'), join(copy, 'plugins'));
    await mkdir(join(copy, 'tests/definitions'));
    const excuse = { screen: 'elevacion-aceptada', pointer: '/title', because: 'x' };
    await writeFile(join(copy, uncoveredTextsFile), JSON.stringify([excuse]));
    const snapshots = await readFile(join(copy, `${fixtures}.txt`), 'utf8');
    await writeFile(join(copy, `${fixtures}.txt`), snapshots.replaceAll('Activar el doble factor', ''));
    const { uncovered, unused } = await measureTextCoverage(copy, ['elevacion-aceptada']);
    expect(uncovered).toContainEqual({
      screen: 'elevacion-aceptada',
      pointer: '/actions/0/text',
      text: 'Activar el doble factor',
    });
    expect(uncovered.map(({ pointer }) => pointer)).not.toContain('/actions/1/text');
    expect(unused).toEqual([excuse]);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
});
