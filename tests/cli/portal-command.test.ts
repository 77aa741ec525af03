import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import commands from '../../src/cli/commands.json' with { type: 'json' };
import { createCliAction, runCommand, UsageError, type CliCommand } from '../../src/cli/command.ts';
import { runInProcess } from '../server/support/run-command.ts';
import { root } from '../architecture/source-texts.ts';

const portal = (...words: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['src/cli/portal.mjs', ...words], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: 'postgresql://127.0.0.1:1/none' },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

test.each(Object.entries(commands))(
  '[DESK-10] portal %s prints its usage for -h after its arguments',
  async (name, { file }) => {
    expect(await import(/* @vite-ignore */ join(root, 'src/cli', file))).toHaveProperty('command');
    const { status, stdout, stderr } = portal(...name.split(' '), 'what', 'ever', '-h');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage:\n/);
    expect(stdout).toContain(`portal ${name}`);
  },
);

describe('portal', () => {
  test('lists its commands, and exits with 2 for an unknown or missing command', () => {
    const all = portal('--help');
    expect(all).toMatchObject({ status: 0, stderr: '' });
    for (const name of Object.keys(commands)) expect(all.stdout).toContain(`portal ${name} `);
    expect(portal('new', '--help').stdout).not.toContain('account');
    expect(portal('nada')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^There is no .*nada/),
    });
    expect(portal('definitions', 'check')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^There is no command definitions check\.\n[^]*portal definitions diff/),
    });
    expect(portal()).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('portal start') });
  });

  test('loads the requested command and prints its errors without a stack trace', () => {
    expect(portal('definitions', 'diff', '--help')).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Usage:\n[^]*portal definitions diff/),
    });
    expect(portal('account', 'block')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /^(?:oidc-provider WARNING: Unsupported runtime.*\n)?Missing argument: DOCUMENT\.\n/,
      ),
    });
    expect(portal('mails', 'list')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.not.stringContaining(' at '),
    });
  });
});

describe('runCommand', () => {
  const command: CliCommand = {
    add: createCliAction({ name: { type: 'string' } }, async ({ options, positionals, terminal }) =>
      terminal.out(`${options.name} ${positionals.join()}`),
    ),
    fail: createCliAction({}, async () => 3),
    misuse: createCliAction({}, () => {
      throw new UsageError('How?');
    }),
    broken: createCliAction({}, async () => {
      throw new TypeError('a mistake of ours');
    }),
  };

  test.each([
    { words: ['add', '--name', 'N', 'a', 'b'], ended: { status: 0, stdout: 'N a,b', stderr: '' } },
    { words: ['fail'], ended: { status: 3, stdout: '', stderr: '' } },
    { words: ['misuse'], ended: { status: 2, stdout: '', stderr: 'How?\nUsage: x\n' } },
    { words: [], ended: { status: 2, stdout: '', stderr: 'Missing command.\nUsage: x\n' } },
    { words: ['toString'], ended: { status: 2, stdout: '', stderr: 'There is no command toString.\nUsage: x\n' } },
    { words: ['add', '--nada'], ended: { status: 2, stdout: '', stderr: expect.stringContaining("'--nada'") } },
  ])('returns the exit code and the output for the words $words', async ({ words, ended }) => {
    expect(await runInProcess(command, words, {}, 'Usage: x\n')).toEqual(ended);
  });

  test('rethrows an unexpected error', async () => {
    const terminal = { env: {}, out: () => {}, err: () => {}, ask: null };
    await expect(runCommand(command, ['broken'], terminal)).rejects.toThrow('a mistake of ours');
  });
});
