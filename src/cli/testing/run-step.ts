import { spawn } from 'node:child_process';

export interface Count {
  readonly passed: number;
  readonly failed: number;
  /** A line for each test that failed, or passed only at its second try. */
  readonly named: readonly string[];
}

/** One step of the test command; the reading of its output is its own. */
export interface Step {
  readonly name: string;
  readonly run: () => Promise<Count>;
}

/** A tool that either succeeds or does not: counts as one test. */
export function toolStep(name: string, command: readonly string[], root: string): Step {
  return {
    name,
    run: async () =>
      (await runTool(command, root)) === 0
        ? { passed: 1, failed: 0, named: [] }
        : { passed: 0, failed: 1, named: [`failed: ${name}`] },
  };
}

/** Runs a package's program with the node of this process; answers its exit code. Its output goes to the terminal. */
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
