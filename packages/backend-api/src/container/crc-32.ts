/** CRC-32 of IEEE 802.3, as zlib's crc32 computes it; `crc` continues an earlier one. */
export function crc32(bytes: Uint8Array, crc = 0): number {
  let register = ~crc;
  for (let i = 0; i < bytes.length; i++) {
    register = (register >>> 8) ^ (TABLE[(register ^ (bytes[i] as number)) & 0xff] as number);
  }
  return ~register >>> 0;
}

/** The reflected polynomial 0xEDB88320, a byte at a time. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let entry = byte;
  for (let bit = 0; bit < 8; bit++) entry = entry & 1 ? (entry >>> 1) ^ 0xedb88320 : entry >>> 1;
  return entry;
});
