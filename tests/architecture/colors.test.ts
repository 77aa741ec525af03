import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/cli/project.ts';

/** Folders that may contain colour literals. */
const excused = /^src\/(brand|studio)\//;

test('[PLUG-02] sources outside src/brand and src/studio contain no colour literal except black and white', () => {
  const files = ['src', 'plugins']
    .flatMap((folder) => readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(ts|tsx|css|html|svg)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(projectRoot.length + 1))
    .filter((path) => !excused.test(path) && !/\.test\./.test(path));
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((path) =>
    [...readFileSync(join(projectRoot, path), 'utf8').matchAll(/#[0-9a-f]{6}\b/gi)]
      .map(([color]) => color.toLowerCase())
      .filter((color) => color !== '#000000' && color !== '#ffffff')
      .map((color) => `${path} ${color}`),
  );
  expect(found).toEqual([]);
});
