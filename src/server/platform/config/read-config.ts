import { buildConfig, type Config } from './config.ts';
import { StartError } from '../base/errors.ts';
import { findSettingConflicts } from './setting-conflicts.ts';
import { parseSettingValues } from './settings.ts';

export class ConfigError extends StartError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration has mistakes:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Reads the settings from environment variables. Throws a `ConfigError` with all mistakes. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const { values, problems } = parseSettingValues(env);
  const config = buildConfig(values);
  const all = [...problems, ...findSettingConflicts(config, values)];
  if (!config.loopback && env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    all.push(
      'NODE_TLS_REJECT_UNAUTHORIZED must not be 0, because Node.js would accept any certificate of the database, identity providers and applications. Add their authorities with NODE_EXTRA_CA_CERTS.',
    );
  if (all.length > 0) throw new ConfigError(all);
  return config;
}
