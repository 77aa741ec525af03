/** Returns the median of the values. Returns NaN for an empty list. */
export function computeMedian(values: readonly number[]): number {
  return computePercentile(values, 0.5);
}

/** Returns a percentile of the values. `share` is a fraction, e.g. 0.99. */
export function computePercentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Result of the comparison of two samples. */
export interface SampleComparison {
  /** Probability that a value of the first sample exceeds one of the second (Mann-Whitney): 0.5 if they are indistinguishable. */
  readonly auc: number;
  /** Two-sided p-value: probability of an AUC at least this far from 0.5 if both samples have the same distribution. */
  readonly p: number;
}

/**
 * Compares two samples with the Mann-Whitney test. Uses the normal approximation, which requires about twenty values in
 * each sample.
 */
export function compareSamples(first: readonly number[], second: readonly number[]): SampleComparison {
  let wins = 0;
  for (const a of first) for (const b of second) wins += a > b ? 1 : a === b ? 0.5 : 0;
  const pairs = first.length * second.length;
  const deviation = Math.sqrt((pairs * (first.length + second.length + 1)) / 12);
  return { auc: wins / pairs, p: computeTwoSidedTail((wins - pairs / 2) / deviation) };
}

/** Two-sided tail probability of a standard normal variable at `z` (Abramowitz and Stegun 26.2.17, error below 1e-7). */
function computeTwoSidedTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const polynomial = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (2 * Math.exp(-(z * z) / 2) * polynomial) / Math.sqrt(2 * Math.PI);
}
