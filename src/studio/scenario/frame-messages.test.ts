// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { listenToFrameMessages } from './frame-messages.ts';

test('[EST-07] messages that are no objects, and messages from other frames and origins, are ignored', () => {
  const listener = vi.fn();
  const stop = listenToFrameMessages(() => window, listener);
  const say = (from: string, event: object) =>
    dispatchEvent(new MessageEvent('message', { data: { from }, origin: location.origin, source: window, ...event }));
  say('another window', { source: null });
  say('another origin', { origin: 'https://elsewhere.example' });
  say('the frame', {});
  say('', { data: 'a text of axe' });
  stop();
  say('later', {});
  expect(listener.mock.calls).toEqual([[{ from: 'the frame' }]]);
});
