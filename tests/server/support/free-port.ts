import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { threadId } from 'node:worker_threads';

/**
 * Range of ports. Its end is below the ephemeral ports (Linux 32,768, macOS 49,152, gVisor 16,000), so that no outgoing
 * connection takes a port before the server binds it. Its start is above 10,080, the last port that browsers and
 * `fetch` block.
 */
const [lowest, highest] = [10_081, 16_000];

/** Offset within the range. It differs per process, so that two processes do not try the same port at the same time. */
let next = ((process.pid + threadId) * 97) % (highest - lowest);

/** Returns a port without a listener. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = lowest + next;
    next = (next + 1) % (highest - lowest);
    const probe = createServer();
    const isFree = await Promise.race([
      once(probe.listen(port), 'listening').then(() => true), // listens on all IPv4 and IPv6 addresses
      once(probe, 'error').then(() => false),
    ]).catch(() => false);
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}

/** Starts an HTTP server on a free port of this machine. Returns its origin. */
export async function listenLocally(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // `address()` returns an `AddressInfo` for a server that listens on a port
}
