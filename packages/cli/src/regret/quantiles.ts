export interface Quantiles {
  readonly median: number;
  readonly p95: number;
  readonly worst: number;
}

export function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
  return { median: at(0.5), p95: at(0.95), worst: sorted.at(-1) ?? NaN };
}
