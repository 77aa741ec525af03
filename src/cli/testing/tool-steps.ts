import { join } from 'node:path';
import { root } from '../project.ts';
import { checkLayers } from './layers.ts';
import { createToolStep, type Step } from './run-step.ts';

export const getBinPath = (name: string): string => join(root, 'node_modules/.bin', name);

export const createLintStep = (paths: readonly string[]): Step =>
  createToolStep('lint', [getBinPath('oxlint'), '--deny-warnings', '--no-error-on-unmatched-pattern', ...paths], root);

/**
 * Type-checks the entire project, because a change can break types in other files. Stores incremental results for the
 * next run.
 */
export const typesStep: Step = createToolStep(
  'types',
  [
    getBinPath('tsc'),
    '-p',
    '.',
    '--noEmit',
    '--incremental',
    '--tsBuildInfoFile',
    'node_modules/.cache/types.tsbuildinfo',
  ],
  root,
);

export const createFormatStep = (paths: readonly string[]): Step =>
  createToolStep(
    'format',
    [getBinPath('prettier'), '--check', '--ignore-unknown', '--log-level', 'warn', ...paths],
    root,
  );

export const definitionsStep: Step = createToolStep(
  'definitions',
  [process.execPath, 'src/cli/portal.mjs', 'check', '--set', '--strict'],
  root,
);

export const layersStep: Step = { name: 'layers', run: () => checkLayers(root, getBinPath('depcruise')) };
