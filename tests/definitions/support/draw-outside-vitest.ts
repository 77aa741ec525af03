import type { SnapshotRenderer } from '../../../src/cli/definitions/cases/screen-snapshots.ts';

/**
 * Sets up a DOM in this process like that of the tests. Returns functions that render snapshots of compiled screens and replay scenarios.
 */
export async function openSnapshotRenderer(): Promise<SnapshotRenderer> {
  const { builtinEnvironments } = await import('vitest/runtime');
  const { teardown } = await builtinEnvironments['happy-dom'].setup(globalThis, {});
  const channels: MessageChannel[] = [];
  class ClosedLater extends MessageChannel {
    constructor() {
      super();
      channels.push(this); // closed at the end, because open channels of React prevent the process from exiting
    }
  }
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true, MessageChannel: ClosedLater });
  const { drawSnapshot, loadSource } = await import('./draw-screen.tsx'); // imported after the setup, because React checks for a document when it is loaded
  return {
    replay: async (...scenario) => (await import('./replay-scenario.ts')).findReplayMismatch(...scenario), // loaded only if needed, because most checks replay nothing
    render: async (base, translated, context) =>
      drawSnapshot(await loadSource(base), await loadSource(translated), context),
    async close() {
      for (const { port1 } of channels) port1.close();
      await teardown(globalThis);
    },
  };
}
