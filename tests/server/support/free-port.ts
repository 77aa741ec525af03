import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the range from which systems take ports for outward connections: none of those gets the port before its server does. */
const [lowest, highest] = [15_000, 32_000];

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
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
