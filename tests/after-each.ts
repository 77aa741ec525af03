import { afterEach, vi } from 'vitest';

// Test files share their worker. Without this, a replaced global, method, clock or document would leak into the next file.
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
  globalThis.document?.body.replaceChildren();
});
