import { createHash } from 'node:crypto';

/**
 * CPU time of this process that `work` takes, in milliseconds: the least of some tries, since a busy machine only adds to it. Stops trying once it
 * is below `enough`.
 */
export async function costMs(work: () => unknown, enough = 0, tries = 12): Promise<number> {
  let least = Infinity;
  for (let done = 0; done < tries && least > enough; done++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** What `costMs` answers of the work below on the machine that the limits were set on, in milliseconds. */
const referenceMs = 5;

/** How much slower the processor is now than the one that limits were set on; at least 1. */
export async function slowness(): Promise<number> {
  const text = 'a'.repeat(64 * 1024);
  const work = () => {
    for (let round = 0; round < 40; round += 1) createHash('sha256').update(`${round}${text}`).digest();
    for (let round = 0; round < 40; round += 1) /[^a]/.test(text + round);
  };
  const now = await costMs(work, 0, 5);
  return Math.max(1, now / referenceMs);
}

/** Whether a cost is at most linear: twice the size costs at most three times as much, beside what any request costs. */
export function isLinear({ half, whole }: { readonly half: number; readonly whole: number }, fixedMs: number): boolean {
  return whole <= fixedMs + 3 * half;
}

/** Prints a table where COST_TABLE asks for it. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  if (process.env['COST_TABLE'] === undefined) return;
  const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  process.stdout.write(`\n${lines.join('\n')}\n`);
}
