import { spawn } from 'node:child_process';

export interface StepResult {
  readonly passed: number;
  readonly failed: number;
  /** Lines that name each test that failed, or that passed only on retry. */
  readonly named: readonly string[];
}

export interface Step {
  readonly name: string;
  readonly run: () => Promise<StepResult>;
}

/**
 * Creates the result of a step from its failure lines. Counts them as one failure, or one success if there are none.
 */
export function createStepResult(named: readonly string[]): StepResult {
  return { passed: named.length === 0 ? 1 : 0, failed: named.length === 0 ? 0 : 1, named };
}

export function createToolStep(name: string, command: readonly string[], root: string): Step {
  const run = async () => createStepResult((await runTool(command, root)) === 0 ? [] : [`failed: ${name}`]);
  return { name, run };
}

/**
 * Runs the executable of a package with the current Node.js. The executable writes to this process's output. Returns
 * the exit code.
 */
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
