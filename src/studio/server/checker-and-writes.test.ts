import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { DefinitionWriteResult } from '../studio-api-types.ts';
import { createCheckerProcess, writeAndWaitForReload, shareNextRun } from './studio-routes.ts';

test('[EST-09] callers during a run share the next run, also if the current one fails', async () => {
  const runs: { readonly resolve: (answer: string) => void; readonly reject: (error: Error) => void }[] = [];
  const ask = shareNextRun(() => new Promise<string>((resolve, reject) => runs.push({ resolve, reject })));
  const first = ask();
  const later = [ask(), ask()];
  expect(runs).toHaveLength(1);
  runs[0]?.reject(new Error('failed'));
  await expect(first).rejects.toThrow('failed');
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve('new');
  expect(await Promise.all(later)).toEqual(['new', 'new']);
  const last = ask();
  expect(runs).toHaveLength(3);
  runs[2]?.resolve('last');
  expect(await last).toBe('last');
});

test('[EST-09] the response to a write waits until the definitions are in service, except for a write of tests', async () => {
  const listeners = new Set<() => void>();
  const onChange = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const write = (file: string) => {
    const answer: DefinitionWriteResult = {
      outcome: 'written',
      files: [{ file, version: '1', text: '' }],
      partial: false,
    };
    return writeAndWaitForReload({ onChange } as Parameters<typeof writeAndWaitForReload>[0], () =>
      Promise.resolve(answer),
    );
  };
  await write('tests/fixtures/a.json');
  let isAnswered = false;
  const answered = write('flows/a.json').then(() => (isAnswered = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isAnswered).toBe(false);
  for (const listener of listeners) listener();
  await answered;
  expect(listeners.size, 'it listens no longer').toBe(0);
});

test('[EST-13] createCheckerProcess waits for a slow checker, and restarts a checker that has exited', async () => {
  const root = mkdtempSync(join(tmpdir(), 'checker-'));
  mkdirSync(join(root, 'src/cli'), { recursive: true });
  const run = (script: string) => writeFileSync(join(root, 'src/cli/run.mjs'), script);
  run("process.on('message', () => undefined);"); // never responds
  const reader = createCheckerProcess(root);
  try {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const reading = reader.readFindings();
    let isOver = false;
    reading.then(
      () => (isOver = true),
      () => (isOver = true),
    );
    vi.advanceTimersByTime(3_600_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    vi.useRealTimers();
    reader.close();
    await expect(reading).rejects.toThrow('The checker ended.');
    run("process.on('message', () => process.send([]));");
    expect(await reader.readFindings()).toEqual([]);
  } finally {
    vi.useRealTimers();
    reader.close();
    rmSync(root, { recursive: true });
  }
});
