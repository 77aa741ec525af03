import { beforeEach, expect, test, vi } from 'vitest';
import { PendingRequestAnnouncer } from '../../src/portal/shell/pending-request-announcer.ts';

beforeEach(() => void vi.useFakeTimers());

test('[ERR-03] PendingRequestAnnouncer announces a wait that takes longer than a moment, until it ends', () => {
  const line = new PendingRequestAnnouncer();
  const said: string[] = [];
  line.subscribe(() => said.push(line.text));
  line.announcePending('quick')();
  const came = line.announcePending('slow');
  vi.advanceTimersByTime(5_000);
  const second = line.announcePending('second');
  vi.advanceTimersByTime(5_000);
  came();
  came();
  second();
  expect(said).toEqual(['slow', 'slow', 'second', '']);
});
