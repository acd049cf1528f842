import type { CodeBuffer } from "./code-buffer.js";
import type { Encoding } from "./encoding.js";
import { baseNumber, indexNumber, type Places } from "./places.js";
import type { Register } from "./registers.js";
import { COMPRESSED_PREFIX } from "./vex.js";

/** Which elements an EVEX instruction touches: k1 to k7; the others are kept, or zeroed in a register. */
export interface Masking {
  readonly mask: Register;
  readonly zeroing?: boolean;
}

/** The four-byte prefix. Intel SDM volume 2A, section 2.7.1. */
export function emitEvex(code: CodeBuffer, encoding: Encoding, places: Places, masking: Masking | undefined): void {
  const base = baseNumber(places);
  // A register in rm has its bit 4 in X, as no index can be there.
  const x = places.rm?.kind === "register" ? base >> 4 : indexNumber(places) >> 3;
  const notR = ~(places.reg >> 3) & 1;
  const notR4 = ~(places.reg >> 4) & 1;
  code.byte(0x62);
  code.byte((notR << 7) | ((~x & 1) << 6) | ((~(base >> 3) & 1) << 5) | (notR4 << 4) | encoding.map);
  code.byte((encoding.w << 7) | ((~places.vvvv & 15) << 3) | 4 | COMPRESSED_PREFIX[encoding.prefix]);
  const zeroing = masking?.zeroing === true ? 0x80 : 0;
  code.byte(zeroing | (encoding.vectorLength << 5) | ((~(places.vvvv >> 4) & 1) << 3) | (masking?.mask.number ?? 0));
}
