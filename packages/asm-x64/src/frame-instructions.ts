import type { FrameRow, FrameRows } from "./frame-rows.js";

/** DWARF 5, section 6.4.2. */
const CFA = {
  advance1: 2,
  advance2: 3,
  advance4: 4,
  defCfaOffset: 0x0e,
  advance: 0x40,
  offset: 0x80,
  restore: 0xc0,
} as const;
/** Callee-saved registers by number, as DWARF numbers them: System V AMD64 ABI, figure 3.36. */
const DWARF_NUMBERS: ReadonlyMap<number, number> = new Map([
  [3, 3],
  [5, 6],
  [12, 12],
  [13, 13],
  [14, 14],
  [15, 15],
]);
const WORD_BYTES = 8;

/**
 * Encodes rows as call frame instructions (DWARF 5, section 6.4.2). They stand behind a common record by which code
 * counts in bytes, places in words of 8 downwards, and a function begins with the canonical frame address 8 bytes above
 * rsp.
 */
export function frameInstructions({ rows }: FrameRows): Uint8Array {
  const to: number[] = [];
  let last: FrameRow = { offset: rows[0]?.offset ?? 0, cfaBytes: WORD_BYTES, saved: [] };
  for (const row of rows) {
    writeAdvance(to, row.offset - last.offset);
    if (row.cfaBytes !== last.cfaBytes) writeUnsigned(to, CFA.defCfaOffset, row.cfaBytes);
    writeSaved(to, last, row);
    last = row;
  }
  return Uint8Array.from(to);
}

function writeAdvance(to: number[], bytes: number): void {
  if (bytes === 0) return;
  if (bytes < 0x40) to.push(CFA.advance | bytes);
  else if (bytes <= 0xff) to.push(CFA.advance1, bytes);
  else if (bytes <= 0xffff) to.push(CFA.advance2, bytes & 255, bytes >> 8);
  else to.push(CFA.advance4, bytes & 255, (bytes >> 8) & 255, (bytes >> 16) & 255, bytes >>> 24);
}

/** What is on the stack newly or elsewhere, and what is back in its register. */
function writeSaved(to: number[], before: FrameRow, { saved }: FrameRow): void {
  const was = new Map(before.saved.map(({ register, belowCfaBytes }) => [register.number, belowCfaBytes]));
  for (const { register, belowCfaBytes } of saved) {
    const isKnown = was.get(register.number) === belowCfaBytes;
    was.delete(register.number);
    if (!isKnown) writeUnsigned(to, CFA.offset | dwarfNumber(register.number), belowCfaBytes / WORD_BYTES);
  }
  for (const register of was.keys()) to.push(CFA.restore | dwarfNumber(register));
}

function dwarfNumber(register: number): number {
  const number = DWARF_NUMBERS.get(register);
  if (number !== undefined) return number;
  throw new Error(`saved register: expected one that is the caller's, got register ${register}`);
}

/** An instruction and its number, in LEB128: DWARF 5, section 7.6. */
function writeUnsigned(to: number[], instruction: number, value: number): void {
  to.push(instruction);
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) to.push((rest % 0x80) | 0x80);
  to.push(rest);
}
