import { fork, type ChildProcess } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openLogOutput } from '../../../src/server/platform/base/log-output.ts';
import { projectRoot } from '../../../src/cli/project.ts';

function startWriter(): ChildProcess {
  const script = fileURLToPath(new URL('../support/write-log.ts', import.meta.url));
  const child = fork(join(projectRoot, 'src/cli/run.mjs'), [script], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test.each([
  ['throw', 'uncaughtException'],
  ['reject', 'unhandledRejection'],
])(
  '[ASVS-16.5.4] process logs an uncaught error (%s) without the document number, stops in order and exits with 1',
  async (way, event) => {
    const script = fileURLToPath(new URL('../support/stray-error.ts', import.meta.url));
    const child = fork(join(projectRoot, 'src/cli/run.mjs'), [script, way], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const [lines, errors, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'exit')]);
    const [fatal, last] = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(fatal).toMatchObject({ level: 60, event, err: { type: 'Error', message: 'the document ****** is wrong' } });
    expect(last).toMatchObject({ msg: 'stopped' });
    expect([code, lines.includes('45123784'), errors.includes('45123784')]).toEqual([1, false, false]);
  },
);

test.each([
  { reader: 'has closed the pipe', leave: (child: ChildProcess) => child.stdout?.destroy() },
  { reader: 'has paused', leave: (child: ChildProcess) => child.stdout?.pause() },
])(
  '[OPER-01] process whose log reader $reader drops and counts lines, and exits at SIGTERM',
  { timeout: 60_000 },
  async ({ leave }) => {
    const child = startWriter();
    if (!child.stdout) throw new Error('The output is a pipe.');
    await once(child.stdout, 'data');
    leave(child);
    let dropped = 0;
    child.on('message', (count) => (dropped = Number(count)));
    await expect.poll(() => dropped, { timeout: 30_000 }).toBeGreaterThan(0);
    const before = dropped;
    await expect.poll(() => dropped, { timeout: 30_000 }).toBeGreaterThan(before);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  },
);

test('openLogOutput writes all lines in order, also those that flushSync writes at the end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-log-'));
  const fd = openSync(join(folder, 'log'), 'w');
  onTestFinished(() => {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  });
  const output = openLogOutput(fd);
  const lines = Array.from({ length: 5_000 }, (_, line) => `línea ${line}\n`);
  for (const line of lines.slice(0, 4_000)) output.write(line);
  const written = () => readFileSync(join(folder, 'log'), 'utf8');
  await expect.poll(written).toBe(lines.slice(0, 4_000).join(''));
  for (const line of lines.slice(4_000)) output.write(line);
  output.flushSync();
  expect(written()).toBe(lines.join(''));
  expect(output.countDroppedLines()).toBe(0);
});
