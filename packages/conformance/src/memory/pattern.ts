/** Signalling NaNs, in both precisions: copies through floating-point registers or arrays may quieten them. */
const NANS = [0x01, 0x00, 0xa0, 0x7f, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0xf4, 0x7f, 0x01, 0x00, 0xa0, 0xff];

/** What memory is filled with: bytes that differ from place to place and from seed to seed, and sometimes NaNs. */
export interface Pattern {
  readonly seed: number;
  readonly nans: boolean;
}

/** `lengthBytes` bytes of a pattern from a place on. */
export function patternBytes(pattern: Pattern, place: number, lengthBytes: number): Uint8Array {
  const bytes = new Uint8Array(lengthBytes);
  for (let i = 0; i < lengthBytes; i++) bytes[i] = byteAt(pattern, place + i);
  return bytes;
}

/** The byte at a place; a hash of place and seed, so that no byte is where it is by chance. */
export function byteAt({ seed, nans }: Pattern, place: number): number {
  if (nans && place % 64 < 32) return NANS[place % 16] as number;
  let hash = Math.imul(place + 1, 0x9e3779b1) ^ Math.imul(seed + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) & 255;
}
