import type { CodeBuffer } from "./code-buffer.js";
import type { Encoding } from "./encoding.js";
import type { Masking } from "./masking.js";
import type { OperandFields } from "./operand-fields.js";

/** The four-byte prefix. Intel SDM volume 2A, section 2.7.1. */
export function emitEvex(
  code: CodeBuffer,
  encoding: Encoding,
  fields: OperandFields,
  masking: Masking | undefined,
): void {
  const notR = ~(fields.reg >> 3) & 1;
  const notR4 = ~(fields.reg >> 4) & 1;
  code.byte(0x62);
  code.byte((notR << 7) | ((~fields.x & 1) << 6) | ((~fields.b & 1) << 5) | (notR4 << 4) | encoding.map);
  code.byte((encoding.w << 7) | ((~fields.vvvv & 15) << 3) | 4 | encoding.compressedPrefix);
  const zeroing = masking?.zeroing === true ? 0x80 : 0;
  code.byte(zeroing | (encoding.vectorLength << 5) | ((~(fields.vvvv >> 4) & 1) << 3) | (masking?.mask.number ?? 0));
}
