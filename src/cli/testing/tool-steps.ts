import { join } from 'node:path';
import { projectRoot } from '../project.ts';
import { checkLayers } from './layers.ts';
import { createToolStep, type TestStep } from './run-step.ts';

export const getBinPath = (name: string): string => join(projectRoot, 'node_modules/.bin', name);

export const createLintStep = (paths: readonly string[]): TestStep =>
  createToolStep('lint', [getBinPath('oxlint'), '--deny-warnings', '--no-error-on-unmatched-pattern', ...paths]);

/** Checks the entire project, because a change can break types in other files. Stores incremental results for the next run. */
export const typeCheckStep: TestStep = createToolStep('types', [
  getBinPath('tsc'),
  '-p',
  '.',
  '--noEmit',
  '--incremental',
  '--tsBuildInfoFile',
  'node_modules/.cache/types.tsbuildinfo',
]);

export const createFormatStep = (paths: readonly string[]): TestStep =>
  createToolStep('format', [getBinPath('prettier'), '--check', '--ignore-unknown', '--log-level', 'warn', ...paths]);

export const definitionCheckStep: TestStep = createToolStep('definitions', [
  process.execPath,
  'src/cli/portal.mjs',
  'check',
  '--set',
  '--strict',
]);

export const layerCheckStep: TestStep = {
  name: 'layers',
  run: () => checkLayers(projectRoot, getBinPath('depcruise')),
};
