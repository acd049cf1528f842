/** The bytes that golden buffers hold: byte i is (i × 131 + (i >> 8) × 17 + (i >> 16) × 5 + 7) mod 256. */
export function goldenBuffer(sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(sizeBytes);
  for (let i = 0; i < sizeBytes; i++) bytes[i] = i * 131 + (i >> 8) * 17 + (i >> 16) * 5 + 7;
  return bytes;
}
