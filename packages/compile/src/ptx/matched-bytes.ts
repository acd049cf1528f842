/** A shorter match saves nothing; runtime/gpu_section.h reads any. */
const LEAST_MATCH = 8;
const FIBONACCI = 2_654_435_761;
const TABLE_BITS = 15;

/**
 * Bytes with what they repeat said once (Ziv and Lempel 1977). Again and again: a number of bytes that follow as they
 * are, these, a number of bytes that are copied from before, and from how far before; 0 copied bytes are the end.
 * Numbers are of 7 bits a byte, the lowest first, the highest bit set in all bytes of a number but its last.
 */
export function matchedBytes(bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  const seen = new Int32Array(2 ** TABLE_BITS).fill(-1);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let literal = 0;
  let at = 0;
  while (at + LEAST_MATCH <= bytes.length) {
    const slot =
      Math.imul(view.getUint32(at, true) ^ Math.imul(view.getUint32(at + 4, true), 31), FIBONACCI) >>>
      (32 - TABLE_BITS);
    const from = seen[slot] as number;
    seen[slot] = at;
    const length = from < 0 ? 0 : sameBytes(bytes, from, at);
    if (length < LEAST_MATCH) {
      at++;
      continue;
    }
    put(out, bytes.subarray(literal, at), length, at - from);
    at += length;
    literal = at;
  }
  put(out, bytes.subarray(literal), 0, 0);
  return Uint8Array.from(out);
}

function sameBytes(bytes: Uint8Array, from: number, at: number): number {
  let length = 0;
  while (at + length < bytes.length && bytes[from + length] === bytes[at + length]) length++;
  return length;
}

function put(out: number[], literals: Uint8Array, length: number, distance: number): void {
  putNumber(out, literals.length);
  for (const byte of literals) out.push(byte);
  putNumber(out, length);
  if (length > 0) putNumber(out, distance);
}

function putNumber(out: number[], value: number): void {
  for (let rest = value; ; rest >>>= 7) {
    out.push(rest > 127 ? (rest & 127) | 128 : rest);
    if (rest <= 127) return;
  }
}
