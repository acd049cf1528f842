import type { CodeBuffer } from "./code-buffer.js";
import type { Encoding } from "./encoding.js";
import type { OperandFields } from "./operand-fields.js";

/** Mandatory prefix, REX where needed, opcode escape. Intel SDM volume 2A, section 2.2.1. */
export function emitLegacyPrefixes(
  code: CodeBuffer,
  encoding: Encoding,
  fields: OperandFields,
  byteRegister: boolean,
): void {
  if (encoding.prefix !== 0) code.byte(encoding.prefix);
  const rex = (encoding.w << 3) | ((fields.reg >> 3) << 2) | (fields.x << 1) | fields.b;
  // Without a REX, byte registers 4 to 7 would be ah to bh.
  if (rex !== 0 || byteRegister) code.byte(0x40 | rex);
  if (encoding.map > 0) code.byte(0x0f);
  if (encoding.map === 2) code.byte(0x38);
  if (encoding.map === 3) code.byte(0x3a);
}
