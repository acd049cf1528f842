/** Throws one line that names the first byte that is not as expected. */
export function requireEqualBytes(subject: string, expected: Uint8Array, got: Uint8Array): void {
  if (Buffer.compare(expected, got) === 0) return;
  const at = expected.findIndex((byte, i) => byte !== got[i]);
  throw new Error(`byte ${at} that ${subject} left: expected ${expected[at]}, got ${got[at]}`);
}
