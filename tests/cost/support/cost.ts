import { createHash } from 'node:crypto';
import { expect } from 'vitest';

/** Numbers of runs. A result above the limit in few runs is measured again in many, because a busy machine could be the reason. */
const [fewRuns, manyRuns] = [4, 12];

/**
 * Measures the CPU time of `work` in this process, in milliseconds. Returns the minimum of several runs, because other
 * load on the machine only adds to it. Stops early once the minimum is below `enough`.
 */
export async function measureMs(work: () => unknown, enough = 0, runs = manyRuns): Promise<number> {
  let least = Infinity;
  for (let done = 0; done < runs && least > enough; done++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** CPU time of the reference work below on the machine for which the limits were set, in milliseconds. */
const referenceMs = 5;

/** Returns how many times slower this machine currently is than the reference machine. Returns at least 1. */
export async function measureSlowness(): Promise<number> {
  const text = 'a'.repeat(64 * 1024);
  const work = () => {
    for (let round = 0; round < 40; round += 1) createHash('sha256').update(`${round}${text}`).digest();
    for (let round = 0; round < 40; round += 1) /[^a]/.test(text + round);
  };
  const now = await measureMs(work, 0, 5);
  return Math.max(1, now / referenceMs);
}

/** A kind of request to measure. Its costly part can have any size up to `size`. */
export interface Candidate {
  readonly kind: string;
  /** Maximum size of the costly part, in bytes. */
  readonly size: number;
  /** Size in the first measurement, in bytes. This measurement selects the costliest kinds. */
  readonly screened: number;
  /** Prepares a request of the given size. Returns the function that sends it. Only that function is measured. */
  readonly prepare: (bytes: number) => () => Promise<unknown>;
}

/** CPU times of the costliest kind of request, in milliseconds: at its maximum size, and at half of it. */
export interface CostliestCandidate {
  readonly kind: string;
  readonly whole: number;
  readonly half: number;
}

/** Number of the costliest kinds, which are also measured at their maximum size. */
const measured = 5;

/**
 * Finds the costliest kind of request. Fails if its CPU time exceeds the limit, or grows faster than its size.
 * `fixedMs` is the CPU time of a request of size zero.
 */
export async function findCostliest(
  candidates: Iterable<Candidate>,
  { maxMs, fixedMs }: { readonly maxMs: number; readonly fixedMs: number },
): Promise<CostliestCandidate> {
  const screened: { readonly candidate: Candidate; readonly ms: number }[] = [];
  for (const candidate of candidates)
    screened.push({ candidate, ms: await measureMs(candidate.prepare(candidate.screened), 0, 1) });
  const measure = async ({ kind, size, prepare }: Candidate, runs: number): Promise<CostliestCandidate> => {
    const whole = await measureMs(prepare(size), maxMs / 2, runs);
    if (whole <= fixedMs) return { kind, whole, half: whole }; // too cheap to grow faster than its size
    // measures half the size until it costs less than half, which a superlinear cost does even in the first run
    return { kind, whole, half: await measureMs(prepare(size / 2), whole / 2, runs) };
  };
  const isCheap = (cost: CostliestCandidate) => cost.whole <= maxMs && isLinear(cost, fixedMs);
  let worst: CostliestCandidate = { kind: '', whole: 0, half: 0 };
  for (const { candidate } of screened.sort((a, b) => b.ms - a.ms).slice(0, measured)) {
    const quick = await measure(candidate, fewRuns);
    const cost = isCheap(quick) ? quick : await measure(candidate, manyRuns);
    if (cost.whole > worst.whole) worst = cost;
  }
  const factor = isCheap(worst) ? 1 : await measureSlowness();
  expect(worst.whole, worst.kind).toBeLessThanOrEqual(maxMs * factor);
  expect(isLinear(worst, fixedMs * factor), `${worst.whole} ms, ${worst.half} at half the size: ${worst.kind}`).toBe(
    true,
  );
  return worst;
}

/** Whether a cost is at most linear: the double size costs at most three times as much, apart from the fixed cost. */
function isLinear({ half, whole }: CostliestCandidate, fixedMs: number): boolean {
  return whole <= fixedMs + 3 * half;
}

/** Prints a table if COST_TABLE is set. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  if (process.env['COST_TABLE'] === undefined) return;
  const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  process.stdout.write(`\n${lines.join('\n')}\n`);
}
