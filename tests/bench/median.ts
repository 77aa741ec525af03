/** The middle of some figures; NaN of none. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The figure below which a share of all lies, e.g. 0.99. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
