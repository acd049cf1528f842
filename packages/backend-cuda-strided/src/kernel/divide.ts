import type { Value } from "@stowage/ptx";

/** A number in parts: n = quotient × divisor + rest. */
export interface Parts {
  readonly quotient: Value;
  readonly rest: Value;
}

/** Divides by parameters, below half the width: a multiply and two shifts (magic.ts). */
export function divideBy(n: Value, divisor: Value, multiplier: Value, shift: Value): Parts {
  const quotient = n.shl(1).mulHigh(multiplier).shr(shift);
  return { quotient, rest: n.sub(quotient.mul(divisor)) };
}
