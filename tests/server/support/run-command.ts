import { runCommand, type CliCommand } from '../../../src/cli/command.ts';

export interface CommandResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command of the command line in this process, without a terminal. `env` adds environment variables. `usage` is
 * the help text.
 */
export async function runInProcess(
  command: CliCommand,
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  usage = 'Usage:\n',
): Promise<CommandResult> {
  const written = { stdout: '', stderr: '' };
  const status = await runCommand(
    command,
    words,
    {
      env: { ...process.env, ...env },
      out: (text) => void (written.stdout += text),
      err: (text) => void (written.stderr += text),
      ask: null,
    },
    usage,
  );
  return { status, ...written };
}
