import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildFilesUrlFragment, readExampleFromUrlFragment } from '../../src/playground/example-url-fragment.ts';
import { playgroundSamples } from '../../src/playground/playground-samples.ts';

const fragmentOf = (json: string) => `#files=${deflateRawSync(json).toString('base64url')}`;

test('[ENG-16] readExampleFromUrlFragment restores the files of an address, and ignores files above the size limit', async () => {
  const files = { 'flows/main.json': '{"año": 1}' };
  expect(await readExampleFromUrlFragment(await buildFilesUrlFragment(files))).toEqual({ sample: null, files });
  const filled = (bytes: number) => fragmentOf(JSON.stringify({ a: ' '.repeat(bytes) }));
  expect((await readExampleFromUrlFragment(filled(900_000))).sample).toBeNull();
  const huge = filled(2_000_000);
  expect(huge.length, 'length of the compressed files').toBeLessThan(5_000);
  expect((await readExampleFromUrlFragment(huge)).sample).toBe(playgroundSamples[0]!.name);
});
