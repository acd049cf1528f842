import type { CodeBuffer } from "./code-buffer.js";
import type { Encoding } from "./encoding.js";
import type { Places } from "./places.js";
import type { Register } from "./registers.js";

/** Which elements an EVEX instruction touches: k1 to k7; the others are kept, or zeroed in a register. */
export interface Masking {
  readonly mask: Register;
  readonly zeroing?: boolean;
}

/** The four-byte prefix. Intel SDM volume 2A, section 2.7.1. */
export function emitEvex(code: CodeBuffer, encoding: Encoding, places: Places, masking: Masking | undefined): void {
  const notR = ~(places.reg >> 3) & 1;
  const notR4 = ~(places.reg >> 4) & 1;
  code.byte(0x62);
  code.byte((notR << 7) | ((~places.x & 1) << 6) | ((~places.b & 1) << 5) | (notR4 << 4) | encoding.map);
  code.byte((encoding.w << 7) | ((~places.vvvv & 15) << 3) | 4 | encoding.compressedPrefix);
  const zeroing = masking?.zeroing === true ? 0x80 : 0;
  code.byte(zeroing | (encoding.vectorLength << 5) | ((~(places.vvvv >> 4) & 1) << 3) | (masking?.mask.number ?? 0));
}
