import type { CodeBuffer } from "./code-buffer.js";
import type { BasedMemory, Label, LabelMemory } from "./operand.js";
import type { Register } from "./registers.js";

const LOG2 = { 1: 0, 2: 1, 4: 2, 8: 3 } as const;

const isByte = (value: number): boolean => value >= -128 && value <= 127;

/**
 * ModRM, SIB and displacement. `scaleBytes` is N of EVEX's compressed disp8*N, 1 elsewhere. Returns the label whose
 * distance is still to be patched into the last four bytes. Intel SDM volume 2A, tables 2-2, 2-3 and section 2.7.5.
 */
export function emitModRm(
  code: CodeBuffer,
  reg: number,
  rm: Register | BasedMemory | LabelMemory,
  scaleBytes: number,
): Label | undefined {
  const middle = (reg & 7) << 3;
  switch (rm.kind) {
    case "register":
      code.byte(0xc0 | middle | (rm.number & 7));
      return undefined;
    case "rip":
      code.byte(middle | 5);
      code.word32(0);
      return rm.label;
    case "memory":
      emitMemory(code, middle, rm, scaleBytes);
      return undefined;
  }
}

function emitMemory(
  code: CodeBuffer,
  middle: number,
  { base, index, scale, disp }: BasedMemory,
  scaleBytes: number,
): void {
  const low = base.number & 7;
  const compressed = scaleBytes === 1 ? disp : disp / scaleBytes;
  const short = isByte(compressed) && (scaleBytes === 1 || Number.isInteger(compressed));
  // Base 5 (rbp, r13) without a displacement would mean rip or none.
  const mode = disp === 0 && low !== 5 ? 0x00 : short ? 0x40 : 0x80;
  if (index !== undefined || low === 4) {
    code.byte(mode | middle | 4);
    code.byte((LOG2[scale] << 6) | (((index?.number ?? 4) & 7) << 3) | low);
  } else {
    code.byte(mode | middle | low);
  }
  if (mode === 0x40) code.byte(compressed & 255);
  if (mode === 0x80) code.word32(disp);
}
