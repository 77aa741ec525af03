import { Worker } from 'node:worker_threads';

/** Maximum number of recorded requests in flight. */
const slots = 64;
const nameBytes = 116;
/** Size in bytes of the header before the slots: the heartbeat and the stop flag, 32 bits each. */
const header = 8;
/** Size of a slot in bytes: the length of the name (32 bits, 0 if the slot is free), the start time (64 bits) and the name. */
const slotBytes = 12 + nameBytes;

export type EventLoopWatchdog = ReturnType<typeof startEventLoopWatchdog>;

/** Starts a worker thread that writes to `fd` which requests are in flight when the event loop has been blocked for `blockedMs`. */
export function startEventLoopWatchdog({ fd = 1, blockedMs = 1_000 } = {}) {
  const shared = new SharedArrayBuffer(header + slots * slotBytes);
  const control = new Int32Array(shared, 0, 2);
  const view = new DataView(shared);
  const bytes = new Uint8Array(shared);
  const free = Array.from({ length: slots }, (_, slot) => header + slot * slotBytes);
  const worker = new Worker(new URL('./watchdog-worker.mjs', import.meta.url), {
    workerData: { shared, fd, blockedMs, header, slots, slotBytes, nameBytes },
  });
  worker.unref();
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.once('error', () => undefined); // the server also works without its watchdog
  const sendHeartbeat = (): void => {
    Atomics.add(control, 0, 1);
    Atomics.notify(control, 0);
  };
  const beat = setInterval(sendHeartbeat, blockedMs / 4).unref();
  return {
    /** Records a request by its method and route pattern. Returns a function that removes it. */
    recordRequest(name: string): () => void {
      const at = free.pop();
      if (at === undefined) return () => undefined;
      const encoded = new TextEncoder().encode(name).subarray(0, nameBytes);
      bytes.set(encoded, at + 12);
      view.setFloat64(at + 4, Date.now());
      view.setInt32(at, encoded.length);
      let open = true;
      return () => {
        if (!open) return;
        open = false;
        view.setInt32(at, 0);
        free.push(at);
      };
    },
    async stop(): Promise<void> {
      clearInterval(beat);
      Atomics.store(control, 1, 1);
      sendHeartbeat();
      await ended;
    },
  };
}
