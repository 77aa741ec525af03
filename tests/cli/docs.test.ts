import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import MiniSearch from 'minisearch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildDocs } from '../../src/cli/docs/build-docs.ts';

const root = resolve(import.meta.dirname, '../..');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs-'));
  await buildDocs(root, folder);
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('documentation site', () => {
  const read = (file: string) => readFile(join(folder, file), 'utf8');

  test('links its pages to each other, and removes links to source files', async () => {
    const html = await read('plugins/index.html');
    expect(html).toContain('href="../schemas/index.html');
    expect(html).not.toMatch(/href="[^"#]+\.(md|ts|tsx|cjs)["#]/);
  });

  test('describes the keywords of formats and the operations', async () => {
    expect(await read('formats.html')).toContain('<code>ui:enumNames</code>');
    expect(await read('api.html')).toContain('POST /auth/login');
  });

  test('has a search index that finds a section by its words', async () => {
    const index = MiniSearch.loadJSON(await read('search.json'), { fields: ['title', 'text'] });
    expect(index.search('redispatch')[0]?.id).toBe('src/server/operation.md#proxies');
  });
});
