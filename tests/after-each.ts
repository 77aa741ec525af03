import { afterEach, vi } from 'vitest';

// Restores the globals, methods, clock and document that a test has replaced, because test files share their worker.
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
  globalThis.document?.body.replaceChildren();
});
