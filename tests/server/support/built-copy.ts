import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type * as Loader from '../../../src/cli/load.mjs';
import { projectRoot } from '../../../src/cli/project.ts';
import { placeSmallProject } from '../../engine/support/flow-copy.ts';
import { pageDocumentPaths } from '../../../src/server/web/pages/page-source.ts';

/** Files that a running server reads, in addition to the build and the packages. */
const sources = ['package.json', 'package-lock.json', 'vite.config.ts', 'src', 'schemas', 'flows', 'plugins'];

/**
 * Copies the project, or the given paths. The copy has a build of one script, and only the packages that `npm prune
 * --omit=dev` retains.
 */
export function createBuiltCopy(paths: readonly string[] = sources, script = 'page-A1.js'): string {
  const copy = mkdtempSync(join(tmpdir(), 'portal-copy-'));
  for (const path of paths) cpSync(join(projectRoot, path), join(copy, path), { recursive: true });
  linkPackages(copy);
  const build = join(copy, 'dist/portal');
  for (const folder of ['assets', '.vite', 'prerender']) mkdirSync(join(build, folder), { recursive: true });
  writeFileSync(
    join(build, 'prerender/prerender.js'),
    'export const prerender = async () => ({ html: "", title: null });',
  );
  writeFileSync(join(build, '.vite/manifest.json'), '{}');
  writeFileSync(join(build, 'assets', script), 'export {};\n');
  for (const document of Object.values(pageDocumentPaths)) {
    mkdirSync(dirname(join(build, document)), { recursive: true });
    writeFileSync(
      join(build, document),
      '<!doctype html><html lang="__LANGUAGE__"><head><title></title></head></html>',
    );
  }
  return copy;
}

/** Creates a copy with the definitions of a small project, which start faster, for tests that do not sign in. */
export function createSmallBuiltCopy(): string {
  const copy = createBuiltCopy(sources.filter((path) => path !== 'schemas' && path !== 'flows'));
  placeSmallProject(copy);
  return copy;
}

/** Compiles a program of a copy ahead of time, as `npm run build` does, so that none of its processes compiles it. */
export async function prebuildProgram(
  copy: string,
  select: (loader: typeof Loader) => readonly [string, string],
): Promise<void> {
  const loader = (await import(join(copy, 'src/cli/load.mjs'))) as typeof Loader; // the cast is safe, because the copy has the same file
  await loader.prebuildSamples();
  await loader.prebuild(...select(loader));
}

function linkPackages(copy: string): void {
  const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean }>;
  };
  for (const [path, { dev, optional }] of Object.entries(packages)) {
    if (dev === true || optional === true || !/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)) continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    symlinkSync(join(projectRoot, path), join(copy, path));
  }
}
