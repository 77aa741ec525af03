import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../src/server/platform/config/read-config.ts';
import { settingDefinitions } from '../../../src/server/platform/config/settings.ts';
import { readEnvironment, secretSettingNames } from '../../../src/server/platform/config/read-environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'settings-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const problems = (env: Record<string, string>): readonly string[] => {
  try {
    readEnvironment(env, folder);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('[OPER-09] readEnvironment', () => {
  test('prefers the environment to the file of PORTAL_CONFIG, and that file to .env', () => {
    file('.env', 'PORT=4001\nHOST=::1\nMAIL_FROM="Cuenta <a@b.uy>"\n');
    const config = file('portal.yaml', 'PORT: 4002\nMETRICS_PORT: 4010\nSAMPLE_DATA: off\nFLAGS:\n  - ayuda=off\n');
    const env = readEnvironment({ PORTAL_CONFIG: config, METRICS_PORT: '4011' }, folder);
    expect(readConfig(env)).toMatchObject({
      port: 4002,
      host: '::1',
      mailFrom: 'Cuenta <a@b.uy>',
      metricsPort: 4011,
      sampleData: false,
      flags: { ayuda: false },
    });
    rmSync(join(folder, '.env'));
  });

  test('reads a secret setting from the file named by its _FILE variable', () => {
    const url = 'postgresql://portal:secreto@db/portal?sslmode=verify-full';
    const secret = file('database-url', `${url}\n`);
    expect(readConfig(readEnvironment({ DATABASE_URL_FILE: secret }, folder)).databaseUrl).toBe(url);
    const yaml = file('secrets.yaml', `DATABASE_URL_FILE: ${secret}\n`);
    const env = readEnvironment({ PORTAL_CONFIG: yaml }, folder);
    expect(readConfig(env).databaseUrl).toBe(url);
    expect(readEnvironment(env, folder), 'read again').toEqual(env);
  });

  test.each(secretSettingNames)('[ASVS-13.3.1] the secret %s may be in a mounted file', (name) => {
    const path = file(`secret-${name}`, 'from-the-vault\n');
    expect(readEnvironment({ [`${name}_FILE`]: path }, folder)[name]).toBe('from-the-vault');
  });

  test('[ASVS-13.3.1] each setting that is named like a secret is one, or a file or a rule', () => {
    const named = Object.keys(settingDefinitions).filter((name) =>
      /KEY|SECRET|TOKEN|PASSWORD|CREDENTIAL|_PIN/.test(name),
    );
    const others = ['TOKEN_LIFE_S', 'PASSWORD_PATTERN', 'PASSWORD_PATTERN_TEXT', 'KEYS_DIR'];
    expect(named.filter((name) => !secretSettingNames.includes(name)).toSorted()).toEqual(others.toSorted());
    const urls = Object.entries<{ parse: (text: string) => unknown }>(settingDefinitions).filter(
      ([name, { parse }]) => {
        const takes = (text: string) => {
          try {
            return parse(text) === text;
          } catch {
            return false;
          }
        };
        return takes('smtps://user:password@host') && !takes('x') && !secretSettingNames.includes(name);
      },
    );
    expect(urls.map(([name]) => name)).toEqual([]);
  });

  test.each([
    [
      'a PORTAL_CONFIG file that does not exist',
      () => ({ PORTAL_CONFIG: join(folder, 'none.yaml') }),
      /^PORTAL_CONFIG must name a file/,
    ],
    [
      'a PORTAL_CONFIG file that is not YAML',
      () => ({ PORTAL_CONFIG: file('a.yaml', 'a: [') }),
      /^PORTAL_CONFIG must be a YAML/,
    ],
    ['a YAML list', () => ({ PORTAL_CONFIG: file('b.yaml', '- PORT') }), /^PORTAL_CONFIG must be a YAML/],
    ['an unknown setting', () => ({ PORTAL_CONFIG: file('c.yaml', 'PROT: 1') }), /^PORTAL_CONFIG names PROT/],
    [
      'a property name of Object.prototype',
      () => ({ PORTAL_CONFIG: file('d.yaml', 'constructor: 1') }),
      /names constructor/,
    ],
    [
      'a _FILE variable of a setting that is not secret',
      () => ({ PORTAL_CONFIG: file('e.yaml', 'PORT_FILE: x') }),
      /names PORT_FILE/,
    ],
    [
      'a map as the value of a setting',
      () => ({ PORTAL_CONFIG: file('f.yaml', 'FLAGS: { ayuda: on }') }),
      /^FLAGS must be a text/,
    ],
    [
      'a secret and its _FILE variable at once',
      () => ({ SMTP_URL: 'smtp://a', SMTP_URL_FILE: file('s', 'smtp://b') }),
      /^SMTP_URL and/,
    ],
    ['a secret file that does not exist', () => ({ SMTP_URL_FILE: join(folder, 'gone') }), /^SMTP_URL_FILE must name/],
  ])('rejects %s', (_, env, problem) => {
    expect(problems(env() as Record<string, string>)).toEqual([expect.stringMatching(problem)]);
  });
});
