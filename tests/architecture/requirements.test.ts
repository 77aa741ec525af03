import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listTestTitles } from '../../src/cli/testing/requirement-tests.ts';
import { root } from './source-texts.ts';

const list = await readFile(join(root, 'tests/requirements.md'), 'utf8');
const titles = await listTestTitles(root);
const ids = [...list.matchAll(/^\| ([A-Z]+-\d+) \|/gm)].map(([, id = '']) => id);

test('requirements.md lists every requirement once, numbered without gaps in each area', () => {
  expect(ids).toHaveLength(new Set(ids).size);
  expect(ids).toHaveLength(247);
  const areas = [...new Set(ids.map((id) => id.replace(/-\d+$/, '')))];
  const counted = areas.flatMap((area) =>
    ids
      .filter((id) => id.startsWith(`${area}-`))
      .sort()
      .map((_, index) => `${area}-${String(index + 1).padStart(2, '0')}`),
  );
  expect([...ids].sort()).toEqual(counted.sort());
});

test('requirements.md lists every requirement id that a test title cites', () => {
  const strays = titles.flatMap((title) =>
    title.ids.filter((id) => !ids.includes(id)).map((id) => `${title.file}: ${id}`),
  );
  expect(strays).toEqual([]);
});

test('every requirement has a test, or a reason in "Rows without a test"', () => {
  const named = new Set(titles.flatMap((title) => title.ids));
  const [, exceptions = ''] = list.split('## Rows without a test');
  expect(ids.filter((id) => !named.has(id))).toEqual(
    [...exceptions.matchAll(/^- ([A-Z]+-\d+): /gm)].map(([, id]) => id),
  );
});
