import { createHash } from 'node:crypto';

/** Milliseconds of a processor that work took, of the whole process; the least of `runs`, so that neither other processes nor the collector count. */
export async function cpuOf(work: () => Promise<unknown>, runs = 5): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** What `cpuOf` answers of the work below on the machine that the limits were set on, in milliseconds. */
const referenceMs = 5;

/** How much slower the processor is now than the one that limits were set on; at least 1. */
export async function slowness(): Promise<number> {
  const text = 'a'.repeat(64 * 1024);
  const now = await cpuOf(async () => {
    for (let round = 0; round < 40; round += 1) createHash('sha256').update(`${round}${text}`).digest();
    for (let round = 0; round < 40; round += 1) /[^a]/.test(text + round);
  });
  return Math.max(1, now / referenceMs);
}
