import { PACKED_BYTES_EXPECTED, parsePackedBytes } from "@stowage/bench";

/** One of the packed sizes that --size was given, in bytes. Throws one line where it is none. */
export function packedSize(text: string): number {
  const bytes = parsePackedBytes(text);
  if (bytes === undefined) throw new Error(`--size: expected ${PACKED_BYTES_EXPECTED}, got ${text}`);
  return bytes;
}
