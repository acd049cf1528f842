import type { Term, Value } from "./value.js";

/**
 * What dividing by `divisor` takes without a divide instruction (Granlund and Montgomery, PLDI 1994, figure 4.1):
 * with t = high(multiplier × n), n / divisor = (t + ((n - t) >> firstShift)) >> lastShift, for every n of 64 bits.
 */
export interface Magic {
  /** An unsigned number of 64 bits. */
  readonly multiplier: bigint;
  readonly firstShift: 0 | 1;
  /** 0 to 63. */
  readonly lastShift: number;
}

/**
 * What dividing takes by one multiply and two shifts, for dividends below 2^63: n / divisor = high(multiplier × 2n) >>
 * shift.
 */
export interface ShortMagic {
  /** An unsigned number of 64 bits; of narrowMagicOf, of 32. */
  readonly multiplier: bigint;
  readonly shift: number;
}

/** The Magic of a divisor. Throws a RangeError outside 1 to 2^64 - 1. */
export function magicOf(divisor: number | bigint): Magic {
  const d = requireDivisor(divisor, 64n);
  const bits = ceilLog2(d);
  const multiplier = (2n ** 64n * (2n ** BigInt(bits) - d)) / d + 1n;
  return Object.freeze({ multiplier, firstShift: bits === 0 ? 0 : 1, lastShift: Math.max(bits - 1, 0) });
}

/**
 * The ShortMagic of a divisor d: multiplier = floor(2^(63 + l) / d) + 1 with l = ceil(log2 d). Its excess, at most
 * d / 2^(63 + l), is too small to reach the next quotient while n < 2^63. Throws a RangeError outside 1 to 2^63.
 */
export function shortMagicOf(divisor: number | bigint): ShortMagic {
  const d = requireDivisor(divisor, 63n);
  const shift = ceilLog2(d);
  return Object.freeze({ multiplier: 2n ** BigInt(63 + shift) / d + 1n, shift });
}

/**
 * The multiplier and shift of shortMagicOf in 32 bits, for dividends below 2^31; a divisor above 2^31 gives the
 * multiplier 0, and so the quotient 0. Throws a RangeError outside 1 to 2^63.
 */
export function narrowMagicOf(divisor: number | bigint): ShortMagic {
  const d = requireDivisor(divisor, 63n);
  const shift = ceilLog2(d);
  return Object.freeze(
    shift > 31 ? { multiplier: 0n, shift: 0 } : { multiplier: 2n ** BigInt(31 + shift) / d + 1n, shift },
  );
}

/** n / divisor of u64 values, with a divisor known at launch: its Magic came as parameters. */
export function divideByMagic(n: Value, magic: { multiplier: Term; firstShift: Term; lastShift: Term }): Value {
  const t = n.mulHigh(magic.multiplier);
  return t.add(n.sub(t).shr(magic.firstShift)).shr(magic.lastShift);
}

/** n / divisor for n < 2^63 and a ShortMagic, or a u32 n < 2^31 and a narrow one. */
export const divideByShortMagic = (n: Value, magic: { multiplier: Term; shift: Term }): Value =>
  n.shl(1).mulHigh(magic.multiplier).shr(magic.shift);

/** A number in parts: n = quotient × divisor + rest. */
export interface Parts {
  readonly quotient: Value;
  readonly rest: Value;
}

/** Quotient and rest by a divisor whose ShortMagic, or narrow one, came as parameters. */
export function divideInParts(n: Value, divisor: Term, magic: { multiplier: Term; shift: Term }): Parts {
  const quotient = divideByShortMagic(n, magic);
  return { quotient, rest: remainder(n, quotient, divisor) };
}

/** n / divisor for a constant divisor; n is u32 or u64. Powers of two become shifts. */
export function divideByConstant(n: Value, divisor: number | bigint): Value {
  const d = BigInt(divisor);
  const bits = ceilLog2(d);
  if (d === 2n ** BigInt(bits)) return n.shr(bits);
  if (n.type === "u64") return divideByMagic(n, magicOf(d));
  return divideU32(n, d, bits);
}

/** The 32-bit case of Magic, whose multiplier is floor(2^32 (2^l - d) / d) + 1. */
function divideU32(n: Value, d: bigint, bits: number): Value {
  const t = n.mulHigh((2n ** 32n * (2n ** BigInt(bits) - d)) / d + 1n);
  return t.add(n.sub(t).shr(1)).shr(bits - 1);
}

/** n mod divisor, given the quotient. */
export const remainder = (n: Value, quotient: Value, divisor: Term): Value => n.sub(quotient.mul(divisor));

function requireDivisor(divisor: number | bigint, bits: bigint): bigint {
  const d = BigInt(divisor);
  if (d < 1n || d > 2n ** bits - (bits === 64n ? 1n : 0n))
    throw new RangeError(`divisor: expected 1 to 2^${bits}, got ${d}`);
  return d;
}

const ceilLog2 = (d: bigint): number => (d - 1n === 0n ? 0 : (d - 1n).toString(2).length);
