/**
 * n / divisor = high(multiplier × 2n) >> shift, for n below half the width (Granlund and Montgomery, PLDI 1994, figure
 * 4.1): with l = ceil(log2 divisor), the multiplier is floor(2^(bits - 1 + l) / divisor) + 1.
 */
export interface Division {
  readonly multiplier: bigint;
  readonly shift: number;
}

export function divisionBy(divisor: number, bits: 32 | 64): Division {
  const d = BigInt(divisor);
  const shift = (d - 1n).toString(2).length - (d === 1n ? 1 : 0);
  return { multiplier: 2n ** BigInt(bits - 1 + shift) / d + 1n, shift };
}
