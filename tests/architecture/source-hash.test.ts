import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { computeSourceHash, portalBuildSources } from '../../src/cli/source-hash.ts';
import { root } from './source-texts.ts';

/** Entry points of both documents and of prerendering, with the files that their globs match. */
const entries = [
  'src/portal/main.ts',
  'src/desk/main.ts',
  'src/portal/prerender/prerender.tsx',
  'src/portal/blocks/*.tsx',
  'src/desk/blocks/*.tsx',
  'plugins/*/*.tsx',
];

test('build hash covers every file that the bundler reads', async () => {
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
  expect(read.length, 'the bundler reported its source files').toBeGreaterThan(200);
  expect(
    read.filter((path) => !portalBuildSources.some((source) => path === source || path.startsWith(`${source}/`))),
  ).toEqual([]);
});

test('build hash changes with the version of a package and ignores what npm rewrites in the lock file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const hashWith = async (text: string): Promise<string> => {
    writeFileSync(join(folder, 'package-lock.json'), text);
    return computeSourceHash(folder);
  };
  const hash = await hashWith(lock);
  const react = /"node_modules\/react": \{\s+"version": "([^"]+)"/;
  expect(await hashWith(lock.replace(react, (line, version: string) => line.replace(version, '0.0.1')))).not.toBe(hash);
  expect(await hashWith(lock.replace(/^ +"(dev|peer)": true,\n/gm, ''))).toBe(hash);
  expect(await hashWith(lock.replace('"requires": true,\n', ''))).toBe(hash);
  expect(await hashWith(JSON.stringify(JSON.parse(lock)))).toBe(hash);
});
