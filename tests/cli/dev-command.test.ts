import { expect, test } from 'vitest';
import { command } from '../../src/cli/dev.ts';
import { runInProcess } from '../server/support/run-command.ts';

const given = { BASE_URL: '', DATABASE_URL: 'postgresql://127.0.0.1:1/none' };
const proxied = { BASE_URL: 'https://portal.example', MALWARE_SCANNER: 'none', SMTP_URL: 'smtps://mail.example' };

test.each<[setting: string, env: Readonly<Record<string, string>>]>([
  ['HOST (0.0.0.0)', { HOST: '0.0.0.0', BASE_URL: 'http://localhost:3000' }],
  ['HOST (::)', { HOST: '::', BASE_URL: 'http://localhost:3000' }],
  ['HOST (192.168.1.20)', { HOST: '192.168.1.20', PLAIN_TRANSPORTS: 'http', ...proxied }],
  ['BASE_URL (https://portal.example)', proxied],
  ['DATABASE_URL', {}],
  ['DATABASE_URL', { HOST: '127.0.0.1', BASE_URL: 'http://localhost:3000' }],
])('[EST-09] portal dev rejects the setting %s and names npm start (case %#)', async (setting, env) => {
  const { status, stdout, stderr } = await runInProcess(command, [], { ...given, ...env });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^portal dev /);
  expect(stderr).toContain(setting);
  expect(stderr).toContain('npm start');
});
