import type { Values } from '../../../src/engine/core/json.ts';

/** Prepares a document in this process as the tests have it, and draws snapshots of compiled screens. */
export async function openDrawing() {
  const { builtinEnvironments } = await import('vitest/runtime');
  const { teardown } = await builtinEnvironments['happy-dom'].setup(globalThis, {});
  const channels: MessageChannel[] = [];
  class ClosedLater extends MessageChannel {
    constructor() {
      super();
      channels.push(this); // React leaves its channels open, which keeps the process alive
    }
  }
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true, MessageChannel: ClosedLater });
  const { drawSnapshot, loadSource } = await import('./draw-screen.tsx'); // React looks for a document as it is loaded
  return {
    draw: async (base: string, portuguese: string, context: Values) =>
      drawSnapshot(await loadSource(base), await loadSource(portuguese), context),
    async close() {
      for (const { port1 } of channels) port1.close();
      await teardown(globalThis);
    },
  };
}
