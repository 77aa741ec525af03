import { spawn } from 'node:child_process';

export interface StepResult {
  readonly passed: number;
  readonly failed: number;
  /** A line for each test that failed, or passed only on the second attempt. */
  readonly named: readonly string[];
}

export interface Step {
  readonly name: string;
  readonly run: () => Promise<StepResult>;
}

/** Counts one failure if there are lines, otherwise one success. */
export function createStepResult(named: readonly string[]): StepResult {
  return { passed: named.length === 0 ? 1 : 0, failed: named.length === 0 ? 0 : 1, named };
}

export function createToolStep(name: string, command: readonly string[], root: string): Step {
  const run = async () => createStepResult((await runTool(command, root)) === 0 ? [] : [`failed: ${name}`]);
  return { name, run };
}

/** Runs a package's program with this process's Node.js and returns its exit code. Its output is shown in the terminal. */
export function runTool(
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
