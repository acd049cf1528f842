import type { CodeBuffer } from "./code-buffer.js";
import type { Encoding } from "./encoding.js";
import type { Places } from "./places.js";

/** The two-byte prefix where it can be, else the three-byte one. Intel SDM volume 2A, section 2.3.5. */
export function emitVex(code: CodeBuffer, encoding: Encoding, places: Places): void {
  const notR = ~(places.reg >> 3) & 1;
  const notX = ~places.x & 1;
  const notB = ~places.b & 1;
  const tail = ((~places.vvvv & 15) << 3) | (encoding.vectorLength << 2) | encoding.compressedPrefix;
  if (encoding.map === 1 && encoding.w === 0 && notX === 1 && notB === 1) {
    code.byte(0xc5);
    code.byte((notR << 7) | tail);
    return;
  }
  code.byte(0xc4);
  code.byte((notR << 7) | (notX << 6) | (notB << 5) | encoding.map);
  code.byte((encoding.w << 7) | tail);
}
