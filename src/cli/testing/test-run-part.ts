import { spawn } from 'node:child_process';
import { projectRoot } from '../project.ts';

export interface TestRunPartResult {
  readonly passed: number;
  readonly failed: number;
  /** Tests that failed, or that passed only on retry. */
  readonly named: readonly string[];
}

export interface TestRunPart {
  readonly name: string;
  readonly run: () => Promise<TestRunPartResult>;
}

/** Any number of failure lines counts as one failure, and none as one success. */
export function createTestRunPartResult(named: readonly string[]): TestRunPartResult {
  return { passed: named.length === 0 ? 1 : 0, failed: named.length === 0 ? 0 : 1, named };
}

export function createCommandCheck(name: string, command: readonly string[]): TestRunPart {
  const run = async () =>
    createTestRunPartResult((await runPackageExecutable(command, projectRoot)) === 0 ? [] : [`failed: ${name}`]);
  return { name, run };
}

/** Runs the executable of an installed package, which writes to this process's output. Returns the exit code. */
export function runPackageExecutable(
  command: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const [program = '', ...parameters] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, {
      cwd,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
