import { Worker } from 'node:worker_threads';

/** Time that the event loop may be blocked before it is logged, in milliseconds. */
const defaultHeldMs = 1_000;
/** Most requests in flight that are recorded by name. */
const slots = 64;
const nameBytes = 116;
/** Bytes before the slots: the heartbeat and the stop flag, each of 32 bits. */
const header = 8;
/** Bytes of a slot: the length of the name (32 bits, 0 if free), the time (64 bits) and the name. */
const slotBytes = 12 + nameBytes;

/** A thread that logs what blocks the event loop. */
export interface Watchdog {
  /** Records a request by its method and route pattern. Returns the function that removes it. */
  begin(name: string): () => void;
  stop(): Promise<void>;
}

/** Starts the watchdog. `fd` receives its log lines. `heldMs` is the time that the event loop may be blocked. */
export function startWatchdog({ fd = 1, heldMs = defaultHeldMs } = {}): Watchdog {
  const shared = new SharedArrayBuffer(header + slots * slotBytes);
  const control = new Int32Array(shared, 0, 2);
  const view = new DataView(shared);
  const bytes = new Uint8Array(shared);
  const free = Array.from({ length: slots }, (_, slot) => header + slot * slotBytes);
  const worker = new Worker(new URL('./watchdog-worker.mjs', import.meta.url), {
    workerData: { shared, fd, heldMs, header, slots, slotBytes, nameBytes },
  });
  worker.unref();
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.once('error', () => undefined); // the server also works without its watchdog
  const wake = (): void => {
    Atomics.add(control, 0, 1);
    Atomics.notify(control, 0);
  };
  const beat = setInterval(wake, heldMs / 4).unref();
  return {
    begin(name) {
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
    async stop() {
      clearInterval(beat);
      Atomics.store(control, 1, 1);
      wake();
      await ended;
    },
  };
}
