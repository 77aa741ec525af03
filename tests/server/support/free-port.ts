import { once } from 'node:events';
import { createServer } from 'node:net';
import { threadId } from 'node:worker_threads';

/**
 * Below the ephemeral port ranges (Linux 32,768, macOS 49,152, gVisor 16,000), so that no outgoing connection takes the port before the server
 * binds it. Above 10,080, the last port that browsers and `fetch` block.
 */
const [lowest, highest] = [10_081, 16_000];

/** Each process walks from a place of its own: two at once never find the same port free before the first of them listens. */
let next = ((process.pid + threadId) * 97) % (highest - lowest);

/** A port without a listener. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + next;
    next = (next + 1) % (highest - lowest);
    const probe = createServer();
    const isFree = await Promise.race([
      once(probe.listen(port), 'listening').then(() => true), // on every address, of both kinds
      once(probe, 'error').then(() => false),
    ]).catch(() => false);
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
