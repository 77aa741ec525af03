import { Worker } from 'node:worker_threads';

/** How long the event loop may do one thing before the log says so, in milliseconds. */
const defaultHeldMs = 1_000;
/** How many requests in flight are remembered by name; more are not named. */
const slots = 64;
const nameBytes = 116;
/** The beat and the word to stop come first, both 32 bits. */
const header = 8;
/** Length of the name (32 bits, 0: free), the time (64 bits) and the name. */
const slotBytes = 12 + nameBytes;

/** A thread of its own that says in the log what holds the event loop. */
export interface Watchdog {
  /** Notes a request by its method and the pattern of its address; returns what forgets it. */
  begin(name: string): () => void;
  stop(): Promise<void>;
}

/** Starts the watchdog. `fd`: where its lines go; `heldMs`: how long a step may take without a line. */
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
  worker.once('error', () => undefined); // a server without its watchdog serves all the same
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
