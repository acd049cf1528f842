// Bytes that differ by place and by seed, and where two ranges of bytes first differ.

export function fillPattern(bytes, seed) {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  for (let i = 0; i < words.length; i++) words[i] = Math.imul(i + seed, 2654435761) ^ (i >>> 7);
}

export function pattern(sizeBytes, seed) {
  const bytes = new Uint8Array(sizeBytes);
  fillPattern(bytes, seed);
  return bytes;
}

/** Undefined where they are equal; else one line. */
export function difference(got, expected) {
  if (Buffer.compare(got, expected) === 0) return undefined;
  const at = got.findIndex((byte, i) => byte !== expected[i]);
  return `expected byte ${at} to be ${expected[at]}, got ${got[at]}`;
}
