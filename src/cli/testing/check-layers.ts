import { join } from 'node:path';
import { createCliAction } from '../command.ts';
import { projectRoot } from '../project.ts';
import { spawnSync } from 'node:child_process';
import { createTestRunPartResult, type TestRunPartResult } from './test-run-part.ts';

export const command = createCliAction({}, async ({ terminal }) => {
  const { failed, named } = await checkLayers(projectRoot, join(projectRoot, 'node_modules/.bin/depcruise'));
  if (named.length > 0) terminal.err(`${named.join('\n')}\n`);
  return failed === 0 ? 0 : 1;
});

interface CruiseSummary {
  readonly totalCruised: number;
  readonly violations: readonly { from: string; to: string; rule: { name: string } }[];
}

/** Fails if dependency-cruiser finds no module, because the check would prove nothing. */
export async function checkLayers(root: string, program: string): Promise<TestRunPartResult> {
  const parameters = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src', 'plugins'];
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 } as const;
  const { stdout, stderr } = spawnSync(program, parameters, options);
  const summary = readSummary(stdout);
  if (!summary) return createTestRunPartResult([`failed: ${stderr}`]);
  if (!(summary.totalCruised > 0)) return createTestRunPartResult(['failed: dependency-cruiser read no module']);
  process.stdout.write(`${summary.totalCruised} modules\n`);
  return createTestRunPartResult(
    summary.violations.map(({ from, to, rule }) => `failed: ${from} -> ${to}: ${rule.name}`),
  );
}

function readSummary(output: string): CruiseSummary | null {
  try {
    return (JSON.parse(output) as { readonly summary?: CruiseSummary }).summary ?? null;
  } catch {
    return null;
  }
}
