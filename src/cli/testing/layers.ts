import { join } from 'node:path';
import { action, type Command } from '../command.ts';
import { root } from '../project.ts';
import { spawnSync } from 'node:child_process';
import { isObject } from '../../engine/core/json.ts';
import type { Count } from './run-step.ts';

export const command: Command = {
  action: action({}, async ({ terminal }) => {
    const { failed, named } = await checkLayers(root, join(root, 'node_modules/.bin/depcruise'));
    if (named.length > 0) terminal.err(`${named.join('\n')}\n`);
    return failed === 0 ? 0 : 1;
  }),
};

/** Runs dependency-cruiser over the product's folders. A run that read no module fails, because it proves nothing. */
export async function checkLayers(root: string, program: string): Promise<Count> {
  const parameters = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src', 'plugins'];
  const { stdout, stderr } = spawnSync(program, parameters, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  const summary = readSummary(stdout);
  if (!summary) return fail(stderr);
  if (!(Number(summary['totalCruised']) > 0)) return fail('dependency-cruiser read no module');
  const violations = Array.isArray(summary['violations']) ? summary['violations'].filter(isObject) : [];
  const named = violations.map(
    ({ from, to, rule }) => `failed: ${String(from)} -> ${String(to)}: ${isObject(rule) ? String(rule['name']) : ''}`,
  );
  process.stdout.write(`${String(summary['totalCruised'])} modules\n`);
  return violations.length === 0 ? { passed: 1, failed: 0, named } : { passed: 0, failed: 1, named };
}

function readSummary(output: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(output);
    return isObject(parsed) && isObject(parsed['summary']) ? parsed['summary'] : null;
  } catch {
    return null;
  }
}

function fail(message: string): Count {
  return { passed: 0, failed: 1, named: [`failed: ${message}`] };
}
