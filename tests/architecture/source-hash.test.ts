import { relative } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { sources } from '../../src/cli/source-hash.ts';
import { root } from './source-texts.ts';

/** Where the scripts of both documents and the prerendering begin, and what they find by a pattern. */
const entries = [
  'src/portal/main.ts',
  'src/desk/main.ts',
  'src/portal/prerender/prerender.tsx',
  'src/portal/blocks/*.tsx',
  'src/desk/blocks/*.tsx',
  'plugins/*/*.tsx',
];

test('the hash of the build covers every file that the bundler reads', async () => {
  const { metafile } = await build({
    entryPoints: entries,
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    outdir: 'unused',
    format: 'esm',
    logLevel: 'silent',
    loader: { '.woff2': 'empty', '.svg': 'empty', '.png': 'empty' },
    external: ['*.woff2', '/_definitions/*'],
  });
  const read = Object.keys(metafile.inputs).map((path) => relative('', path));
  expect(read.length, 'the bundler found the sources').toBeGreaterThan(200);
  expect(read.filter((path) => !sources.some((source) => path === source || path.startsWith(`${source}/`)))).toEqual(
    [],
  );
});
