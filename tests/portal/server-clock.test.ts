import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getServerTime, synchronizeClock } from '../../src/portal/session/server-clock.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-01T00:00:00Z') }));
afterEach(() => void synchronizeClock(new Date().toISOString()));

test('[SES-01] now() returns the time of the server on a device whose clock is wrong', () => {
  synchronizeClock('2026-03-02T15:00:00.000Z');
  expect(getServerTime()).toEqual(new Date('2026-03-02T15:00:00Z'));
  vi.setSystemTime(new Date('2030-01-01T00:00:30Z'));
  expect(getServerTime()).toEqual(new Date('2026-03-02T15:00:30Z'));
});
