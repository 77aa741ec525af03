import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildFilesFragment, readExampleFromFragment } from '../../src/playground/example-url.ts';
import { sampleForms } from '../../src/playground/gallery.ts';

const fragmentOf = (json: string) => `#files=${deflateRawSync(json).toString('base64url')}`;

test('[ENG-16] readExampleFromFragment restores the files of an address, and ignores files above the size limit', async () => {
  const files = { 'flows/main.json': '{"año": 1}' };
  expect(await readExampleFromFragment(await buildFilesFragment(files))).toEqual({ sample: null, files });
  const filled = (bytes: number) => fragmentOf(JSON.stringify({ a: ' '.repeat(bytes) }));
  expect((await readExampleFromFragment(filled(900_000))).sample).toBeNull();
  const huge = filled(2_000_000);
  expect(huge.length, 'length of the compressed files').toBeLessThan(5_000);
  expect((await readExampleFromFragment(huge)).sample).toBe(sampleForms[0]!.name);
});
