import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createMeasuredConnectionPool,
  type PooledConnection,
} from '../../../src/server/platform/database/measured-connection-pool.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** Creates a pool with `count` connections. A connection has one borrower at a time. */
function createPool(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  const connection: PooledConnection = {
    query: async () => expect.fail('nothing is asked'),
    release() {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    },
  };
  return createMeasuredConnectionPool(count, {
    async connect() {
      if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      else free -= 1;
      return connection;
    },
    end: async () => undefined,
  });
}

test('[OPER-08] waitMs estimates the wait for a connection from the moving average of earlier loans', async () => {
  const pool = createPool(2);
  const [one, two] = [await pool.connect(), await pool.connect()];
  expect(pool.waitMs()).toBe(0);
  vi.advanceTimersByTime(100);
  one.release();
  two.release();
  const loanMs = 10 + 9; // moving average: a tenth of the first duration, plus a tenth of the excess of the second
  await Promise.all([pool.connect(), pool.connect()]);
  const waiting = Array.from({ length: 6 }, () => pool.connect());
  expect(pool.waitMs()).toBeCloseTo((6 / 2) * loanMs);
  waiting.forEach((wait) => void wait.then((connection) => connection.release()));
  one.release();
  await Promise.all(waiting);
  expect(pool.waitMs()).toBe(0);
});

test('[OPER-08] waitMs is at least the time that the first request in the queue has waited', async () => {
  const pool = createPool(1);
  const connection = await pool.connect();
  const first = pool.connect();
  vi.advanceTimersByTime(700);
  const second = pool.connect();
  expect(pool.waitMs()).toBe(700);
  connection.release();
  (await first).release();
  await second;
  expect(pool.waitMs()).toBe(0);
});
