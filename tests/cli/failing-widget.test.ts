import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findPluginFile } from '../../src/cli/definitions/cases/screen-snapshots.ts';

test('[QA-02] findPluginFile names the plugin that is innermost in the stack of a failed drawing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bundle-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const bundle = join(folder, 'program.mjs');
  const lines = [
    '// src/engine/react/a.ts',
    'a();',
    '// ../../plugins/own/widget.tsx',
    'own();',
    '// plugins/b/rule.ts',
    'b();',
  ];
  await writeFile(bundle, lines.join('\n'));
  const stackOf = (...numbers: readonly number[]) =>
    ['Error: boom', ...numbers.map((line) => `    at draw (file://${bundle}:${line}:5)`)].join('\n');
  expect(findPluginFile(stackOf(2, 4, 6), bundle)).toBe('plugins/own/widget.tsx');
  expect(findPluginFile(stackOf(6), bundle)).toBe('plugins/b/rule.ts');
  expect(findPluginFile(stackOf(2), bundle)).toBeUndefined();
});
