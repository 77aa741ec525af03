import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StatusLine } from '../../src/portal/shell/status-line.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('[ERR-03] what is awaited longer than a moment is said, until it came', () => {
  const line = new StatusLine();
  const said: string[] = [];
  line.subscribe(() => said.push(line.text));
  line.wait('quick')();
  const came = line.wait('slow');
  vi.advanceTimersByTime(5_000);
  const second = line.wait('second');
  vi.advanceTimersByTime(5_000);
  came();
  came();
  second();
  expect(said).toEqual(['slow', 'slow', 'second', '']);
});

test('[INI-11] the newest message is said a breath after it came, over what is awaited, for a while; the same one again is said again', () => {
  const line = new StatusLine();
  const said: string[] = [];
  line.subscribe(() => {
    if (said.at(-1) !== line.text) said.push(line.text);
  });
  line.wait('slow');
  vi.advanceTimersByTime(1_000);
  const gone = line.say('saved');
  expect(said, 'the focus moves first').toEqual(['slow']);
  vi.advanceTimersByTime(1_000);
  gone();
  line.say('saved');
  vi.advanceTimersByTime(10_000);
  expect(said).toEqual(['slow', 'saved', 'slow', 'saved', 'slow']);
});
