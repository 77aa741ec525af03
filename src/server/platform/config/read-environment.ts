import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { isObject } from '../../../engine/core/json.ts';
import { ConfigError } from './read-config.ts';
import type { Setting } from './setting-values.ts';
import { settingDefinitions } from './settings.ts';

/** Environment variable with the path of a YAML file of settings. */
const configFileVariable = 'PORTAL_CONFIG';

export const secretSettingNames = Object.entries<Setting<unknown>>(settingDefinitions).flatMap(([name, { secret }]) =>
  secret ? [name] : [],
);

/** All accepted names of settings, with `NAME_FILE` for secrets. */
export const settingNames: ReadonlySet<string> = new Set([
  configFileVariable,
  ...Object.keys(settingDefinitions),
  ...secretSettingNames.map((name) => `${name}_FILE`),
]);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Merges the settings: environment variables take precedence over the YAML file of PORTAL_CONFIG, and the YAML file over `.env` in `folder`. NAME_FILE
 * reads the secret NAME from a file. Throws a `ConfigError` for unreadable files and unknown names.
 */
export function readEnvironment(env: Environment, folder = process.cwd()): Environment {
  const problems: string[] = [];
  const read = (path: string, name: string): string | null => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      problems.push(`${name} must name a file that can be read, not ${JSON.stringify(path)}.`);
      return null;
    }
  };
  const readSecretFiles = (source: Environment): Environment => {
    const merged = { ...source };
    for (const name of secretSettingNames) {
      const file = source[`${name}_FILE`];
      if (!file) continue;
      if (source[name]) problems.push(`${name} and ${name}_FILE must not both be set.`);
      merged[name] = read(file, `${name}_FILE`)?.replace(/\r?\n$/, '');
      merged[`${name}_FILE`] = undefined;
    }
    return merged;
  };
  const dotenv = join(folder, '.env');
  const { [configFileVariable]: file, ...given } = env;
  const yaml = file ? read(file, configFileVariable) : null;
  const merged = {
    ...(existsSync(dotenv) && readSecretFiles(parseEnv(read(dotenv, '.env') ?? ''))),
    ...(yaml !== null && readSecretFiles(parseSettings(yaml, problems))),
    ...readSecretFiles(given),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return merged;
}

/** Parses the YAML file of PORTAL_CONFIG, and joins lists with commas. Adds a line to `problems` for each invalid entry. */
function parseSettings(text: string, problems: string[]): Record<string, string> {
  const found: unknown = parseYaml(text);
  if (!isObject(found)) {
    problems.push('PORTAL_CONFIG must be a YAML file of settings, one `NAME: value` a line.');
    return {};
  }
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, value]) => {
      if (name === configFileVariable || !settingNames.has(name))
        problems.push(`PORTAL_CONFIG names ${name}, which is no setting.`);
      else if (isObject(value) || (Array.isArray(value) && value.some((item) => typeof item === 'object')))
        problems.push(`${name} must be a text, a number or a list of them in PORTAL_CONFIG.`);
      else return [[name, formatOnOff(value)]];
      return [];
    }),
  );
}

/** Formats a YAML value as the text of a setting. Accepts `on`, which YAML 1.2 parses as a string, and `true`, which it parses as a boolean. */
function formatOnOff(value: unknown): string {
  if (value === true) return 'on';
  if (value === false) return 'off';
  return value === null ? '' : String(value);
}

function parseYaml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return null;
  }
}
