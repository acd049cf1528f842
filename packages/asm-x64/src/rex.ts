import type { CodeBuffer } from "./code-buffer.js";
import type { Encoding } from "./encoding.js";
import type { Places } from "./places.js";

/** Mandatory prefix, REX where needed, opcode escape. Intel SDM volume 2A, section 2.2.1. */
export function emitLegacyPrefixes(code: CodeBuffer, encoding: Encoding, places: Places, byteRegister: boolean): void {
  if (encoding.prefix !== 0) code.byte(encoding.prefix);
  const rex = (encoding.w << 3) | ((places.reg >> 3) << 2) | (places.x << 1) | places.b;
  // Without a REX, byte registers 4 to 7 would be ah to bh.
  if (rex !== 0 || byteRegister) code.byte(0x40 | rex);
  if (encoding.map > 0) code.byte(0x0f);
  if (encoding.map === 2) code.byte(0x38);
  if (encoding.map === 3) code.byte(0x3a);
}
