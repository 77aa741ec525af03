import { join } from 'node:path';
import { action } from '../command.ts';
import { root } from '../project.ts';
import { spawnSync } from 'node:child_process';
import { createCount, type Count } from './run-step.ts';

export const command = action({}, async ({ terminal }) => {
  const { failed, named } = await checkLayers(root, join(root, 'node_modules/.bin/depcruise'));
  if (named.length > 0) terminal.err(`${named.join('\n')}\n`);
  return failed === 0 ? 0 : 1;
});

interface Summary {
  readonly totalCruised: number;
  readonly violations: readonly { from: string; to: string; rule: { name: string } }[];
}

/** Runs dependency-cruiser over the product's folders. A run that read no module fails, because it proves nothing. */
export async function checkLayers(root: string, program: string): Promise<Count> {
  const parameters = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src', 'plugins'];
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 } as const;
  const { stdout, stderr } = spawnSync(program, parameters, options);
  const summary = readSummary(stdout);
  if (!summary) return createCount([`failed: ${stderr}`]);
  if (!(summary.totalCruised > 0)) return createCount(['failed: dependency-cruiser read no module']);
  process.stdout.write(`${summary.totalCruised} modules\n`);
  return createCount(summary.violations.map(({ from, to, rule }) => `failed: ${from} -> ${to}: ${rule.name}`));
}

function readSummary(output: string): Summary | null {
  try {
    return (JSON.parse(output) as { readonly summary?: Summary }).summary ?? null;
  } catch {
    return null;
  }
}
