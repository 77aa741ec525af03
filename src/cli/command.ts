import { parseArgs, type ParseArgsConfig } from 'node:util';
import { DefinitionError } from '../engine/compiler/definitions.ts';
import { describeError, RestoreError, StartError } from '../server/platform/base/errors.ts';
import { DatabaseUnavailableError } from '../server/platform/database/database-unavailable-error.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Asks the user a question and returns the answer. `null` if the terminal is not interactive. */
  readonly ask: ((question: string) => Promise<string>) | null;
}

export interface CliInvocation<O extends Options = Options> {
  readonly options: ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>['values'];
  readonly positionals: readonly string[];
  readonly terminal: Terminal;
}

/** Runs a command with the arguments that follow its name. Returns the exit code. */
export type CliAction = (words: readonly string[], terminal: Terminal) => Promise<number>;

/** One action, or an action for each verb, as in `portal account block`. */
export type CliCommand = CliAction | Readonly<Record<string, CliAction>>;

/** An error that the user can fix. The message says how. The exit code is 1. */
export class CommandError extends Error {}

/** An invalid command line. The exit code is 2. */
export class UsageError extends Error {}

const userErrors = [CommandError, DefinitionError, StartError, DatabaseUnavailableError, RestoreError];

export function createCliAction<O extends Options>(
  options: O,
  run: (given: CliInvocation<O>) => Promise<number | undefined> | Promise<void>,
): CliAction {
  return async (words, terminal) => {
    const given = convertToUsageError(() => parseArgs({ args: [...words], options, allowPositionals: true }));
    return (await run({ options: given.values, positionals: given.positionals, terminal })) ?? 0;
  };
}

export function convertToUsageError<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new UsageError(describeError(cause), { cause });
  }
}

/** Returns the exit code. Prints errors that the user can fix, and `usage` after a UsageError. Throws all other errors. */
export async function runCommand(
  command: CliCommand,
  words: readonly string[],
  terminal: Terminal,
  usage = '',
): Promise<number> {
  try {
    if (typeof command === 'function') return await command(words, terminal);
    const [verb, ...rest] = words;
    if (verb === undefined) throw new UsageError('Missing command.');
    const chosen = Object.hasOwn(command, verb) ? command[verb] : undefined;
    if (chosen === undefined) throw new UsageError(`There is no command ${verb}.`);
    return await chosen(rest, terminal);
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.err(`${error.message}\n${usage}`);
      return 2;
    }
    if (!(error instanceof Error) || !userErrors.some((kind) => error instanceof kind)) throw error;
    terminal.err(`${error.message}\n`);
    return 1;
  }
}

export function rejectExtraArguments(words: readonly string[]): void {
  if (words.length > 0) throw new UsageError('Unexpected argument.');
}
