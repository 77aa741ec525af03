import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listFiles, readJson, root } from './source-texts.ts';

const watch = Object.entries(readJson('tests/mutants.json') as Record<string, unknown>);

describe('tests/mutants.json', () => {
  test.each(watch)('maps the existing source %s to existing tests', (source, tests) => {
    expect(existsSync(join(root, source))).toBe(true);
    expect(tests).toEqual(expect.arrayContaining([expect.any(String)]));
    for (const path of tests as readonly string[]) {
      const found = path.endsWith('/*.test.ts')
        ? listFiles(path.replace('/*.test.ts', ''), /\.test\.ts$/).length > 0
        : existsSync(join(root, path));
      expect(found, path).toBe(true);
    }
  });
});
