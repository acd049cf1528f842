// x87: 1 sign, 15 exponent, 64 significand bits of which the highest is written out (Intel SDM volume 1, section
// 4.2.2). binary128: 1 sign, 15 exponent, 112 fraction bits, the highest implied (IEEE 754). The exponents have one
// bias.
const FRACTION_BITS = 112n;
const SIGNIFICAND_BITS = 63n;
const EXPONENT = 0x7fffn;
const SHIFT = FRACTION_BITS - SIGNIFICAND_BITS;
const FRACTION = (1n << FRACTION_BITS) - 1n;
const WRITTEN_OUT = 1n << SIGNIFICAND_BITS;

/** The bits of a binary128 of an x87 number's sign and exponent, and its significand. Every x87 number has one. */
export function toBinary128(signExponent: bigint, significand: bigint): bigint {
  let exponent = signExponent & EXPONENT;
  let fraction = significand & (WRITTEN_OUT - 1n);
  if (exponent === 0n && (significand & WRITTEN_OUT) !== 0n) exponent = 1n; // a pseudo-denormal
  if (exponent === EXPONENT || exponent !== 0n) return packed(signExponent, exponent, fraction << SHIFT);
  fraction = significand;
  return packed(signExponent, 0n, fraction << SHIFT); // both formats have the same least exponent
}

/** An x87 number of the bits of a binary128, rounded to nearest, ties to even. */
export function fromBinary128(bits: bigint): { readonly signExponent: bigint; readonly significand: bigint } {
  const sign = (bits >> 127n) << 15n;
  let exponent = (bits >> FRACTION_BITS) & EXPONENT;
  const fraction = bits & FRACTION;
  if (exponent === EXPONENT) {
    const isNan = fraction !== 0n;
    const kept = fraction >> SHIFT;
    return { signExponent: sign | EXPONENT, significand: WRITTEN_OUT | (isNan && kept === 0n ? 1n << 62n : kept) };
  }
  let significand = rounded(fraction) + (exponent === 0n ? 0n : WRITTEN_OUT);
  if (exponent === 0n && significand >= WRITTEN_OUT) exponent = 1n;
  if (significand >= WRITTEN_OUT << 1n) {
    significand >>= 1n;
    exponent += 1n;
    if (exponent === EXPONENT) significand = WRITTEN_OUT; // beyond the largest: infinite
  }
  return { signExponent: sign | exponent, significand };
}

function rounded(fraction: bigint): bigint {
  const kept = fraction >> SHIFT;
  const rest = fraction & ((1n << SHIFT) - 1n);
  const half = 1n << (SHIFT - 1n);
  return rest > half || (rest === half && (kept & 1n) === 1n) ? kept + 1n : kept;
}

const packed = (signExponent: bigint, exponent: bigint, fraction: bigint): bigint =>
  ((signExponent >> 15n) << 127n) | (exponent << FRACTION_BITS) | fraction;
