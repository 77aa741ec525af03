import pino from 'pino';
import { expect, test } from 'vitest';
import { createDeferredWorkRunner } from '../../../src/server/platform/http/deferred-work.ts';

test('deferred work starts only after its pause, and settled() waits until it is done', async () => {
  let release = (): void => undefined;
  const later = createDeferredWorkRunner(
    pino({ enabled: false }),
    () => new Promise<void>((resolve) => (release = resolve)),
  );
  const done: string[] = [];
  later.add(async () => void done.push('mail'));
  await new Promise(setImmediate);
  expect(done).toEqual([]);

  const settled = later.settled().then(() => done.push('settled'));
  release();
  await settled;
  expect(done).toEqual(['mail', 'settled']);
});
