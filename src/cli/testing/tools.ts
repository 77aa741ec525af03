import { join } from 'node:path';
import { root } from '../project.ts';
import { checkLayers } from './layers.ts';
import { toolStep, type Step } from './run-step.ts';

export const bin = (name: string): string => join(root, 'node_modules/.bin', name);

export const lint = (paths: readonly string[]): Step =>
  toolStep('lint', [bin('oxlint'), '--deny-warnings', '--no-error-on-unmatched-pattern', ...paths], root);

/** Type-checks the complete project, because types depend on each other across files. Keeps its results for the next run. */
export const types: Step = toolStep(
  'types',
  [bin('tsc'), '-p', '.', '--noEmit', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo'],
  root,
);

export const format = (paths: readonly string[]): Step =>
  toolStep('format', [bin('prettier'), '--check', '--ignore-unknown', '--log-level', 'warn', ...paths], root);

export const definitions: Step = toolStep(
  'definitions',
  [process.execPath, 'src/cli/portal.mjs', 'check', '--set', '--strict'],
  root,
);

export const layers: Step = { name: 'layers', run: () => checkLayers(root, bin('depcruise')) };
