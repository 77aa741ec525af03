import { afterEach, expect, test, vi } from 'vitest';
import { createFlow } from '../../src/engine/index.ts';

afterEach(() => void vi.useRealTimers());

test.each([
  [
    'reports a flow that is rendered but not started',
    false,
    ['Error: The flow "a" is rendered, but was not started: call start().'],
  ],
  ['reports nothing if a rendered flow is started', true, []],
])('[ENG-11] createFlow %s', async (_, starts, errors) => {
  vi.useFakeTimers();
  const reportError = vi.fn();
  const loadScreen = () => Promise.reject(new Error('The flow has no screen.'));
  const flow = { id: 'a', initial: 'one', states: { one: { block: 'panel' } } };
  const running = createFlow(flow, { loadScreen, invoke: async () => ({ ok: true, result: null }), reportError });
  running.subscribe(() => undefined);
  if (starts) await running.start();
  vi.advanceTimersByTime(2_000);
  expect(reportError.mock.calls.flat().map(String)).toEqual(errors);
});
