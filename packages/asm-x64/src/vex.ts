import type { CodeBuffer } from "./code-buffer.js";
import type { Encoding } from "./encoding.js";
import type { OperandFields } from "./operand-fields.js";

/** The two-byte prefix where it can be, else the three-byte one. Intel SDM volume 2A, section 2.3.5. */
export function emitVex(code: CodeBuffer, encoding: Encoding, fields: OperandFields): void {
  const notR = ~(fields.reg >> 3) & 1;
  const notX = ~fields.x & 1;
  const notB = ~fields.b & 1;
  const tail = ((~fields.vvvv & 15) << 3) | (encoding.vectorLength << 2) | encoding.compressedPrefix;
  if (encoding.map === 1 && encoding.w === 0 && notX === 1 && notB === 1) {
    code.byte(0xc5);
    code.byte((notR << 7) | tail);
    return;
  }
  code.byte(0xc4);
  code.byte((notR << 7) | (notX << 6) | (notB << 5) | encoding.map);
  code.byte((encoding.w << 7) | tail);
}
