import { join } from 'node:path';
import { projectRoot } from '../project.ts';
import { checkLayers } from './check-layers.ts';
import { createCommandCheck, type TestRunPart } from './test-run-part.ts';

export const getBinPath = (name: string): string => join(projectRoot, 'node_modules/.bin', name);

export const createOxlintCheck = (paths: readonly string[]): TestRunPart =>
  createCommandCheck('lint', [getBinPath('oxlint'), '--deny-warnings', '--no-error-on-unmatched-pattern', ...paths]);

/** Checks the entire project, because a change can break types in other files. Stores incremental results for the next run. */
export const typeCheck: TestRunPart = createCommandCheck('types', [
  getBinPath('tsc'),
  '-p',
  '.',
  '--noEmit',
  '--incremental',
  '--tsBuildInfoFile',
  'node_modules/.cache/types.tsbuildinfo',
]);

export const createPrettierCheck = (paths: readonly string[]): TestRunPart =>
  createCommandCheck('format', [
    getBinPath('prettier'),
    '--check',
    '--ignore-unknown',
    '--log-level',
    'warn',
    ...paths,
  ]);

export const definitionCheck: TestRunPart = createCommandCheck('definitions', [
  process.execPath,
  'src/cli/portal.mjs',
  'check',
  '--set',
  '--strict',
]);

export const layerCheck: TestRunPart = {
  name: 'layers',
  run: () => checkLayers(projectRoot, getBinPath('depcruise')),
};
