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
    const api = await read('api.html');
    expect(api).toMatch(
      /POST \/auth\/login<\/h2>\n.*\n<p>A bearer token is optional\.<\/p>\n<p>Body: <a href="#bodysignin">/,
    );
    expect(api).toMatch(/id="bodysignin">[^]*?<code>challenge<\/code> \(required\)[^]*?<code>extra\.agnt<\/code>/);
  });

  test('makes tables and code focusable, so that keyboards can scroll them', async () => {
    const html = await read('src/server/operation.html');
    expect(html).toContain('<div class="table" tabindex="0">');
    expect(html).toContain('<pre tabindex="0">');
    expect(html).not.toContain('<pre>');
  });

  test('links every document of the repository that a page mentions', async () => {
    expect(await read('src/engine/index.html')).toContain('<a href="example.html">');
    expect(await read('SECURITY.html')).toContain('<a href="src/server/upgrading.html#supported-versions">');
  });

  test('has a search index that finds a section by its words', async () => {
    const index = MiniSearch.loadJSON(await read('search.json'), { fields: ['title', 'text'] });
    expect(index.search('redispatch')[0]?.id).toBe('src/server/operation.md#proxies');
  });
});
