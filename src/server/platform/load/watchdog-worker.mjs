// This file is plain JavaScript, because a worker thread of Node 20 starts without a TypeScript loader.
import { writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { workerData } from 'node:worker_threads';

const { shared, fd, blockedMs, header, slots, slotBytes, nameBytes } = workerData;
const control = new Int32Array(shared, 0, 2);
const view = new DataView(shared);
const bytes = new Uint8Array(shared);

/** Lists the requests in flight, newest first, because the newest request is the likely cause of the block. */
function listRequestsInFlight(now) {
  const found = [];
  for (let slot = 0; slot < slots; slot += 1) {
    const at = header + slot * slotBytes;
    const length = Math.min(view.getInt32(at), nameBytes);
    if (length === 0) continue;
    const name = Buffer.from(bytes.slice(at + 12, at + 12 + length)).toString('utf8');
    found.push({ name, ms: Math.round(now - view.getFloat64(at + 4)) });
  }
  return found.sort((a, b) => a.ms - b.ms).slice(0, 10);
}

/** Writes to the file descriptor, because the stdout of a worker thread passes through the blocked main thread. */
function write(facts) {
  try {
    writeSync(
      fd,
      `${JSON.stringify({ level: 40, time: Date.now(), pid: process.pid, hostname: hostname(), ...facts })}\n`,
    );
  } catch {
    // The pipe is full or closed, so the line is lost.
  }
}

while (Atomics.load(control, 1) === 0) {
  const lastHeartbeat = Atomics.load(control, 0);
  const since = Date.now();
  if (Atomics.wait(control, 0, lastHeartbeat, blockedMs) !== 'timed-out') continue;
  if (Atomics.load(control, 1) !== 0) break;
  const requestsInFlight = listRequestsInFlight(Date.now());
  write({ blockedMs: Date.now() - since, inFlight: requestsInFlight, msg: 'the event loop is blocked' });
  Atomics.wait(control, 0, lastHeartbeat);
  write({ blockedMs: Date.now() - since, inFlight: requestsInFlight, msg: 'the event loop is responsive again' });
}
