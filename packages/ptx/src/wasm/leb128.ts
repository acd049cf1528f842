/** WebAssembly core specification, section 5.2.2: integers, 7 bits a byte, low ones first. */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = (rest - low) / 128;
    bytes.push(rest === 0 ? low : low + 128);
  } while (rest !== 0);
  return bytes;
}

export function signed(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const low = Number(rest & 127n);
    rest >>= 7n;
    const done = (rest === 0n && low < 64) || (rest === -1n && low >= 64);
    bytes.push(done ? low : low + 128);
    if (done) return bytes;
  }
}
