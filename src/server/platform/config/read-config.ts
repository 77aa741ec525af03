import { toConfig, type Config } from './config.ts';
import { StartError } from '../base/errors.ts';
import { findConflicts } from './conflicts.ts';
import { readSettings } from './settings.ts';

export class ConfigError extends StartError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration has mistakes:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Reads the settings from environment variables. Throws a `ConfigError` with all mistakes. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const { values, problems } = readSettings(env);
  const config = toConfig(values);
  const all = [...problems, ...findConflicts(config, values)];
  if (all.length > 0) throw new ConfigError(all);
  return config;
}
