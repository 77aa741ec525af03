import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/cli/project.ts';

/** Custom properties that components set from a script. */
const setByScripts = ['--list', '--right', '--problems', '--hours'];

test('every custom property that a style sheet uses without a fallback is defined', () => {
  const css = ['src', 'plugins']
    .flatMap((folder) => readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.css'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
  const used = new Set([...css.matchAll(/var\((--[\w-]+)\)/g)].map(([, name = '']) => name));
  const defined = new Set([...css.matchAll(/(--[\w-]+):/g)].map(([, name = '']) => name));
  expect(used.size).toBeGreaterThan(30);
  expect([...used].filter((name) => !defined.has(name) && !setByScripts.includes(name))).toEqual([]);
});
