import { afterEach, vi } from 'vitest';

// Files share their worker: what a test puts in place of a global, a method or the time, or into the page, would stand there for the tests of the next file.
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
  globalThis.document?.body.replaceChildren();
});
