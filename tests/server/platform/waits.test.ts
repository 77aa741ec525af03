import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Line } from '../../../src/server/platform/database/pipeline.ts';
import { timed } from '../../../src/server/platform/database/waits.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** So many lines, of which each is lent to one at a time. */
function linesOf(count: number) {
  const free: Line[] = Array.from({ length: count }, () => ({
    query: async () => ({ rows: [], affected: 0 }),
    together: (ask) => ask(),
  }));
  const waiting: ((line: Line) => void)[] = [];
  return timed(count, {
    acquire: async () => free.pop() ?? new Promise<Line>((resolve) => waiting.push(resolve)),
    release(line) {
      const next = waiting.shift();
      if (next) next(line);
      else free.push(line);
    },
    close: async () => undefined,
  });
}

test('[OPER-08] who asks for a connection waits as long as the loans of those before take', async () => {
  const lines = linesOf(2);
  const [one, two] = [await lines.acquire(), await lines.acquire()];
  expect(lines.waitMs()).toBe(0);
  vi.advanceTimersByTime(100);
  lines.release(one);
  lines.release(two);
  const loanMs = 10 + 9; // a tenth of the first, and of what the second took beyond that
  await Promise.all([lines.acquire(), lines.acquire()]);
  const waiting = Array.from({ length: 6 }, () => lines.acquire());
  expect(lines.waitMs()).toBeCloseTo((6 / 2) * loanMs);
  waiting.forEach((wait) => void wait.then((line) => lines.release(line)));
  lines.release(one);
  await Promise.all(waiting);
  expect(lines.waitMs()).toBe(0);
});

test('[OPER-08] while no loan ends, who asks waits at least as long as the first who waits', async () => {
  const lines = linesOf(1);
  const line = await lines.acquire();
  const first = lines.acquire();
  vi.advanceTimersByTime(700);
  const second = lines.acquire();
  expect(lines.waitMs()).toBe(700);
  lines.release(line);
  lines.release(await first);
  await second;
  expect(lines.waitMs()).toBe(0);
});
